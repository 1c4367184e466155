// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/proof/reductions.hpp"

namespace osi_cuda::proof {

/// A point's verdict and its objective.
struct Worth {
  Verdict verdict;
  Bounded objective;
};

/// The end of verdictOf, for whoever makes the reductions another way: from the largest violation
/// of a bound, the charges of all columns and rows, and the objective.
OSI_CUDA_HD inline Worth worthOf(double primal, Charges const& charges, Bounded const& objective) {
  double const unit = 1.0 + fabs(objective.value.hi);
  double const above = charges.whole + upward(charges.wholeError);
  Worth worth{
      {primal, charges.dual, complementarityOf(charges, unit), isNumber(above) ? above : infinity},
      objective};
  if (!isNumber(unit)) worth.verdict.dual = worth.verdict.complementarity = infinity;
  return worth;
}

}  // namespace osi_cuda::proof
