// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "tests/support/random.hpp"

/// Problems whose status depends on tolerances.
namespace osi_cuda::testing {

struct EdgeProblem {
  std::string family;
  LinearProgram lp;
  double tolerance = 0.0;  ///< primal and dual tolerance of the solves
  /// The problem is infeasible, or unbounded, by so many times the tolerance, relative to 1 +
  /// |bound| or 1 + |cost|: below 1 a point within the tolerance is optimal.
  double times = 0.0;
  Status beyond = Status::infeasible;  ///< its status above 1

  Status right() const { return times < 1.0 ? Status::optimal : beyond; }
};

/// A random problem of one of seven families, `times` between 1e-3 and 1e3, but not within 10 % of
/// 1: what is left of the tolerance there is rounding.
EdgeProblem edgeProblem(Random& random);

}  // namespace osi_cuda::testing
