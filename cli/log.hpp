// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "osi_cuda/integers/integer_search.hpp"

namespace osi_cuda::cli {

enum class Verbosity { quiet, normal, verbose };

/// Where progress goes: a terminal shows one line that changes, anything else gets a line every
/// few seconds.
enum class Sink { terminal, stream };

/// What a command tells its user besides its result; it goes to standard error.
class Log {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t usualColumns = 80;

  /// `out`, a terminal of so many columns or something else, must outlive the log.
  Log(std::ostream& out, Verbosity verbosity, Sink sink, std::size_t columns = usualColumns);
  /// Standard error, and the sink that it is.
  explicit Log(Verbosity verbosity);
  ~Log() { endProgress(); }
  Log(Log const&) = delete;
  Log& operator=(Log const&) = delete;

  void notice(std::string const& sentence);  ///< not with quiet
  void detail(std::string const& sentence);  ///< with verbose only

  /// Called as often as one likes; shows a part of the calls: ten a second on a terminal, one in
  /// five seconds elsewhere.
  void progress(Progress const& progress, Clock::time_point now = Clock::now());
  void progress(SearchProgress const& progress, Clock::time_point now = Clock::now());
  /// Takes the progress line off the terminal.
  void endProgress();

 private:
  void line(std::string const& text);
  void show(std::string const& text, Clock::time_point now);

  std::ostream& out_;
  Verbosity verbosity_;
  Sink sink_;
  std::size_t columns_;
  Clock::time_point lastShown_;
  bool lineOnTerminal_ = false;
};

/// The progress as a line of text of less than 80 columns, without its end. The infeasibility that
/// the running algorithm removes is named: primal or dual.
std::string progressLine(Progress const& progress);
std::string progressLine(SearchProgress const& progress);

}  // namespace osi_cuda::cli
