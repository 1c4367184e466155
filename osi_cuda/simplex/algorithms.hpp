// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/pivot_runs.hpp"

namespace osi_cuda {

/// The two algorithms as sequences of phases. A start that does not suit one is made feasible for
/// once by other bounds or costs, and the other one finishes. Where the options name an algorithm,
/// it has a phase 1 of its own instead.
class Algorithms : SharedParts {
 public:
  Algorithms(SharedParts const& parts, PivotRuns& runs) : SharedParts(parts), runs_(runs) {}

  /// Runs an algorithm from the engine's present point, with its measure, until it claims
  /// something.
  Claim run(Algorithm algorithm, Measure const& present) {
    return algorithm == Algorithm::primal ? runPrimal(present) : runDual(present);
  }

 private:
  Claim runPrimal(Measure present);
  Claim runRelaxedPrimal();
  Claim runDual(Measure present);
  Claim runModifiedDual();
  Claim runBoxedDual();
  /// With the problem's own bounds and costs.
  Measure restored() {
    problem_.restore();
    return measure();
  }

  PivotRuns& runs_;
  /// That was tried; once a solve each.
  bool relaxed_ = false, modified_ = false, boxed_ = false;
};

}  // namespace osi_cuda
