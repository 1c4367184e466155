// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>

#include "osi_cuda/search/request.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

/// What is known of a linear program with integer columns. Proved are
/// - the point: its integers are whole, its rows and bounds hold to the tolerance, and it is the
///   best one with these integers unless a limit came first;
/// - `solution.objectiveEnclosure`: the point's objective, rounded outward, on the one side, the
///   optimum of the relaxation on the other;
/// - infeasible where the relaxation is, or where whole numbers do not reach a bound or a side, as
///   in 10 x + 15 y = 7 (`proof` exact, with a message; preparation.hpp).
/// With Cbc, `search.bound`, with it `optimal`, and `infeasible` where the relaxation is not are
/// claims of the search, unless the own search confirms them. They rest on Cbc's branching and
/// bookkeeping and on Cgl's cuts, all in doubles; the statuses of the linear programs in between
/// are proved to the tolerances as any other. Where one of them could not be, the status is
/// numerical, and the bound the relaxation's. The own search proves all three.
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
  bool own = false;       ///< searched by this library's own branch and bound
  /// `search.bound` holds without trust in the search: each leaf of its `search.nodes` nodes is
  /// closed by a proof (search/tree_search.hpp), or the relaxation alone closes the gap.
  bool boundIsProved = false;
  /// On what the incumbent rests; rational arithmetic where Options::exact asked for it.
  ProofGrade pointProof = ProofGrade::none;
  ExactProof pointExact;
  /// Nodes of the own search that proved the bound which Cbc had claimed; 0: it did not.
  std::int64_t confirmedBy = 0;
  std::int64_t cuts = 0;    ///< made by the generators
  std::int64_t solves = 0;  ///< linear programs of the search
};

/// Minimises or maximises with LinearProgram::integer and ::choices kept: by Cbc's branch and cut,
/// from a module that is opened now (cbc_module.hpp), on this project's simplex, or by an own
/// branch and bound (search/tree_search.hpp). Options::search chooses. Automatic is the own one
/// where the module is missing, for certificates and checkpoints of trees, and on dense rows; Cbc
/// takes over what it cannot finish. Choices are for the own one alone. Elsewhere it is Cbc, and
/// the own search then tries to prove Cbc's claim in twice the seconds that Cbc took, at least one
/// and at most ten. A point that refutes the claim makes the own search go on. `start`: values of
/// the integer columns to begin with, length n or empty; the others are completed, and a start
/// without a completion is left out with a notice. `basis`: where the relaxation starts. `resume`:
/// where the own search goes on, or null. `options` are those of all linear programs, and limit all
/// of it together. Throws EngineUnavailable where Cbc is asked for and there is no module, with
/// where to get it; std::invalid_argument for a start of another length, a `resume` of other gaps
/// or too many nodes, and choices with Cbc or a certificate of the tree; and as Solver::solve does.
IntegerSolution solveIntegers(LinearProgram const& lp, Options const& options = {},
                              IntegerCallbacks const& callbacks = {},
                              std::span<double const> start = {}, Basis const& basis = {},
                              search::SavedSearch const* resume = nullptr);

}  // namespace osi_cuda
