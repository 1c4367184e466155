// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/pairs.hpp"
#include "osi_cuda/batch/small_problem.hpp"
#include "osi_cuda/proof/tolerances.hpp"

/// The judge of proof/residuals.hpp for the problems of a batch, in pairs of doubles: it looks at
/// the problem as it was given and at the point or certificate only. The definitions are those of
/// residualsOf, verifyFarkas and verifyRay; the functions here judge one column or row each.
namespace osi_cuda::batch {

OSI_CUDA_HD inline bool isNumber(double x) {
  return fabs(x) < infinity;
}

/// How a point or a certificate came off.
struct Verdict {
  double primal = infinity, dual = infinity, complementarity = infinity;

  OSI_CUDA_HD double largest() const { return fmax(primal, fmax(dual, complementarity)); }
};

/// Bounds that no number satisfies, by more than rounding.
OSI_CUDA_HD inline bool boundsCross(double lower, double upper) {
  if (lower == infinity || upper == -infinity) return true;
  if (!isNumber(lower) || !isNumber(upper)) return false;
  return lower - upper > proof::crossing * (fabs(lower) + fabs(upper));
}

OSI_CUDA_HD inline double violationOf(Pair const& value, double lower, double upper) {
  if (!isNumber(value.hi)) return infinity;
  double violation = 0.0;
  if (isNumber(lower)) violation = (Pair{lower, 0.0} - value).hi / (1.0 + fabs(lower));
  if (isNumber(upper))
    violation = fmax(violation, (value - Pair{upper, 0.0}).hi / (1.0 + fabs(upper)));
  return violation > 0.0 ? violation : 0.0;
}

OSI_CUDA_HD inline double larger(double a, double b) {
  return a > b ? a : b;
}

/// Reduced costs, charged to the dual residual or to the gap between the objectives.
struct Charges {
  Pair gap;
  double dual = 0.0;
};
OSI_CUDA_HD inline Charges combineCharges(Charges const& a, Charges const& b) {
  return {a.gap + b.gap, larger(a.dual, b.dual)};
}

OSI_CUDA_HD inline bool restsOn(double bound, double value) {
  return isNumber(bound) && fabs(value - bound) <= proof::atBound * (1.0 + fabs(bound));
}

/// One variable's part, of the minimisation problem; gapUnit is 1 + |objective|.
OSI_CUDA_HD inline void charge(Charges& charges, Pair const& reducedCost, Pair const& value,
                               double lower, double upper, double cost, double gapUnit) {
  double const d = reducedCost.hi;
  if (d == 0.0) return;
  if (!isNumber(d)) {
    charges.dual = infinity;
    return;
  }
  double const wanted = d > 0.0 ? lower : upper, other = d > 0.0 ? upper : lower;
  double const top = larger(lower, upper);
  double const inside = value.hi < lower ? lower : value.hi > top ? top : value.hi;
  bool const bounded = isNumber(wanted);
  double const distance = bounded ? (value - Pair{wanted, 0.0}).hi : 0.0;
  double const unit = 1.0 + fabs(cost);
  bool const small = bounded && fabs(d * distance) * unit <= fabs(d) * gapUnit;
  if (restsOn(wanted, inside) || (!restsOn(other, inside) && small))
    charges.gap = charges.gap + reducedCost * distance;
  else
    charges.dual = larger(charges.dual, fabs(d) / unit);
}

/// The sums of a proof by Farkas multipliers.
struct FarkasSums {
  Pair gap;
  double scale = 0.0, reach = 0.0;
  double broken = 0.0;  ///< > 0: a bound that it needs is infinite
};
OSI_CUDA_HD inline FarkasSums combineFarkas(FarkasSums const& a, FarkasSums const& b) {
  return {a.gap + b.gap, a.scale + b.scale, a.reach + b.reach, larger(a.broken, b.broken)};
}
/// Adds `factor` times the bound; false where the bound is infinite.
OSI_CUDA_HD inline bool addBound(FarkasSums& sums, Pair const& factor, double bound) {
  if (!isNumber(bound)) return false;
  Pair const term = factor * bound;
  sums.gap = sums.gap + term;
  sums.scale += fabs(term.hi);
  sums.reach += fabs(factor.hi) * (1.0 + fabs(bound));
  return true;
}
OSI_CUDA_HD inline void addMultiplier(FarkasSums& sums, Pair const& y, double lower, double upper) {
  if (y.hi == 0.0) return;
  if (!addBound(sums, y, y.hi > 0.0 ? lower : upper)) sums.broken = 1.0;
}
/// `product` is (A'y)_j, the sum of the absolute values of its terms `terms`.
OSI_CUDA_HD inline void addProduct(FarkasSums& sums, Pair const& product, double terms,
                                   double lower, double upper) {
  if (product.hi == 0.0) return;
  if (addBound(sums, -product, product.hi > 0.0 ? upper : lower)) return;
  if (!(fabs(product.hi) <= proof::extendedZero * terms)) sums.broken = 1.0;
}

/// The sums of a proof by a ray.
struct RaySums {
  Pair slope;
  double scale = 0.0, reach = 0.0;
  double violation = 0.0;
};
OSI_CUDA_HD inline RaySums combineRays(RaySums const& a, RaySums const& b) {
  return {a.slope + b.slope, a.scale + b.scale, a.reach + b.reach,
          larger(a.violation, b.violation)};
}
OSI_CUDA_HD inline double stepTowards(double step, double lower, double upper) {
  if (step > 0.0 && isNumber(upper)) return step;
  if (step < 0.0 && isNumber(lower)) return -step;
  return 0.0;
}

}  // namespace osi_cuda::batch
