// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

/// How far a search for integers has come. Numbers are in the problem's own sense.
struct SearchProgress {
  double seconds = 0.0;  ///< since the search began
  std::int64_t nodes = 0;
  /// Of the incumbent, the best point so far; a NaN without one.
  double objective = std::numeric_limits<double>::quiet_NaN();
  /// No point is better, says the search; infinite before it has one.
  double bound = -std::numeric_limits<double>::infinity();

  /// |objective - bound| over the larger absolute value of the two; infinite without an incumbent.
  double gap() const;
};

/// Called from the thread that called solveIntegers(), `progress` during the relaxation alone.
struct IntegerCallbacks : Callbacks {
  std::function<void(SearchProgress const&)> search;  ///< several times a second
  /// Each incumbent when it is found: its values, of length n, as the search has them.
  std::function<void(SearchProgress const&, std::span<double const> values)> incumbent;
};

/// What is known of a linear program with integer columns. Proved are
/// - the point: its integers are whole, its rows and bounds hold to the tolerance, and it is the
///   best one with these integers unless a limit came first;
/// - `solution.objectiveEnclosure`: the point's objective, rounded outward, on the one side, the
///   optimum of the relaxation on the other;
/// - infeasible where the relaxation is, or where whole numbers do not reach a bound or a side, as
///   in 10 x + 15 y = 7 (`proof` exact, with a message; preparation.hpp).
/// Claims of the search are `search.bound`, with it `optimal`, and `infeasible` where the
/// relaxation is not. They rest on Cbc's branching and bookkeeping and on Cgl's cuts, all in
/// doubles; the statuses of the linear programs in between are proved to the tolerances as any
/// other. Where one of them could not be, the status is numerical, and the bound the relaxation's.
struct IntegerSolution {
  /// Status optimal: within the gaps of the options; its `proof` is that of the point where the
  /// relaxation alone proves that no other is better by more, else none. unbounded: the relaxation
  /// is, so that the problem is where it has an integer point (Meyer 1974). iterationLimit: the
  /// node limit or the iteration limit. numerical: the search proves nothing, `message` says why;
  /// there may be a point. Duals, reduced costs, residuals and basis are those of the
  /// problem with its integers fixed. Without an incumbent the objective is a NaN. Iterations and
  /// seconds are those of everything.
  Solution solution;
  SearchProgress search;
  bool searched = false;  ///< false: the relaxation settled it, or there are no integers
  /// On what the incumbent rests; rational arithmetic where Options::exact asked for it.
  ProofGrade pointProof = ProofGrade::none;
  ExactProof pointExact;
  std::int64_t cuts = 0;    ///< made by the generators
  std::int64_t solves = 0;  ///< linear programs of the search
};

/// Minimises or maximises with the marks LinearProgram::integer kept, by branch and cut: Cbc's,
/// from a module that is opened now (cbc_module.hpp), on this project's simplex. `start`: values of
/// the integer columns to begin with, length n or empty; the others are completed, and a start
/// without a completion is left out with a notice. `basis`: where the relaxation starts. `options`
/// are those of all linear programs, and limit all of it together. Throws EngineUnavailable where
/// there is no module, with where to get it; std::invalid_argument for a start of another length;
/// and as Solver::solve does.
IntegerSolution solveIntegers(LinearProgram const& lp, Options const& options = {},
                              IntegerCallbacks const& callbacks = {},
                              std::span<double const> start = {}, Basis const& basis = {});

}  // namespace osi_cuda
