// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "osi_cuda/solver.hpp"

namespace osi_cuda {

/// By how much an objective may get worse for the sake of later ones.
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

/// What became of one objective.
struct Rank {
  double optimum = 0.0;  ///< given the objectives before it
  double value = 0.0;    ///< at the end
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

/// Optimises the objectives one after the other, each among the points where the ones before are
/// within their losses of their optima. Each solve starts from the last basis. Without a loss the
/// optima of an objective are the points where every variable with a reduced cost rests on its
/// bound, so these are fixed there; else a row is added. Ends with the first objective that has no
/// optimum, whose status is the solution's; `options` limits all of it together. Throws
/// std::invalid_argument for costs of another length and for a negative loss, and as Solver::solve
/// does.
RankedSolution solveByRank(LinearProgram const& lp, std::span<RankedObjective const> objectives,
                           Options const& options = {}, Callbacks const& callbacks = {},
                           Basis const& start = {});

}  // namespace osi_cuda
