// SPDX-License-Identifier: EPL-2.0
#include "cli/log.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace osi_cuda::cli {
namespace {

std::size_t columnsOfTerminal() {
  winsize size{};
  bool const known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : Log::usualColumns;
}

}  // namespace

Log::Log(std::ostream& out, Verbosity verbosity, Sink sink, std::size_t columns)
    : out_(out), verbosity_(verbosity), sink_(sink), columns_(columns), lastShown_(Clock::now()) {}

Log::Log(Verbosity verbosity)
    : Log(std::cerr, verbosity, isatty(STDERR_FILENO) ? Sink::terminal : Sink::stream,
          columnsOfTerminal()) {}

void Log::notice(std::string const& sentence) {
  if (verbosity_ != Verbosity::quiet) line(sentence);
}

void Log::detail(std::string const& sentence) {
  if (verbosity_ == Verbosity::verbose) line(sentence);
}

void Log::progress(Progress const& progress, Clock::time_point now) {
  if (verbosity_ == Verbosity::verbose && progress.stage == Stage::barrier)
    line(progressLine(progress) + fmt::format(" mu {:.1e}", progress.mu));  // few, each tells much
  else
    show(progressLine(progress), now);
}

void Log::progress(SearchProgress const& progress, Clock::time_point now) {
  show(progressLine(progress), now);
}

void Log::show(std::string const& text, Clock::time_point now) {
  if (verbosity_ == Verbosity::quiet) return;
  auto const interval =
      sink_ == Sink::terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000);
  if (now - lastShown_ < interval) return;
  lastShown_ = now;
  if (sink_ == Sink::stream) return line(text);
  // The last column stays free, as the next letter would begin a line. Erases to the line's end.
  out_ << '\r' << text.substr(0, columns_ - 1) << "\x1b[K" << std::flush;
  lineOnTerminal_ = true;
}

void Log::endProgress() {
  if (lineOnTerminal_) out_ << "\r\x1b[K" << std::flush;
  lineOnTerminal_ = false;
}

void Log::line(std::string const& text) {
  endProgress();
  out_ << text << '\n' << std::flush;
}

std::string progressLine(Progress const& progress) {
  if (progress.stage == Stage::barrier)
    return fmt::format(
        "{:7.1f} s {:3} barrier {:15.8e} primal infeas. {:.0e} dual {:.0e} gap {:.0e}",
        progress.seconds, progress.iterations, progress.objective, progress.primalResidual,
        progress.dualResidual, progress.gap);
  return fmt::format("{:7.1f} s {:8} pivots {:<8}  {:17.10e}  {} infeas. {:.1e}", progress.seconds,
                     progress.iterations, toString(progress.stage), progress.objective,
                     progress.stage == Stage::primal2 ? "dual" : "primal", progress.infeasibility);
}

std::string progressLine(SearchProgress const& progress) {
  return fmt::format("{:7.1f} s {:7} nodes incumbent {:13.6e} bound {:13.6e} gap {:.1e}",
                     progress.seconds, progress.nodes, progress.objective, progress.bound,
                     progress.gap());
}

}  // namespace osi_cuda::cli
