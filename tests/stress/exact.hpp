// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "tests/stress/judge.hpp"

namespace osi_cuda::stress {

/// What is true of a problem, in rational arithmetic, each part checked by the judge.
struct ExactAnswer {
  bool known = false;                 ///< false: QSopt_ex gave no answer that stands up
  Status status = Status::numerical;  ///< optimal, infeasible or unbounded
  mpq_class objective;                ///< when optimal
  /// When infeasible: the least sum of the violations of rows, in doubles.
  double infeasibility = 0.0;
  /// Some direction improves the objective without limit and keeps to rows and bounds: the problem
  /// is unbounded, or would be if it were feasible.
  bool improvingRay = false;
};

/// Solves with QSopt_ex. Prints; may take any time, or crash: to be called in a process that can be
/// ended.
ExactAnswer solveExactly(LinearProgram const& lp);

}  // namespace osi_cuda::stress
