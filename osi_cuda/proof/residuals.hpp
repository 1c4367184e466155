// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

// The verifier of whole problems. It looks at the original, unscaled problem and at the point or
// certificate only, never at how it was found. Every number that it reports includes the rounding
// of its own sums: residuals are never too small, margins and gaps never too large. What overflows
// or is no number proves nothing. Formulas: proof/formulas.hpp; tolerances: proof/tolerances.hpp.
// The solver proves its own statuses here; the bridges measure other solvers with it.

namespace osi_cuda {

/// How far (columnValues, rowDuals) of `solution` are from satisfying the optimality conditions of
/// `lp`, at most. Row activities A x, reduced costs d = c - A'y and both objectives are computed
/// anew; the solution's own are not looked at. Where there are columnValuesLow and rowDualsLow, the
/// point is the exact sum of both parts.
///
/// - primal: largest b / (1 + |bound|) over the bound violations b of columns and rows.
/// - dual: largest |d_j| / (1 + |c_j|) over the wrong-signed reduced costs of columns, |y_i| over
///   the wrong-signed duals of rows. Minimising, d > 0 wants its variable at the lower bound, d < 0
///   at the upper; maximising the other way round. A sign is wrong where that bound is infinite, or
///   the variable rests (to 1e-6 relative) on the other one. Strictly between its bounds, where
///   simplex points have rounding noise for d and interior points small products, a variable counts
///   here or below, whichever is less.
/// - complementarity: |primal - dual objective| / (1 + |primal objective|). Of the reduced costs
/// that
///   were charged above those take part that are beyond the rounding of y, at variables which rest
///   on the wrong one of two finite bounds: a cost of -1e-10 matters where the box is 1e12 wide.
///   The others do not: noise times a bound of 1e10 would say nothing.
///
/// So c can be changed, nowhere by more than `dual` (1 + |c_j|), to make the primal and the dual
/// objective of the point differ by `complementarity` only.
///
/// All are infinite when a length does not fit `lp` or a number is not finite.
Residuals residualsOf(LinearProgram const& lp, Solution const& solution);

/// c'(x + low) + offset, summed in extended precision. `x` has length n, `low` too or none.
double objectiveOf(LinearProgram const& lp, std::span<double const> x,
                   std::span<double const> low = {});

/// What verifyFarkas found.
struct FarkasProof {
  bool proved = false;  ///< no point satisfies all rows and bounds
  /// min of y'r over row activities r within the row bounds, less max of (A'y)'x over x within the
  /// column bounds, at least. Positive when y separates the two; -infinity when a bound it needs is
  /// infinite.
  double gap = 0.0;
  double scale = 0.0;  ///< sum of the absolute values of the terms of the gap
  /// By so much every point violates some bound b, relative to 1 + |b|.
  double margin = 0.0;
  int crossedColumn = -1;  ///< a column whose lower bound exceeds its upper: a proof without y
  int crossedRow = -1;     ///< a row of that kind
};

/// Do the row multipliers y + yLow (length m; > 0 uses the row's lower bound, < 0 the upper; yLow
/// may be empty) prove that `lp` is infeasible? Farkas: every feasible x has y'(A x) = (A'y)'x, so
/// it is proved when the gap exceeds its rounding, `zero` scale. A (A'y)_j that needs an infinite
/// bound counts as zero up to `zero` sum_i |y_i a_ij|; a y_i never does. The sense of the objective
/// does not matter. A wrong length or a NaN proves nothing. `zero` < 0: 1e-20, or 4.5e-16 where
/// yLow is empty, and what counts as zero must not close the gap for points within proof::distant.
FarkasProof verifyFarkas(LinearProgram const& lp, std::span<double const> y,
                         std::span<double const> yLow = {}, double zero = -1.0);

/// What verifyRay found.
struct RayProof {
  bool proved = false;  ///< the objective has no bound over the feasible set
  double slope = 0.0;   ///< c'ray with max |ray| = 1; < 0 improves a minimum, > 0 a maximum
  /// Largest step of the ray towards a finite bound: of a column relative to the largest entry of
  /// the ray, of a row relative to its terms.
  double rayViolation = 0.0;
  double pointViolation = 0.0;  ///< primal residual of x
  /// While costs change by less than margin (1 + |c_j|) each, the ray improves the objective.
  double margin = 0.0;
};

/// Do the feasible point x + xLow and the direction ray + rayLow (length n; the low parts may be
/// empty) prove that `lp` is unbounded? Needed: x feasible to `feasibility` relative to 1 +
/// |bound|; along the ray no column moves towards a finite bound, be it ever so little, no row by
/// more than `zero` sum_j |a_ij ray_j|; and the objective improves by more than `zero` sum_j
/// |c_j ray_j|. A wrong length, a number that is not finite or a zero ray proves nothing. `zero` <
/// 0: as for verifyFarkas.
RayProof verifyRay(LinearProgram const& lp, std::span<double const> x, std::span<double const> ray,
                   double feasibility = 1e-6, std::span<double const> rayLow = {},
                   double zero = -1.0, std::span<double const> xLow = {});

/// What verifyBound found.
struct BoundProof {
  bool proved = false;
  double bound = 0.0;  ///< no feasible point has a better objective, in the problem's own sense
  double scale = 0.0;  ///< sum of the absolute values of its terms
};

/// Do the row multipliers y (length m) prove that no feasible point of `lp` has an objective as
/// good as `limit`? Any y bounds it: minimising, c'x >= min y'r over row activities + min (c -
/// A'y)'x over the boxes. `bound` is rounded to the safe side. A reduced cost that needs an
/// infinite bound counts as zero up to `tolerance` (1 + |c_j|), a multiplier up to `tolerance`:
/// that is, costs may be changed by as much, as for an optimum within tolerances.
BoundProof verifyBound(LinearProgram const& lp, std::span<double const> y, double limit,
                       double tolerance);

}  // namespace osi_cuda
