// SPDX-License-Identifier: EPL-2.0
#include "cli/log.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <iostream>

namespace osi_cuda::cli {

Log::Log(std::ostream& out, Verbosity verbosity, Sink sink)
    : out_(out), verbosity_(verbosity), sink_(sink), lastShown_(Clock::now()) {}

Log::Log(Verbosity verbosity)
    : Log(std::cerr, verbosity, isatty(STDERR_FILENO) ? Sink::terminal : Sink::stream) {}

void Log::notice(std::string const& sentence) {
  if (verbosity_ != Verbosity::quiet) line(sentence);
}

void Log::detail(std::string const& sentence) {
  if (verbosity_ == Verbosity::verbose) line(sentence);
}

void Log::progress(Progress const& progress, Clock::time_point now) {
  if (verbosity_ == Verbosity::verbose && progress.stage == Stage::barrier)
    line(progressLine(progress));  // few, and each tells something
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
  out_ << '\r' << text << "\x1b[K" << std::flush;  // erase to the line's end
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
        "{:8.1f} s  {:10} barrier iterations  objective {:17.10e}  mu {:.1e}  primal {:.1e}  "
        "dual {:.1e}  gap {:.1e}",
        progress.seconds, progress.iterations, progress.objective, progress.mu,
        progress.primalResidual, progress.dualResidual, progress.gap);
  return fmt::format("{:8.1f} s  {:10} pivots  {:<8}  objective {:17.10e}  infeasible by {:.2e}",
                     progress.seconds, progress.iterations, toString(progress.stage),
                     progress.objective, progress.infeasibility);
}

std::string progressLine(SearchProgress const& progress) {
  return fmt::format("{:8.1f} s  {:10} nodes  incumbent {:17.10e}  bound {:17.10e}  gap {:.2e}",
                     progress.seconds, progress.nodes, progress.objective, progress.bound,
                     progress.gap());
}

}  // namespace osi_cuda::cli
