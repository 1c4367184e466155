// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "cli/interrupt.hpp"
#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "readers/checkpoint_file.hpp"

namespace osi_cuda::cli {

/// The seconds of --checkpoint-interval. Throws the Failure `usage` for what is no positive number.
double checkpointInterval(std::string const& text);

/// The file of --checkpoint of one problem: when it is due, and how it is written, whole or not at
/// all. A file that can't be written doesn't end a solve: the next time is another try.
class CheckpointFile {
 public:
  using Clock = std::chrono::steady_clock;

  /// `notice` hears a message when writing begins to fail. Throws the Failure `cannotWrite` if
  /// it obviously can't work, `usage` for standard output and what else is no regular file.
  CheckpointFile(std::string path, double interval, std::function<void(std::string const&)> notice);

  /// The solve of `lp`, which must outlive this object, begins. `before` is what it goes on from,
  /// or null; it is written at once, and its iterations and seconds are added from then on.
  void begin(LinearProgram const& lp, readers::SavedSolve const* before);

  /// Has the interval passed since the last checkpoint or the beginning, or has a SIGUSR1 come?
  bool due() const { return checkpointRequested() || Clock::now() >= next_; }
  void write(Checkpoint const& checkpoint);
  /// The text of a search, in the same way.
  void write(std::string const& text);

 private:
  void write(readers::SavedSolve const& saved);

  std::string path_;
  std::chrono::duration<double> interval_;
  std::function<void(std::string const&)> notice_;
  Clock::time_point next_;
  bool failing_ = false;
  LinearProgram const* lp_ = nullptr;
  std::string model_;  ///< its fingerprint
  std::int64_t iterationsBefore_ = 0;
  double secondsBefore_ = 0.0;
};

}  // namespace osi_cuda::cli
