// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/solve/solver.hpp"

/// How far costs, right-hand sides and bounds can be changed, one at a time, before another basis
/// is optimal; see docs/guide/analysis.md.
namespace osi_cuda {

/// What there is on the far side of an end.
enum class Beyond {
  nothing,     ///< the interval has no end here
  otherBasis,  ///< an optimum with another basis, or another solution of this one
  infeasible,
  unbounded
};

/// The words of files and JSON: "nothing", "other basis", "infeasible", "unbounded".
char const* toString(Beyond beyond);

/// One end of an interval. Variable j < n is column j, variable n + i row i; -1: none.
struct RangeEnd {
  double at = 0.0;         ///< the cost or bound itself, may be infinite
  double objective = 0.0;  ///< the optimum there, in the problem's own sense; may be infinite
  /// Of a cost: what its column is worth at the next vertex; of a bound: what its variable is.
  double value = 0.0;
  int leaves = -1;  ///< the basic variable that makes room; the entering one itself: it flips
  int enters = -1;  ///< the nonbasic variable that takes the place
  Beyond beyond = Beyond::nothing;
};

/// The interval of one number in which the basis stays optimal, both ends included.
struct Range {
  double present = 0.0;  ///< the number as it is; a bound may be infinite
  double price = 0.0;    ///< by how much the objective rises for a unit of it, in this basis
  /// The same below and above of the present number, whatever basis is optimal there: the two
  /// one-sided derivatives of the optimum. NaN where this basis does not tell; addOneSidedPrices
  /// fills that in. Infinite where there is no optimum on that side.
  double priceBelow = 0.0, priceAbove = 0.0;
  RangeEnd low, high;
};

/// All intervals of an optimal basis. A row or column whose bounds are equal has one number, which
/// stands on both sides and moves both: an equation's right-hand side.
struct Ranging {
  Solution point;                  ///< the vertex, solved anew from the basis
  std::vector<Range> costs;        ///< length n
  std::vector<Range> rowCosts;     ///< length m: a price, now 0, on the activity of a row
  std::vector<Range> columnLower;  ///< length n
  std::vector<Range> columnUpper;  ///< length n
  std::vector<Range> rowLower;     ///< length m
  std::vector<Range> rowUpper;     ///< length m

  /// Basic variables that rest on a bound: another basis may have the same vertex, other intervals
  /// and other prices.
  std::vector<int> degenerate;
  /// Nonbasic variables, not fixed ones, with a reduced cost of zero: there may be other optima.
  std::vector<int> indifferent;
};

/// The intervals of `solver`'s present basis, from one pass over the tableau. Where rational
/// arithmetic is quick, the basis is proved optimal first; one that is that within tolerances only
/// is replaced by the optimal one, and all numbers that decide are exact. Nothing: `callbacks` or
/// the time limit of `options` ended it. Throws std::invalid_argument with a message where that
/// basis is not optimal within the tolerances of `options`, and as Solver::solve does. Method: Gal,
/// Postoptimal Analyses (1979), chapters 3 and 4; the pivots at the ends are those of the
/// textbook's primal and dual ratio tests.
std::optional<Ranging> ranging(Solver& solver, Options const& options = {},
                               Callbacks const& callbacks = {});

/// Fills in the prices that the basis does not tell: for each side of each bound one more solve, of
/// the problem of directions at the vertex, from the same basis. There a unit step costs exactly
/// the one-sided derivative (linear programming duality: the largest or least price among all
/// optimal ones), so no step size is chosen. False: it was interrupted.
bool addOneSidedPrices(Ranging& ranging, LinearProgram const& lp, Options const& options = {},
                       Callbacks const& callbacks = {});

}  // namespace osi_cuda
