// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/analysis/side.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

/// Sides of rows and columns that contradict each other.
struct InfeasibleSubsystem {
  std::vector<Side> members;  ///< of the problem: rows first, in their order
  /// Each member was left out once, and what remained has a point within the tolerance: without any
  /// one of them the others do not contradict each other. The multipliers use every member.
  bool irreducible = false;
  /// Members of which that could be neither proved nor refuted: coefficients in which rounding
  /// decides whether the others contradict each other.
  std::vector<Side> undecided;
  /// The members alone: their rows, the columns with entries there, no other bounds, no objective.
  /// Names are those of the problem. (A row without entries brings the first column along, free:
  /// files hold no rows without columns.)
  LinearProgram subsystem;
  std::vector<double> farkas, farkasLow;  ///< multipliers of the subsystem's rows
  FarkasProof proof;                      ///< what verifyFarkas says of them and the subsystem

  int solves = 0;               ///< of problems with one member less
  std::int64_t iterations = 0;  ///< in all solves
  double seconds = 0.0;
  Status ending = Status::infeasible;  ///< or what ended it before all members were tried
};

/// An infeasible subsystem of `lp` from the proof that `solution` (of lp, status infeasible) has:
/// its multipliers' support, from which members are taken one after the other as long as the rest
/// stays infeasible; each solve starts from the last basis, and where it is infeasible only the
/// support of its multipliers goes on. Where `callbacks` or a limit of `options`, which holds for
/// all solves together, end that, the subsystem so far is given, which may be reducible.
///
/// Throws std::invalid_argument where the solution proves nothing, and as Solver::solve does.
/// Method: the supports of the vertices of the Farkas multipliers are the irreducible subsystems
/// (Gleeson and Ryan 1990); deletion and sensitivity filters (Chinneck and Dravnieks 1991).
InfeasibleSubsystem infeasibleSubsystem(LinearProgram const& lp, Solution const& solution,
                                        Options const& options = {},
                                        Callbacks const& callbacks = {});

}  // namespace osi_cuda
