// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/cost/cost_model.hpp"

namespace osi_cuda {

/// Iterations of an interior point method that stand beside all pivots of a sparse problem
/// (docs/evidence/sparse.md).
inline constexpr double barrierIterations = 20.0;

/// Pivots that come before an interior point method. They go on as long as, at the pace of the last
/// ones, all will have taken less than that method with its crossover: 1.2 of the smaller number of
/// rows and columns are usual (Dantzig 1963), or half as many as were made. Those of networks pass
/// over short lines that lie in the cache, in a third of the counted time; where there are more
/// than usual for so many columns, it counts in full.
class PivotTrial {
 public:
  /// `iterationSeconds`: of the interior point method.
  PivotTrial(Shape const& shape, double iterationSeconds, bool network);
  /// Whether to give up after so many pivots, which took so many seconds by their counted work.
  bool over(std::int64_t pivots, double work);

 private:
  double const expected_, many_;  ///< pivots
  double const barrier_;          ///< seconds
  double const counted_;          ///< seconds of a counted one
  double pivots_ = 0.0, work_ = 0.0;
  double pace_ = 0.0;  ///< of the last ones, seconds each
};

}  // namespace osi_cuda
