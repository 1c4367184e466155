// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/proof/implied_bounds.hpp"
#include "osi_cuda/proof/products.hpp"
#include "osi_cuda/proof/reductions.hpp"

namespace osi_cuda::proof {

/// What a point and its multipliers are worth.
struct Assessment {
  Residuals residuals{infinity, infinity, infinity};
  /// What they prove of the optimal value as they are: the multipliers a bound, where no reduced
  /// cost needs a bound that is infinite; the point its own value, where it violates no bound at
  /// all.
  ObjectiveEnclosure enclosure;
  Products products;  ///< empty where lengths do not fit or a number is not finite
};

/// A point's worth as residuals and what they prove of the optimal value; without products.
Assessment assessmentOf(Sense sense, Worth const& worth);

/// See residualsOf.
Assessment assess(LinearProgram const& lp, Solution const& solution);

/// What row multipliers prove of the objective of all points of `lp`, in its own sense, where a
/// reduced cost of the size of rounding that needs an infinite bound takes the finite one that rows
/// imply there (Jansson 2004). Infinite where they prove nothing.
double boundOf(LinearProgram const& lp, std::span<double const> y, ImpliedBounds const& bounds);

/// The end of the enclosure that x itself proves; infinite where it violates a bound.
double valueOf(LinearProgram const& lp, std::span<double const> x);

/// The primal residual of x.
double primalResidual(LinearProgram const& lp, Parts const& x, BoundedVector const& activity);

/// c'x + offset
Bounded objectiveOf(LinearProgram const& lp, Parts const& x);

/// Sets to zero the entries of a ray, of length n, that approach a finite bound of their column by
/// no more than `share` of the largest entry: rounding of solves, which verifyRay does not excuse.
/// `rayLow` is empty or of the same length.
void clearRounding(LinearProgram const& lp, double share, std::vector<double>& ray,
                   std::vector<double>& rayLow);

}  // namespace osi_cuda::proof
