// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "lab/stress/judge.hpp"

namespace osi_cuda::stress {

/// What is true of a problem, in rational arithmetic, each part checked by the judge.
struct ExactAnswer {
  bool known = false;                 ///< false: QSopt_ex gave no answer that stands up
  Status status = Status::numerical;  ///< optimal, infeasible or unbounded
  /// When infeasible: the least sum of the violations of rows, in doubles; infinite where bounds
  /// cross.
  double infeasibility = 0.0;
  /// Some direction improves the objective without limit and keeps to rows and bounds: the problem
  /// is unbounded, or would be if it were feasible.
  bool improvingRay = false;
};

/// min of the sum of the violations of rows: columns +1 and -1 for each row, no other costs.
LinearProgram leastViolation(LinearProgram lp);

// Both print and may take any time. Each runs in a process of its own, which ends with the caller.

/// Has the problem an optimum, no point, or no bound?
ExactAnswer exactAnswer(LinearProgram const& lp);

/// The optimum of a problem that has one; nothing where QSopt_ex does not find it.
std::optional<mpq_class> exactOptimum(LinearProgram const& lp);

}  // namespace osi_cuda::stress
