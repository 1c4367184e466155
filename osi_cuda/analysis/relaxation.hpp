// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/analysis/side.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

enum class RelaxationGoal {
  sum,   ///< the least total of all violations
  count  ///< few violated sides
};

enum class Relaxed { rows, bounds, both };

/// By how much a point violates a side, in the units of the problem.
struct Violation {
  Side side;
  double amount = 0.0;
};

struct Relaxation {
  /// optimal: there is a point; infeasible: the sides that may not be relaxed contradict each
  /// other; or what ended it.
  Status status = Status::numerical;
  double total = 0.0;  ///< of the violations below
  /// With the goal `sum`: no point has a smaller total, proved by the duals of the first solve with
  /// all rounding; in rational arithmetic where that is quick.
  double totalLower = 0.0;
  /// At the point, rows first, in their order; none is below what it is. Those up to 1e-9 (1 +
  /// |bound|) are left out where they come to no more than 1e-7 (1 + total) together.
  std::vector<Violation> violations;
  /// The point: the best one of the problem's own objective that violates only these sides and by
  /// no more in total, if that has an optimum; else any such point.
  std::vector<double> columnValues, rowActivity;
  double objective = 0.0;
  bool objectiveIsOptimal = false;
  /// With the goal `sum`: all violations at the point, those left out included, exceed totalLower
  /// by no more than 1e-7 (1 + total).
  bool leastTotal = false;
  int solves = 0;
  std::int64_t iterations = 0;
  double seconds = 0.0;
};

/// Feasibility relaxation of `lp`: an elastic variable for each side of the rows, the bounds, or
/// both. For the count the elastic variables are reweighted by their values, so that small ones
/// vanish (Candes, Wakin and Boyd 2008), and each violated side is then tried without: no single
/// side can be spared, but another choice may be smaller. A feasible problem has no violations.
Relaxation relax(LinearProgram const& lp, RelaxationGoal goal, Relaxed relaxed,
                 Options const& options = {}, Callbacks const& callbacks = {});

}  // namespace osi_cuda
