// SPDX-License-Identifier: EPL-2.0
#include "cli/checkpoint.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "osi_cuda/model/fingerprint.hpp"
#include "readers/number.hpp"
#include "shell/failure.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {

using namespace shell;

namespace fs = std::filesystem;

double checkpointInterval(std::string const& text) {
  double const seconds = readers::wholeNumber<double>(text).value_or(0.0);
  constexpr double longest = 1e9;  // 31 years: a clock can count to its end
  if (!(seconds > 0.0) || seconds > longest)
    throw Failure(
        ExitStatus::usage,
        "--checkpoint-interval: expected a number > 0 and <= 1e9 of seconds, found '" + text + "'");
  return seconds;
}

CheckpointFile::CheckpointFile(std::string path, double interval,
                               std::function<void(std::string const&)> notice)
    : path_(std::move(path)), interval_(interval), notice_(std::move(notice)) {
  std::error_code ignored;
  fs::file_status const about = fs::status(path_, ignored);
  bool const isOther = fs::exists(about) && !fs::is_regular_file(about) && !fs::is_directory(about);
  if (path_ == "-" || isOther)
    throw Failure(ExitStatus::usage,
                  "--checkpoint needs a file that can be replaced, not '" + path_ + "'");
  checkWritable(path_);
}

void CheckpointFile::begin(LinearProgram const& lp, readers::SavedSolve const* before) {
  lp_ = &lp;
  model_ = before ? before->model : fingerprintOf(lp);
  if (before) {
    iterationsBefore_ = before->iterations;
    secondsBefore_ = before->seconds;
    write(*before);
  }
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
}

void CheckpointFile::write(Checkpoint const& checkpoint) {
  write({model_, checkpoint.status, checkpoint.algorithm, iterationsBefore_ + checkpoint.iterations,
         secondsBefore_ + checkpoint.seconds, checkpoint.basis});
}

void CheckpointFile::write(readers::SavedSolve const& saved) {
  write(readers::writeCheckpointText(*lp_, saved));
}

void CheckpointFile::write(std::string const& text) {
  Clock::time_point const begin = Clock::now();
  try {
    writeTextFile(path_, text);
    failing_ = false;
  } catch (Failure const& failure) {
    if (!failing_)
      notice_(concat("The checkpoint is an old one: ", failure.what(),
                     "; the solve continues and will try again."));
    failing_ = true;
  }
  // A slow disk may take a tenth of the time, not more.
  std::chrono::duration<double> const pause =
      std::max(interval_, 10.0 * std::chrono::duration<double>(Clock::now() - begin));
  next_ = begin + std::chrono::duration_cast<Clock::duration>(pause);
}

}  // namespace osi_cuda::cli
