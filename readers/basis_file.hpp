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

/// Reads a basis of `lp`: an MPS basis file (XU, XL, UL, LL, BS; as Clp, CPLEX and lp_solve write
/// it), a basis file of HiGHS, or a solution file of glpsol (-w), told apart by content. `path` as
/// in read(). Throws OpenError, ReadError.
///
/// Columns that the file does not mention are nonbasic at their lower bound, rows basic. A variable
/// that the file puts at an infinite bound rests on the other one, or is free if both are: lp_solve
/// calls the bound that a one-sided row has the lower one, Clp and we call it what it is.
Basis readBasis(std::string const& path, LinearProgram const& lp);
Basis readBasisText(std::string_view text, std::string const& name, LinearProgram const& lp);

/// Writes `basis` as an MPS basis file; `path` may be `-`. Its lengths have to be those of `lp`. A
/// nonbasic variable between its bounds (superbasic) is written as nonbasic at the lower one, and
/// so is a row that rests on its only bound, as lp_solve wants it and all others accept it. Throws
/// WriteError.
void writeBasis(std::string const& path, LinearProgram const& lp, Basis const& basis);
std::string writeBasisText(LinearProgram const& lp, Basis const& basis);

/// Does a variable with these bounds rest where `status` says? If not, where else: the other bound,
/// or nowhere.
VariableStatus restingPlace(VariableStatus status, double lower, double upper);

/// The same for all variables of `lp`.
void settle(Basis& basis, LinearProgram const& lp);

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
/// Throws WriteError where the lengths of the basis are not those of `lp`.
std::string writeCheckpointText(LinearProgram const& lp, SavedSolve const& saved);

/// Reads a checkpoint of `lp`. Throws OpenError; ReadError for what is no checkpoint, one of
/// another problem, a truncated or a damaged one.
SavedSolve readCheckpoint(std::string const& path, LinearProgram const& lp);
SavedSolve readCheckpointText(std::string_view text, std::string const& name,
                              LinearProgram const& lp);

}  // namespace osi_cuda::readers
