// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "cli/interrupt.hpp"
#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/rational/meanings.hpp"
#include "readers/basis_file.hpp"
#include "readers/proof_file.hpp"
#include "shell/failure.hpp"

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

/// The event as docs/reference/program.md describes it: a JSON object on one line, without the
/// line's end. Numbers that are not finite are null.
std::string traceLine(TraceEvent const& event);

/// The file of --trace: a line for each event, written out at once, so that a run that is killed
/// leaves all but the event that it was busy with.
class TraceFile {
 public:
  /// Empties or creates the file. `notice` hears a message if the file can't be written any more
  /// later; the solve goes on without a trace then. Throws the Failure `cannotWrite`, or `usage`
  /// for
  /// `-`.
  TraceFile(std::string path, std::function<void(std::string const&)> notice);

  /// The first line: the file that is solved and the options that are not the usual ones.
  void begin(std::string const& file, Options const& options);
  void write(TraceEvent const& event);

  /// Where the basis goes that a failing solve ends with: FILE.bas. Nowhere if FILE is a pipe or a
  /// terminal.
  std::optional<std::string> basisPath() const;

 private:
  std::string path_;
  std::function<void(std::string const&)> notice_;
  std::ofstream out_;
};

/// The file of --proof: of what a solve proves, or of the tree of a search for integers.
class ProofFile {
 public:
  using Lines = std::function<void(std::string_view)>;

  /// `notice` hears why there is none. Throws the Failure `usage` for an ending without a format.
  ProofFile(std::string path, bool integers, std::function<void(std::string const&)> notice);

  /// Whether the proof is of a linear program, by exact arithmetic.
  bool isOfProblem() const { return format_.has_value(); }
  /// Takes the lines of a search, where they are wanted; endTree() throws the Failure
  /// `cannotWrite` for those that were not written.
  Lines beginTree();
  void endTree();
  /// `numerical` where there is no proof to write, `cannotWrite` where the format has no statement
  /// for it; a notice says why.
  shell::ExitStatus write(LinearProgram const& lp, Solution const& solution, ExactNumbers numbers,
                          rational::Meanings& fractions, std::function<bool()> const& stop);

 private:
  std::string path_;
  std::function<void(std::string const&)> notice_;
  std::optional<readers::ProofFormat> format_;
  bool keepsTree_ = false;  ///< for a .vipr file
  std::string lines_;       ///< of that tree
  std::ofstream tree_;      ///< that goes out as it comes
};

}  // namespace osi_cuda::cli
