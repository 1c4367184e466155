// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "osi_cuda/cost/cost_model.hpp"

namespace osi_cuda {

/// Seconds of a sparse problem by those of an iteration, which are its normal matrix's. The method
/// with its crossover takes 30 iterations' time. All pivots: whatever fills L in bounds what fills
/// a basis in (George and Ng 1985), and their number grows with the sides, too; half of the
/// problems that this was fitted on take between a half and twice as long. The other third agrees.
inline double insideSeconds(double ofIteration) {
  return 30.0 * ofIteration;
}
inline double pivotsSeconds(double ofIteration) {
  return 290.0 * std::pow(ofIteration, 1.24);
}

/// Pivots that come before an interior point method. They go on as long as, at their pace, all will
/// have taken less than that method with its crossover: 1.2 of the smaller number of rows and
/// columns are usual (Dantzig 1963), or half as many as were made. Those of networks pass over
/// short lines that lie in the cache, in half of the counted time. Where there are more than usual
/// for such sides it counts in full, and twice as many as were made are expected.
class PivotTrial {
 public:
  /// `iterationSeconds`: of the interior point method.
  PivotTrial(Shape const& shape, double iterationSeconds, bool network);
  /// Whether to give up after so many pivots, which took so many seconds by their counted work.
  bool over(std::int64_t pivots, double work) const;

 private:
  double expected_, many_;  ///< pivots
  double const barrier_;    ///< seconds
  double const counted_;    ///< seconds of a counted one
};

}  // namespace osi_cuda
