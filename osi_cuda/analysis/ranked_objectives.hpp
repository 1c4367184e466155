// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

/// By how much an objective may become worse than its optimum for later ones.
struct Loss {
  double amount = 0.0;    ///< >= 0
  bool relative = false;  ///< times |optimum|
  double of(double optimum) const;
};

/// One of several objectives.
struct RankedObjective {
  std::string name;
  Sense sense = Sense::minimize;
  std::vector<double> costs;  ///< length n
  double offset = 0.0;
  Loss loss;
};

/// The result of one objective.
struct Rank {
  double optimum = 0.0;  ///< given the objectives before it
  double value = 0.0;    ///< at the end: of the solution's columnValues
  /// By so much `value` is worse than the optimum and the loss together allow, beyond the rounding
  /// of its sum: what the tolerances of the later solves leave.
  double excess = 0.0;
  std::int64_t iterations = 0;
  double seconds = 0.0;
};

struct RankedSolution {
  /// Of the last objective that was solved, in the terms of the problem: values and activities, and
  /// the duals of that objective's own problem, in which the ones before it are held. The basis is
  /// empty where the point is no vertex of the problem, as a loss can make it.
  Solution solution;
  std::vector<Rank> ranks;  ///< those that have an optimum, in their order
};

/// Lexicographic optimisation: each objective is optimised among the points where the earlier ones
/// are within their losses of their optima. Each solve starts from the last basis. With a loss a
/// row is added. Without one the optima of an objective are the points where every variable with a
/// reduced cost rests on its bound: those with a clear reduced cost are fixed there at once. A
/// small one is told from rounding by what it does: where a later optimum, or a ray, makes an
/// earlier objective worse, the variables whose reduced costs account for that are fixed, too, and
/// the solve is made again from the same basis; where they can't be told from rounding, a row holds
/// the objective.
///
/// Ends with the first objective that has no optimum, whose status is the solution's; `options`
/// limits all of it together. Throws std::invalid_argument for costs of another length and for a
/// negative loss, and as Solver::solve does.
RankedSolution solveByRank(LinearProgram const& lp, std::span<RankedObjective const> objectives,
                           Options const& options = {}, Callbacks const& callbacks = {},
                           Basis const& start = {});

}  // namespace osi_cuda
