// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

/// What a solve needs to go on in another process, and how far it had come.
struct SavedSolve {
  std::string model;             ///< fingerprintOf() the problem, by which it is known again
  std::optional<Status> status;  ///< how the solve ended; nothing: it was running
  SolveAlgorithm algorithm = SolveAlgorithm::dual;  ///< the one that was at work
  std::int64_t iterations = 0;                      ///< since the beginning, over all processes
  double seconds = 0.0;                             ///< of solving, likewise
  Basis basis;
};

/// A checkpoint is an MPS basis file, which other solvers read as well, below comments that hold
/// the rest: what problem the basis belongs to, how far the solve had come, a checksum.
///
/// Throws WriteError where the lengths of the basis are not those of `lp`. `path` may be `-`.
void writeCheckpoint(std::string const& path, LinearProgram const& lp, SavedSolve const& saved);
std::string writeCheckpointText(LinearProgram const& lp, SavedSolve const& saved);

/// Reads a checkpoint of `lp`. Throws OpenError; ReadError for what is no checkpoint, one of
/// another problem, a truncated or a damaged one.
SavedSolve readCheckpoint(std::string const& path, LinearProgram const& lp);
SavedSolve readCheckpointText(std::string_view text, std::string const& name,
                              LinearProgram const& lp);

}  // namespace osi_cuda::readers
