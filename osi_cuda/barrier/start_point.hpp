// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/model/start_point.hpp"

namespace osi_cuda {

/// What a point to start from is worth: Euclidean norms, each beside 1 + the norm of what it is a
/// part of, as first-order methods measure them. 0 where it is not known.
struct PointResiduals {
  double primal = 0.0;  ///< violations of bounds and rows, beside those of (x, A x)
  double dual = 0.0;    ///< reduced costs for which there is no bound, beside the costs
  double gap = 0.0;     ///< |primal - dual objective| / (1 + |primal| + |dual|)

  /// Whether an optimal vertex is expected to be nearer to the point than to the slack basis.
  bool areSmall() const;
};

/// A caller's point as one of an interior point method.
struct GivenPoint {
  BarrierPoint point;        ///< for startOf (crossover.hpp); no multipliers where y was not given
  PointResiduals residuals;  ///< of the scaled problem
};

/// `start` is one of the problem that `form` was made from (findFault), and not empty.
///
/// Where only x is known, variables far from their bounds are wanted in the basis; where only y is,
/// those of small reduced costs, and the others rest where their reduced costs want them.
GivenPoint givenPoint(StandardForm const& form, StartPoint const& start);

}  // namespace osi_cuda
