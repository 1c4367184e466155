// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "osi_cuda/barrier/crossover.hpp"
#include "osi_cuda/budget.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/simplex/callbacks.hpp"

namespace osi_cuda {

/// What an interior point method left behind.
struct BarrierOutcome {
  CrossoverStart start;  ///< for the simplex method, unless `last` says that all is done
  std::optional<Solution> last;
  int iterations = 0;
  double seconds = 0.0;
};

/// Runs it on a problem that `barrier` has loaded, within the budget; `pivotSeconds`: what a pivot
/// after it takes, about. `last` is set where a limit
/// was reached, or where the interior solution itself was asked for and stands up to the judge.
BarrierOutcome runBarrier(Barrier& barrier, LinearProgram const& lp, StandardForm const& form,
                          Options const& options, Callbacks const& callbacks, Budget& budget,
                          double pivotSeconds);

}  // namespace osi_cuda
