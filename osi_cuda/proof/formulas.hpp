// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/proof/bounded.hpp"
#include "osi_cuda/proof/tolerances.hpp"

/// What makes an answer a proof, column by column and row by row, for whole problems and for the
/// small ones of a batch, on host and device. Nothing here knows how an answer was found. Each
/// formula takes numbers with a bound of their rounding and returns one that includes its own:
/// residuals are never reported too small, margins never too large. What is no number fails.
///
/// A proof is made of a reduction over columns and one over rows. Whoever has the data writes
///
///     Charges sums = combine(reduce columns by chargeCosts..., reduce rows by chargeCosts...)
///
/// with the accumulators' combine(), which is associative but for rounding, which they bound.
namespace osi_cuda::proof {

// ---- the point ----------------------------------------------------------------------------------

/// Bounds that no number satisfies, by more than rounding; with `share`, by more than that of 2 +
/// both.
OSI_CUDA_HD inline bool boundsCross(double lower, double upper, double share = 0.0) {
  if (lower == infinity || upper == -infinity) return true;
  if (!isNumber(lower) || !isNumber(upper)) return false;
  double const both = fabs(lower) + fabs(upper), by = lower - upper;
  return by > crossing * both && by > share * (2.0 + both);
}

/// value - bound in one double, and how far it is from that.
struct Distance {
  double value = 0.0, error = 0.0;
};
OSI_CUDA_HD inline Distance distanceOf(Bounded const& value, double bound) {
  DoubleDouble const s = double_double::twoSum(value.value.hi, -bound);
  double const rest = double_double::plainSum(s.lo, value.value.lo);
  double const d = double_double::plainSum(s.hi, rest);
  return {d, upward(value.error + 0x1p-52 * fabs(rest) + 0x1p-52 * fabs(d))};
}

/// How far a value lies beyond a bound on the side `side` (1: above, -1: below), at most, relative
/// to 1 + |bound|.
OSI_CUDA_HD inline double excess(Bounded const& value, double bound, double side) {
  DoubleDouble const s = double_double::twoSum(value.value.hi, -bound);
  double const rest = double_double::plainSum(s.lo, value.value.lo);
  // Where one of them is zero their sum is exact, and one rounding more changes no sign.
  double const slack = s.lo != 0.0 && value.value.lo != 0.0 ? 0x1p-52 * fabs(rest) : 0.0;
  double const most =
      side * double_double::plainSum(s.hi, rest) + (slack + value.error * (1.0 + 0x1p-20));
  if (most <= 0.0) return 0.0;
  double const relative = justAbove(most / (1.0 + fabs(bound)));
  return isNumber(relative) ? relative : infinity;
}

/// The largest violation of a bound, relative to 1 + |bound|.
OSI_CUDA_HD inline double violationOf(Bounded const& value, double lower, double upper) {
  if (!(lower < infinity) || !(upper > -infinity) || !value.isNumber()) return infinity;
  // Well inside, or a double within its bounds; rounding changes no comparison with a double.
  double const x = value.value.hi, off = 2.0 * (value.error + fabs(value.value.lo));
  if (off == 0.0 ? x >= lower && x <= upper : x - off > lower && x + off < upper) return 0.0;
  double const below = x - off > lower ? 0.0 : excess(value, lower, -1.0);
  double const above = x + off < upper ? 0.0 : excess(value, upper, 1.0);
  return worse(below, above);
}

OSI_CUDA_HD inline bool restsOn(double bound, double value) {
  return isNumber(bound) && fabs(value - bound) <= atBound * (1.0 + fabs(bound));
}

// ---- optimality ---------------------------------------------------------------------------------

/// Reduced costs, charged to the dual residual or to the gap between the objectives.
struct Charges {
  double gap = 0.0;       ///< what goes to complementarity
  double gapError = 0.0;  ///< how far that is off, but for upward()
  double dual = 0.0;      ///< dual residual
  /// c'x less the least that c'x can be where rows and bounds hold, as far as the multipliers prove
  /// it; infinite where a reduced cost needs a bound that is not there.
  double whole = 0.0;
  double wholeError = 0.0;
  double primal = 0.0;  ///< the largest violation of a bound
};
OSI_CUDA_HD inline Charges combine(Charges const& a, Charges const& b) {
  double const gap = a.gap + b.gap, whole = a.whole + b.whole;
  return {gap,   a.gapError + b.gapError + 0x1p-53 * fabs(gap),       worse(a.dual, b.dual),
          whole, a.wholeError + b.wholeError + 0x1p-53 * fabs(whole), worse(a.primal, b.primal)};
}

/// One variable's part, of the minimisation problem; `gapUnit` is 1 + |objective|. A reduced cost
/// d > 0 wants its variable at the lower bound, d < 0 at the upper.
///
/// - At the bound that is wanted, |d| times the distance to it goes to the gap.
/// - At the other one, |d| / (1 + |cost|) is a dual residual. Where the bound that is wanted is
///   finite and |d| exceeds rounding(), what the multipliers' rounding explains, d times the width
///   of the box goes to the gap as well: so much the objective can improve.
/// - Between the bounds the smaller of the two charges applies: simplex points have rounding noise
///   for d there, interior points small products.
template <class Rounding>
OSI_CUDA_LOOP inline void charge(Charges& charges, Bounded const& reducedCost, Bounded const& value,
                                 double lower, double upper, double cost, double gapUnit,
                                 Rounding const& rounding) {
  if (reducedCost.isZero()) return;
  double const unit = 1.0 + fabs(cost), size = reducedCost.most(), d = reducedCost.value.hi;
  if (!isNumber(size) || !value.isNumber()) {
    charges.dual = infinity;
    return;
  }
  bool const known = reducedCost.hasSign();
  double const wanted = d > 0.0 ? lower : upper, other = d > 0.0 ? upper : lower;
  bool const bounded = isNumber(wanted);
  // Most variables rest on their bounds to the last bit.
  if (known && value.value.hi == wanted && value.value.lo == 0.0 && value.error == 0.0) return;
  // A violated bound is charged as primal residual; here it counts as rested on, so that a fixed
  // variable, for which every sign is right, stays right when it is missed by a little; so is one
  // whose bounds cross.
  double const x = value.value.hi;
  double const inside = lower > upper ? wanted : x < lower ? lower : x > upper ? upper : x;
  bool const atOther = restsOn(other, inside);
  Distance const distance = bounded ? distanceOf(value, wanted) : Distance();
  double const part = d * distance.value;
  double const off = size * distance.error + reducedCost.error * fabs(distance.value) +
                     0x1p-51 * fabs(part) + 0x1p-1060;
  bool const small = bounded && fabs(part) * unit <= fabs(d) * gapUnit;
  bool const toGap = known && (restsOn(wanted, inside) || (!atOther && small));
  if (!toGap) charges.dual = worse(charges.dual, justAbove(size / unit));
  bool const wide = known && atOther && bounded && fabs(d) > rounding();
  Charges own;
  if (toGap || wide) own = {part, off};
  if (known && bounded) {
    own.whole = part;
    own.wholeError = off;
  } else if (!known && bounded && isNumber(other)) {  // the worse of two bounds
    own.wholeError = size * (worse(fabs(x - lower), fabs(x - upper)) * (1.0 + 0x1p-40) +
                             fabs(value.value.lo) + value.error) +
                     0x1p-1060;
  } else {
    own.whole = infinity;
  }
  charges = combine(charges, own);
}

/// |gap| / gapUnit at most
OSI_CUDA_HD inline double complementarityOf(Charges const& charges, double gapUnit) {
  double const relative = justAbove((fabs(charges.gap) + upward(charges.gapError)) / gapUnit);
  return isNumber(relative) ? relative : infinity;
}

// ---- bounds of linear functions over boxes ------------------------------------------------------

/// The sum of the least values of  f_k v_k  over boxes  lower_k <= v_k <= upper_k.
///
/// Every x that satisfies rows and bounds has  y'(A x) - (A'y)'x = 0  for any y. So the problem is
/// infeasible where the least value of  y'r - (A'y)'x  over row activities r and columns x within
/// their bounds is positive (Farkas); and with factors  c - A'y  and  y  the sum bounds c'x from
/// below (Neumaier and Shcherbina 2004; Jansson 2004).
struct BoxSums {
  Bounded least;
  double scale = 0.0;      ///< the absolute values of the terms, summed
  double reach = 0.0;      ///< by so much the sum falls if every bound b is relaxed by 1 + |b|
  double broken = 0.0;     ///< > 0: it needs a bound that is infinite
  double neglected = 0.0;  ///< factors that counted as zero, summed
};
OSI_CUDA_HD inline BoxSums combine(BoxSums const& a, BoxSums const& b) {
  return {a.least + b.least, a.scale + b.scale, a.reach + b.reach, worse(a.broken, b.broken),
          a.neglected + b.neglected};
}

/// Adds the term of one factor. One that needs an infinite bound counts as zero up to zero().
template <class Zero>
OSI_CUDA_LOOP inline void addTerm(BoxSums& sums, Bounded const& factor, double lower, double upper,
                                  Zero const& zero) {
  if (factor.isZero()) return;
  double const size = factor.most(), f = factor.value.hi;
  bool const known = factor.hasSign();
  double const at = f > 0.0 ? lower : upper, other = f > 0.0 ? upper : lower;
  if (!isNumber(size)) {
    sums.broken = infinity;
  } else if (isNumber(at) && (known || isNumber(other))) {
    Bounded const term =
        known ? factor * Bounded(at) : Bounded(0.0, upward(size * worse(fabs(at), fabs(other))));
    sums.least = sums.least + term;
    sums.scale += term.most();
    sums.reach += size * (1.0 + worse(fabs(at), known ? 0.0 : fabs(other)));
  } else if (size <= zero()) {
    sums.neglected += size;
  } else {
    sums.broken = worse(sums.broken, 1.0);
  }
}

/// A double that is not above what `value` may stand for; the nearest one where that is known.
OSI_CUDA_HD inline double roundedDown(Bounded const& value) {
  if (!value.isNumber()) return -infinity;
  bool const off = value.error > 0.0;
  DoubleDouble const end = off ? value.value - DoubleDouble(upward(value.error)) : value.value;
  if (!isNumber(end.hi) || !isNumber(end.lo)) return -infinity;
  bool const below = end.lo < (off ? 0x1p-90 * fabs(end.hi) : 0.0);
  return below || (off && end.hi == 0.0) ? nextafter(end.hi, -infinity) : end.hi;
}
OSI_CUDA_HD inline double roundedUp(Bounded const& value) {
  return -roundedDown(-value);
}

/// Not above the true sum; -infinity where there is none.
OSI_CUDA_HD inline double lowerEnd(BoxSums const& sums) {
  return sums.broken > 0.0 ? -infinity : roundedDown(sums.least);
}

/// The margin of Farkas multipliers: every point violates some bound b by at least margin
/// (1 + |b|), unless a variable whose factor counted as zero is beyond `distant`. 0 where they
/// prove nothing: the sum has to exceed `zero` of its terms.
OSI_CUDA_HD inline double farkasMargin(BoxSums const& sums, double zero) {
  double const least = lowerEnd(sums) - upward(distant * sums.neglected);
  if (!(least > 0.0) || !(least > upward(zero * sums.scale))) return 0.0;
  return sums.reach > 0.0 ? least / upward(sums.reach) * (1.0 - 0x1p-40) : infinity;
}

// ---- rays ---------------------------------------------------------------------------------------

/// The sums of a proof by a ray.
struct RaySums {
  Bounded slope;           ///< c'ray, in the problem's own sense
  double scale = 0.0;      ///< the absolute values of its terms, summed
  double reach = 0.0;      ///< sum of |ray_j| (1 + |c_j|)
  double violation = 0.0;  ///< largest step of a row towards a finite bound, relative to its terms
  double blocked = 0.0;    ///< > 0: a column moves towards a finite bound, or is no number
};
OSI_CUDA_HD inline RaySums combine(RaySums const& a, RaySums const& b) {
  return {a.slope + b.slope, a.scale + b.scale, a.reach + b.reach, worse(a.violation, b.violation),
          worse(a.blocked, b.blocked)};
}

/// Whether a step leads towards a finite bound.
OSI_CUDA_HD inline bool approaches(double step, double lower, double upper) {
  return step > 0.0 ? upper < infinity : step < 0.0 ? lower > -infinity : step != 0.0;
}

/// A column's own step. Along a ray no column may approach a finite bound, however slowly.
OSI_CUDA_HD inline void addStep(RaySums& sums, DoubleDouble const& step, double cost, double lower,
                                double upper) {
  if (step.hi == 0.0 && step.lo == 0.0) return;
  if (!isNumber(step.hi) || !isNumber(step.lo) || approaches(step.hi, lower, upper))
    sums.blocked = worse(sums.blocked, fabs(step.hi));
  Bounded const term = Bounded(step) * Bounded(cost);
  sums.slope = sums.slope + term;
  sums.scale += term.most();
  sums.reach += fabs(step.hi) * (1.0 + fabs(cost));
}

/// A row's step, and the absolute values of its terms, summed.
OSI_CUDA_HD inline void addRowStep(RaySums& sums, Bounded const& step, double terms, double lower,
                                   double upper) {
  if (step.isZero()) return;
  if (!step.isNumber() || !isNumber(terms)) {
    sums.violation = infinity;
    return;
  }
  bool const towards =
      step.hasSign() ? approaches(step.value.hi, lower, upper) : isNumber(lower) || isNumber(upper);
  if (towards) sums.violation = worse(sums.violation, upward(step.most() / terms));
}

/// While costs change by less than margin (1 + |c_j|), the ray improves the objective. 0 where it
/// proves nothing: no column may be blocked, rows up to `zero` of their terms only, and the
/// objective has to improve by more than `zero` of its terms. `sign` -1: maximise.
OSI_CUDA_HD inline double rayMargin(RaySums const& sums, double sign, double zero) {
  double const gain = -sign * sums.slope.value.hi * (1.0 - 0x1p-40) - upward(sums.slope.error);
  if (sums.blocked > 0.0 || !(sums.violation <= zero) || !(gain > 0.0) ||
      !(gain > upward(zero * sums.scale)))
    return 0.0;
  return gain / upward(sums.reach) * (1.0 - 0x1p-40);
}

}  // namespace osi_cuda::proof
