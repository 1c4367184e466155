// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

// Judges of an answer: they look at the original, unscaled problem and at the point or certificate
// only, never at how it was found, and compute in extended precision (long double). The solver
// proves its own statuses with them; the bridges measure other solvers with them.

namespace osi_cuda {

/// Distance, relative to 1 + |bound|, within which a variable counts as resting on a bound.
inline constexpr double atBoundTolerance = 1e-6;

/// How far (columnValues, rowDuals) of `solution` are from satisfying the optimality conditions of
/// `lp`. Row activities A x, reduced costs d = c - A'y and both objectives are computed anew; the
/// solution's own are not looked at.
///
/// - primal: largest b / (1 + |bound|) over the bound violations b of columns and rows.
/// - dual: largest |d_j| / (1 + |c_j|) over the wrong-signed reduced costs of columns, |y_i| over
///   the wrong-signed duals of rows. Minimising, d > 0 wants its variable at the lower bound, d < 0
///   at the upper; maximising the other way round. A sign is wrong where that bound is infinite, or
///   the variable rests (within atBoundTolerance) on the other one. Strictly between its bounds,
///   where simplex points have rounding noise for d and interior points small products, a variable
///   counts here or below, whichever is less.
/// - complementarity: |primal - dual objective| / (1 + |primal objective|), without the reduced
///   costs that were charged above: their noise times a bound of 1e10 would say nothing.
///
/// So c can be changed, nowhere by more than `dual` (1 + |c_j|), to make the primal and the dual
/// objective of the point differ by `complementarity` only.
///
/// All are infinite when a length does not fit `lp` or a number is not finite.
Residuals residualsOf(LinearProgram const& lp, Solution const& solution);

/// c'x + offset, summed in extended precision. `x` has length n.
double objectiveOf(LinearProgram const& lp, std::span<double const> x);

/// What verifyFarkas found.
struct FarkasProof {
  bool proved = false;  ///< no point satisfies all rows and bounds
  /// min of y'r over row activities r within the row bounds, less max of (A'y)'x over x within the
  /// column bounds. Positive when y separates the two; -infinity when a bound it needs is infinite.
  double gap = 0.0;
  double scale = 0.0;      ///< sum of the absolute values of the terms of the gap
  int crossedColumn = -1;  ///< a column whose lower bound exceeds its upper: a proof without y
  int crossedRow = -1;     ///< a row of that kind
};

/// Do the row multipliers y (length m, > 0 uses the row's lower bound, < 0 the upper) prove that
/// `lp` is infeasible? Farkas: every feasible x has y'(A x) = (A'y)'x, so it is proved when the gap
/// exceeds 1e-9 scale. A (A'y)_j that needs an infinite bound counts as zero up to
/// 1e-9 sum_i |y_i a_ij|; a y_i that does is set to zero up to 1e-9 max |y|. The sense of the
/// objective does not matter. A wrong length or a NaN proves nothing.
FarkasProof verifyFarkas(LinearProgram const& lp, std::span<double const> y);

/// What verifyRay found.
struct RayProof {
  bool proved = false;          ///< the objective has no bound over the feasible set
  double slope = 0.0;           ///< c'ray with max |ray| = 1; < 0 improves a minimum, > 0 a maximum
  double rayViolation = 0.0;    ///< largest step of the ray towards a finite bound, relative
  double pointViolation = 0.0;  ///< primal residual of x
};

/// Do the feasible point x and the direction `ray` (both length n) prove that `lp` is unbounded?
/// Needed: x feasible to `feasibility` relative to 1 + |bound|; along the ray, scaled to
/// max |ray| = 1, no column moves towards a finite bound by more than 1e-9, no row by more than
/// 1e-9 sum_j |a_ij ray_j|; and the objective improves by more than 1e-9 sum_j |c_j ray_j|.
/// A wrong length, a number that is not finite or a zero ray proves nothing.
RayProof verifyRay(LinearProgram const& lp, std::span<double const> x, std::span<double const> ray,
                   double feasibility = 1e-6);

}  // namespace osi_cuda
