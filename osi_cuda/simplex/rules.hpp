// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "osi_cuda/base/host_device.hpp"

/// The simplex rules as small pure functions of numbers, shared by every engine. Symbols as in
/// docs/explanation/simplex.md: u is the entering column of the tableau T, v the leaving row, alpha
/// the pivot.
namespace osi_cuda::rules {

inline constexpr double none = -1.0;        ///< key of "no candidate"; real keys are >= 0
inline constexpr double unlimited = 1e300;  ///< a ratio that never blocks
/// Dual pricing weights, squared norms of rows of an inverse, are not less: what is, is rounding.
inline constexpr double leastRowWeight = 1e-4;

/// 1 / x to within a rounding or two, for ordinary numbers: on a device a division takes several
/// times as long.
OSI_CUDA_HD inline double reciprocal(double x) {
#ifdef __CUDA_ARCH__
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  y = fma(fma(-x, y, 1.0), y, y);
  return fma(fma(-x, y, 1.0), y, y);
#else
  return 1.0 / x;
#endif
}

/// A row or column that competes for being chosen, with what the others need to know of it.
/// Total order: larger key first, then smaller tie.
struct Candidate {
  double key = none;
  double entry = 0.0;   ///< entering: reduced cost d_q; ratio tests: the tableau entry
  double ratio = 0.0;   ///< ratio tests: step at which it blocks
  double target = 0.0;  ///< the bound that a leaving variable goes to
  double value = 0.0;   ///< the variable's present value
  double slope = 0.0;   ///< long steps: by how much the slope rises there
  std::uint32_t tie = 0;
  int position = -1;
  int variable = -1;
  int side = 0;  ///< -1: below its lower bound (or at it), +1: above its upper bound (or at it)

  OSI_CUDA_HD bool found() const { return position >= 0; }
};

OSI_CUDA_HD inline bool precedes(Candidate const& a, Candidate const& b) {
  return a.key > b.key || (a.key == b.key && a.position >= 0 && a.tie < b.tie);
}
OSI_CUDA_HD inline Candidate better(Candidate const& a, Candidate const& b) {
  return precedes(b, a) ? b : a;
}

OSI_CUDA_HD inline std::uint64_t mix(std::uint64_t z) {  // SplitMix64's finaliser
  z ^= z >> 30;
  z *= 0xBF58476D1CE4E5B9ull;
  z ^= z >> 27;
  z *= 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// Random ties: every engine draws the same for a seed, a pivot number and a variable.
OSI_CUDA_HD inline std::uint32_t randomTie(std::uint64_t seed, std::int64_t pivot, int variable) {
  return static_cast<std::uint32_t>(
      mix(mix(seed + 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(pivot)) +
          static_cast<std::uint64_t>(variable)));
}

/// The sign S(l, i) = +-1 of the sketch; 64 of them come from one hash, nothing is stored.
OSI_CUDA_HD inline std::uint64_t signBits(int word, int i) {
  return mix((static_cast<std::uint64_t>(i) * 64 + static_cast<std::uint64_t>(word) + 1) *
             0x9E3779B97F4A7C15ull);
}
OSI_CUDA_HD inline float sketchSign(int l, int i) {
  return ((signBits(l >> 6, i) >> (l & 63)) & 1) ? 1.0f : -1.0f;
}

// ---- where a variable may go ------------------------------------------------------------------

OSI_CUDA_HD inline bool canIncrease(double value, double lower, double upper) {
  return value < upper && lower < upper;
}
OSI_CUDA_HD inline bool canDecrease(double value, double lower, double upper) {
  return value > lower && lower < upper;
}

/// Dual infeasibility of a nonbasic variable: how far d is on the improving side, else 0.
/// Positive: it wants to increase (d < 0); negative: it wants to decrease.
OSI_CUDA_HD inline double attraction(double d, double value, double lower, double upper) {
  if (d < 0.0 && canIncrease(value, lower, upper)) return -d;
  if (d > 0.0 && canDecrease(value, lower, upper)) return -d;
  return 0.0;
}

/// Primal infeasibility: x - upper > 0 above, x - lower < 0 below, 0 within the tolerance.
OSI_CUDA_HD inline double violation(double x, double lower, double upper, double tolerance) {
  if (x < lower - tolerance) return x - lower;
  if (x > upper + tolerance) return x - upper;
  return 0.0;
}

/// Phase-1 cost of a basic variable: -1 below its lower bound, +1 above its upper bound, else 0.
OSI_CUDA_HD inline int phase1Cost(double x, double lower, double upper, double tolerance) {
  if (x < lower - tolerance) return -1;
  if (x > upper + tolerance) return 1;
  return 0;
}

// ---- the primal ratio test --------------------------------------------------------------------

/// A step length at which a basic variable reaches a bound.
struct Breakpoint {
  double ratio = unlimited;    ///< exact step, at least 0
  double relaxed = unlimited;  ///< step with the bound relaxed by the Harris tolerance
  double target = 0.0;         ///< the bound reached
};

/// Phase 2: basic variable x moves at the rate -rate (Harris 1973, pass 1).
OSI_CUDA_HD inline Breakpoint blockingBound(double x, double lower, double upper, double rate,
                                            double harris, double pivotTolerance) {
  Breakpoint b;
  if (fabs(rate) <= pivotTolerance) return b;
  double const bound = rate > 0.0 ? lower : upper;
  if (!(fabs(bound) < unlimited)) return b;
  double const gap = rate > 0.0 ? x - lower : upper - x, inverse = reciprocal(fabs(rate));
  b.ratio = gap > 0.0 ? gap * inverse : 0.0;
  b.relaxed = (gap > 0.0 ? gap + harris : harris) * inverse;
  b.target = bound;
  return b;
}

/// Phase 1: the two bounds that a basic variable may reach, nearest first. The slope of the sum of
/// infeasibilities rises by |rate| at each.
struct Breakpoints {
  Breakpoint first, second;
};
OSI_CUDA_HD inline Breakpoints phase1Bounds(double x, double lower, double upper, double rate,
                                            double harris, double pivotTolerance,
                                            double tolerance) {
  Breakpoints b;
  if (fabs(rate) <= pivotTolerance) return b;
  double const nearBound = rate > 0.0 ? upper : lower;  // reached first, when outside
  double const farBound = rate > 0.0 ? lower : upper;
  double const a = fabs(rate);
  bool const outsideNear = rate > 0.0 ? x > upper + tolerance : x < lower - tolerance;
  bool const beyondFar = rate > 0.0 ? x < lower - tolerance : x > upper + tolerance;
  if (beyondFar) return b;  // moves away from feasibility: no kink ahead
  if (outsideNear) {
    double const gap = fabs(x - nearBound);
    b.first = {gap / a, (gap + harris) / a, nearBound};
  }
  if (fabs(farBound) < unlimited) {
    double const gap = rate > 0.0 ? x - lower : upper - x;
    b.second = {gap > 0.0 ? gap / a : 0.0, (gap > 0.0 ? gap + harris : harris) / a, farBound};
  }
  return b;
}

// ---- the dual ratio test ----------------------------------------------------------------------

/// Nonbasic variable with reduced cost d and row entry v; the leaving variable is above (side +1)
/// or below (-1) its bounds. The dual step at which d changes sign.
OSI_CUDA_HD inline Breakpoint dualBreakpoint(double d, double v, int side, double value,
                                             double lower, double upper, double harris,
                                             double pivotTolerance) {
  Breakpoint b;
  double const a = side * v;
  if (fabs(a) <= pivotTolerance) return b;
  if (a > 0.0 ? !canIncrease(value, lower, upper) : !canDecrease(value, lower, upper)) return b;
  double const gap = a > 0.0 ? d : -d, inverse = reciprocal(fabs(a));
  b.ratio = gap > 0.0 ? gap * inverse : 0.0;
  b.relaxed = (gap > 0.0 ? gap + harris : harris) * inverse;
  return b;
}

// ---- greatest improvement ---------------------------------------------------------------------

/// How far a step may go, with bounds relaxed as in Harris' first pass, until basic variable x
/// blocks it, which moves at the rate -rate: one entry's part in the length of a column's step.
OSI_CUDA_HD inline double stepBound(double x, double lower, double upper, double rate,
                                    double harris, double pivotTolerance) {
  return blockingBound(x, lower, upper, rate, harris, pivotTolerance).relaxed;
}

/// What the objective gains by a step of that length at the slope d. Rays gain most, all alike.
OSI_CUDA_HD inline double improvement(double d, double step) {
  double const gain = step < unlimited ? fabs(d) * step : unlimited;
  return gain < unlimited ? gain : unlimited;
}

// ---- weights ----------------------------------------------------------------------------------

/// Exact steepest edge (Goldfarb and Reid 1977): new weight of a column with row entry v, given
/// w = T_j'u and the entering column's true weight. The same formula serves rows in the dual
/// (Forrest and Goldfarb 1992) with u_i, tau_i and beta_r; there `floor` is tiny, here 1 + ratio^2.
OSI_CUDA_HD inline double steepestWeight(double weight, double ratio, double product,
                                         double pivotWeight, double floor) {
  double const updated = weight - 2.0 * ratio * product + ratio * ratio * pivotWeight;
  return updated > floor ? updated : floor;
}

/// Devex (Harris 1973): reference weights only grow. Where the chosen one has outgrown this limit
/// the present nonbasic (in the dual: basic) variables become the reference framework, and all
/// weights 1.
inline constexpr double largestDevexWeight = 1e9;
OSI_CUDA_HD inline double devexWeight(double weight, double ratio, double pivotWeight) {
  double const grown = ratio * ratio * pivotWeight;
  return grown > weight ? grown : weight;
}

}  // namespace osi_cuda::rules

namespace osi_cuda {

/// Infeasibilities of a point, and its objective.
struct Measure {
  double primalSum = 0.0, primalMax = 0.0;
  double dualSum = 0.0, dualMax = 0.0;
  int primalCount = 0, dualCount = 0;
  double objective = 0.0;  ///< sum over nonbasic variables d_j x_j = c'x

  OSI_CUDA_HD void addBasic(double x, double lower, double upper, double tolerance) {
    double const gap = fabs(rules::violation(x, lower, upper, tolerance));
    if (gap == 0.0) return;
    primalSum += gap;
    primalMax = fmax(primalMax, gap);
    ++primalCount;
  }
  OSI_CUDA_HD void addNonbasic(double d, double x, double lower, double upper, double tolerance) {
    double const pull = fabs(rules::attraction(d, x, lower, upper));
    objective += d * x;
    if (pull <= tolerance) return;
    dualSum += pull;
    dualMax = fmax(dualMax, pull);
    ++dualCount;
  }
  OSI_CUDA_HD void add(Measure const& o) {
    *this = {primalSum + o.primalSum,  fmax(primalMax, o.primalMax), dualSum + o.dualSum,
             fmax(dualMax, o.dualMax), primalCount + o.primalCount,  dualCount + o.dualCount,
             objective + o.objective};
  }
};

}  // namespace osi_cuda
