// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

#include "osi_cuda/barrier/view.hpp"
#include "osi_cuda/simplex/host_device.hpp"

/// The steps of the interior point method that look at one variable or row each. A step is called
/// with a place; where it returns something, results are combined by add() in a fixed order, and
/// what becomes of them is left in Scalars by finish(), which one thread calls.
namespace osi_cuda::barrier {

OSI_CUDA_HD inline bool lowerBounded(View const& v, int k) {
  return (v.kind[k] & hasLower) != 0;
}
OSI_CUDA_HD inline bool upperBounded(View const& v, int k) {
  return (v.kind[k] & hasUpper) != 0;
}
OSI_CUDA_HD inline bool fixedVariable(View const& v, int k) {
  return v.kind[k] == isFixed;
}

// ---- the start ---------------------------------------------------------------------------------

/// Every variable to the bound nearest to zero, or zero; flexibility 1, for the least squares
/// problems of the start; right-hand sides of the first of them: A dx + ds = -(A x + s) is left to
/// g.
struct PlaceAtBounds {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    bool const lower = lowerBounded(v, k), upper = upperBounded(v, k);
    double x = 0.0;
    if (fixedVariable(v, k) || (lower && v.lower[k] > 0.0)) x = v.lower[k];
    if (upper && v.upper[k] < 0.0) x = v.upper[k];
    v.x[k] = x;
    v.flexibility[k] = fixedVariable(v, k) ? 0.0 : 1.0;
    v.h[k] = 0.0;
    if (k >= v.n) v.rowTerm[k - v.n] = v.flexibility[k] + v.regularDual;
  }
};

/// g = -(A x + s)
struct PrimalRight {
  View v;
  OSI_CUDA_HD void operator()(int i) const { v.g[i] = -(v.ax[i] + v.x[v.n + i]); }
};

/// x <- x + dx; then the right-hand sides of the least squares problem of the multipliers.
struct TakeStartPoint {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    v.x[k] += v.chosen.x[k];
    v.h[k] = v.cost[k];
    if (k >= v.n) v.g[k - v.n] = 0.0;
  }
};

/// Distances and multipliers before they are shifted to be positive, and by how much they fail.
struct StartShift {
  struct Result {
    double distance = 0.0, multiplier = 0.0;  // largest negatives
    OSI_CUDA_HD void add(Result const& other) {
      distance = fmax(distance, other.distance);
      multiplier = fmax(multiplier, other.multiplier);
    }
  };
  View v;
  OSI_CUDA_HD Result operator()(int k) const {
    Result r;
    bool const lower = lowerBounded(v, k), upper = upperBounded(v, k);
    // The step of the second problem is minus the reduced cost, but for fixed variables.
    double const z = -v.chosen.x[k] * (lower && upper ? 0.5 : 1.0);
    v.wl[k] = v.wu[k] = v.zl[k] = v.zu[k] = 0.0;
    if (lower) {
      v.wl[k] = v.x[k] - v.lower[k];
      v.zl[k] = z;
      r.distance = fmax(r.distance, -v.wl[k]);
      r.multiplier = fmax(r.multiplier, -z);
    }
    if (upper) {
      v.wu[k] = v.upper[k] - v.x[k];
      v.zu[k] = -z;
      r.distance = fmax(r.distance, -v.wu[k]);
      r.multiplier = fmax(r.multiplier, z);
    }
    if (k >= v.n) v.y[k - v.n] = v.chosen.y[k - v.n];
    return r;
  }
  OSI_CUDA_HD void finish(Result const& r) const {
    v.s->shiftPrimal = 1.0 + 1.5 * r.distance;
    v.s->shiftDual = 1.0 + 1.5 * r.multiplier;
  }
};

/// The first shift; then what the second one, which brings products near their mean, needs.
struct StartProducts {
  struct Result {
    double products = 0.0, distances = 0.0, multipliers = 0.0;
    OSI_CUDA_HD void add(Result const& other) {
      products += other.products;
      distances += other.distances;
      multipliers += other.multipliers;
    }
  };
  View v;
  OSI_CUDA_HD void include(Result& r, double& w, double& z) const {
    w += v.s->shiftPrimal;
    z += v.s->shiftDual;
    r.products += w * z;
    r.distances += w;
    r.multipliers += z;
  }
  OSI_CUDA_HD Result operator()(int k) const {
    Result r;
    if (lowerBounded(v, k)) include(r, v.wl[k], v.zl[k]);
    if (upperBounded(v, k)) include(r, v.wu[k], v.zu[k]);
    return r;
  }
  OSI_CUDA_HD void finish(Result const& r) const {
    v.s->shiftPrimal = r.multipliers > 0.0 ? 1.0 + 0.5 * r.products / r.multipliers : 0.0;
    v.s->shiftDual = r.distances > 0.0 ? 1.0 + 0.5 * r.products / r.distances : 0.0;
  }
};

/// The second shift.
struct StartInterior {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    if (lowerBounded(v, k)) {
      v.wl[k] += v.s->shiftPrimal;
      v.zl[k] += v.s->shiftDual;
    }
    if (upperBounded(v, k)) {
      v.wu[k] += v.s->shiftPrimal;
      v.zu[k] += v.s->shiftDual;
    }
  }
};

// ---- where the iterate is ----------------------------------------------------------------------

/// Residuals of all equations, objectives and complementarity, from A x and A'y.
struct Residuals {
  struct Result {
    double primalObjective = 0.0, dualObjective = 0.0, products = 0.0, pairs = 0.0;
    double primal = 0.0, dual = 0.0, point = 0.0, multiplier = 0.0;
    OSI_CUDA_HD void add(Result const& other) {
      primalObjective += other.primalObjective;
      dualObjective += other.dualObjective;
      products += other.products;
      pairs += other.pairs;
      primal = fmax(primal, other.primal);
      dual = fmax(dual, other.dual);
      point = fmax(point, other.point);
      multiplier = fmax(multiplier, other.multiplier);
    }
  };
  View v;
  OSI_CUDA_HD Result operator()(int k) const {
    Result r;
    double const x = v.x[k];
    double const priced = v.cost[k] - (k < v.n ? v.aty[k] : v.y[k - v.n]);  // reduced cost by y
    r.primalObjective = v.cost[k] * x;
    r.point = fabs(x);
    if (k >= v.n) {
      int const i = k - v.n;
      v.primalResidual[i] = -(v.ax[i] + x);
      r.primal = fabs(v.primalResidual[i]);
      r.multiplier = fabs(v.y[i]);
    }
    v.dualResidual[k] = 0.0;
    if (fixedVariable(v, k)) {
      r.dualObjective = priced * x;
      return r;
    }
    double residual = priced;
    if (lowerBounded(v, k)) {
      residual -= v.zl[k];
      v.lowerResidual[k] = v.lower[k] - x + v.wl[k];
      r.primal = fmax(r.primal, fabs(v.lowerResidual[k]));
      r.dualObjective += v.lower[k] * v.zl[k];
      r.products += v.wl[k] * v.zl[k];
      r.pairs += 1.0;
    }
    if (upperBounded(v, k)) {
      residual += v.zu[k];
      v.upperResidual[k] = v.upper[k] - x - v.wu[k];
      r.primal = fmax(r.primal, fabs(v.upperResidual[k]));
      r.dualObjective -= v.upper[k] * v.zu[k];
      r.products += v.wu[k] * v.zu[k];
      r.pairs += 1.0;
    }
    v.dualResidual[k] = residual;
    r.dual = fabs(residual);
    return r;
  }
  OSI_CUDA_HD void finish(Result const& r) const {
    Scalars& s = *v.s;
    s.pairs = r.pairs;
    s.mu = r.pairs > 0.0 ? r.products / r.pairs : 0.0;
    s.primalObjective = r.primalObjective;
    s.dualObjective = r.dualObjective;
    s.primalResidual = r.primal;
    s.dualResidual = r.dual;
    s.largestPoint = r.point;
    s.largestMultiplier = r.multiplier;
  }
};

/// How far each variable moves for a unit of force, and the targets of the predictor.
struct Flexibility {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    double stiffness = v.regularPrimal;
    if (lowerBounded(v, k)) {
      stiffness += v.zl[k] / v.wl[k];
      v.targetLower[k] = -v.wl[k] * v.zl[k];
    }
    if (upperBounded(v, k)) {
      stiffness += v.zu[k] / v.wu[k];
      v.targetUpper[k] = -v.wu[k] * v.zu[k];
    }
    v.flexibility[k] = fixedVariable(v, k) ? 0.0 : 1.0 / stiffness;
    if (k >= v.n) v.rowTerm[k - v.n] = v.flexibility[k] + v.regularDual;
  }
};

/// What the normal matrix A' W A + diagonal by columns is made of: W by rows and the diagonal.
struct ColumnWeights {
  static constexpr double immovable =
      1e30;  ///< of fixed variables: any force moves them by nothing
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    if (k < v.n)
      v.columnWork[k] = fixedVariable(v, k) ? immovable : 1.0 / v.flexibility[k];
    else
      v.rowWork[k - v.n] = 1.0 / v.rowTerm[k - v.n];
  }
};

// ---- directions --------------------------------------------------------------------------------

/// h and g from the targets. With h, the dual equations are A'dy - dx / flexibility = h.
struct RightHandSides {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    double h = v.dualResidual[k];
    if (lowerBounded(v, k)) h -= (v.targetLower[k] + v.zl[k] * v.lowerResidual[k]) / v.wl[k];
    if (upperBounded(v, k)) h += (v.targetUpper[k] - v.zu[k] * v.upperResidual[k]) / v.wu[k];
    v.h[k] = h;
    if (k >= v.n) v.g[k - v.n] = v.primalResidual[k - v.n] + v.flexibility[k] * h;
  }
};

/// out = a b by place
struct Multiply {
  double const* a;
  double const* b;
  double* out;
  OSI_CUDA_HD void operator()(int k) const { out[k] = a[k] * b[k]; }
};
struct Divide {
  double const* a;
  double const* b;
  double* out;
  OSI_CUDA_HD void operator()(int k) const { out[k] = a[k] / b[k]; }
};
/// out = out + sign a
struct Add {
  double const* a;
  double sign;
  double* out;
  OSI_CUDA_HD void operator()(int k) const { out[k] += sign * a[k]; }
};
/// out = out + a b
struct AddProduct {
  double const* a;
  double const* b;
  double* out;
  OSI_CUDA_HD void operator()(int k) const { out[k] += a[k] * b[k]; }
};

/// out = out + in / flexibility, by columns
struct AddDiagonal {
  View v;
  double const* in;
  double* out;
  OSI_CUDA_HD void operator()(int j) const {
    double const stiffness =
        fixedVariable(v, j) ? ColumnWeights::immovable : 1.0 / v.flexibility[j];
    out[j] += stiffness * in[j];
  }
};

/// dx of the structurals from A'dy, by rows: dx = flexibility (A'dy - h).
struct ColumnStep {
  View v;
  Direction d;
  OSI_CUDA_HD void operator()(int j) const {
    d.x[j] = v.flexibility[j] * (v.columnWork[j] - v.h[j]);
  }
};
/// dy from A dx, by columns: dy = (g - A dx) / rowTerm.
struct RowStep {
  View v;
  Direction d;
  OSI_CUDA_HD void operator()(int i) const { d.y[i] = (v.g[i] - v.rowWork[i]) / v.rowTerm[i]; }
};
/// ds = flexibility (dy - h), and fixed variables don't move.
struct SlackStep {
  View v;
  Direction d;
  OSI_CUDA_HD void operator()(int k) const {
    if (k >= v.n) d.x[k] = v.flexibility[k] * (d.y[k - v.n] - v.h[k]);
    if (fixedVariable(v, k)) d.x[k] = 0.0;
  }
};

/// Steps until a distance or a multiplier reaches zero.
struct StepLengths {
  double primal = 1e300, dual = 1e300;
  double size = 0.0;  ///< of the direction: whether all of it are numbers
  OSI_CUDA_HD void add(StepLengths const& other) {
    primal = fmin(primal, other.primal);
    dual = fmin(dual, other.dual);
    size += other.size;
  }
};

/// Which steps a direction's lengths are for.
enum class Purpose { affine, chosen, trial };

/// A further corrector is taken where the two steps together gain so much: a tenth of what its
/// targets ask for in one of them, after Gondzio (1996).
struct CentralityGain {
  static constexpr double least = 0.03;
};

/// The rest of a direction from dx, and how far it may be followed.
struct Complete {
  using Result = StepLengths;
  View v;
  Direction d;
  Purpose purpose;
  OSI_CUDA_HD Result operator()(int k) const {
    Result r;
    double const dx = d.x[k];
    r.size = fabs(dx);
    if (lowerBounded(v, k)) {
      double const dw = dx - v.lowerResidual[k];
      double const dz = (v.targetLower[k] - v.zl[k] * dw) / v.wl[k];
      d.wl[k] = dw;
      d.zl[k] = dz;
      r.size += fabs(dz);
      if (dw < 0.0) r.primal = fmin(r.primal, -v.wl[k] / dw);
      if (dz < 0.0) r.dual = fmin(r.dual, -v.zl[k] / dz);
    }
    if (upperBounded(v, k)) {
      double const dw = v.upperResidual[k] - dx;
      double const dz = (v.targetUpper[k] - v.zu[k] * dw) / v.wu[k];
      d.wu[k] = dw;
      d.zu[k] = dz;
      r.size += fabs(dz);
      if (dw < 0.0) r.primal = fmin(r.primal, -v.wu[k] / dw);
      if (dz < 0.0) r.dual = fmin(r.dual, -v.zu[k] / dz);
    }
    return r;
  }
  OSI_CUDA_HD void finish(Result const& r) const {
    Scalars& s = *v.s;
    bool const finite = r.size < 1e300;  // false for what is not a number, too
    if (purpose == Purpose::affine) {
      if (!finite) s.failed = 1.0;
      s.affinePrimal = fmin(1.0, r.primal);
      s.affineDual = fmin(1.0, r.dual);
    } else if (purpose == Purpose::chosen) {
      if (!finite) s.failed = 1.0;
      s.primalStep = r.primal;
      s.dualStep = r.dual;
    } else {
      s.trialPrimal = r.primal;
      s.trialDual = r.dual;
      double const gain =
          fmin(1.0, r.primal) + fmin(1.0, r.dual) - fmin(1.0, s.primalStep) - fmin(1.0, s.dualStep);
      s.accepted = finite && gain > CentralityGain::least ? 1.0 : 0.0;
    }
  }
};

/// Mehrotra's centring: the cube of what the predictor would leave of mu.
struct Centring {
  struct Result {
    double products = 0.0;
    OSI_CUDA_HD void add(Result const& other) { products += other.products; }
  };
  View v;
  OSI_CUDA_HD Result operator()(int k) const {
    Result r;
    double const primal = v.s->affinePrimal, dual = v.s->affineDual;
    if (lowerBounded(v, k))
      r.products += (v.wl[k] + primal * v.chosen.wl[k]) * (v.zl[k] + dual * v.chosen.zl[k]);
    if (upperBounded(v, k))
      r.products += (v.wu[k] + primal * v.chosen.wu[k]) * (v.zu[k] + dual * v.chosen.zu[k]);
    return r;
  }
  OSI_CUDA_HD void finish(Result const& r) const {
    Scalars& s = *v.s;
    double const left = s.pairs > 0.0 && s.mu > 0.0 ? r.products / s.pairs / s.mu : 0.0;
    s.sigma = fmin(1.0, fmax(1e-6, left * left * left));
    s.target = s.sigma * s.mu;
  }
};

/// Targets of the corrector: sigma mu, less the predictor's second-order term, as far as the
/// predictor can be followed (Colombo and Gondzio 2008).
struct CorrectorTargets {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    Scalars const& s = *v.s;
    double const share = s.affinePrimal * s.affineDual;
    if (lowerBounded(v, k))
      v.targetLower[k] = s.target - v.wl[k] * v.zl[k] - share * v.chosen.wl[k] * v.chosen.zl[k];
    if (upperBounded(v, k))
      v.targetUpper[k] = s.target - v.wu[k] * v.zu[k] - share * v.chosen.wu[k] * v.chosen.zu[k];
  }
};

/// Targets of a further corrector: products that a longer step would bring out of a tenth to ten
/// times sigma mu are drawn back (Gondzio 1996).
struct CentralityTargets {
  static constexpr double longer = 0.3, smallest = 0.1, largest = 10.0;
  View v;
  OSI_CUDA_HD double correction(double product) const {
    double const target = v.s->target;
    if (product < smallest * target) return smallest * target - product;
    if (product > largest * target) return fmax(largest * target - product, -largest * target);
    return 0.0;
  }
  OSI_CUDA_HD void operator()(int k) const {
    double const primal = fmin(1.0, v.s->primalStep + longer);
    double const dual = fmin(1.0, v.s->dualStep + longer);
    if (lowerBounded(v, k))
      v.targetLower[k] +=
          correction((v.wl[k] + primal * v.chosen.wl[k]) * (v.zl[k] + dual * v.chosen.zl[k]));
    if (upperBounded(v, k))
      v.targetUpper[k] +=
          correction((v.wu[k] + primal * v.chosen.wu[k]) * (v.zu[k] + dual * v.chosen.zu[k]));
  }
};

/// Takes over the trial direction where it was accepted.
struct TakeTrial {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    if (v.s->accepted == 0.0) return;
    v.chosen.x[k] = v.trial.x[k];
    v.chosen.wl[k] = v.trial.wl[k];
    v.chosen.wu[k] = v.trial.wu[k];
    v.chosen.zl[k] = v.trial.zl[k];
    v.chosen.zu[k] = v.trial.zu[k];
    if (k < v.m) v.chosen.y[k] = v.trial.y[k];
  }
};
struct TakeTrialSteps {
  View v;
  OSI_CUDA_HD void operator()(int) const {
    if (v.s->accepted == 0.0) return;
    v.s->primalStep = v.s->trialPrimal;
    v.s->dualStep = v.s->trialDual;
  }
};

/// Follows the chosen direction, a little less than to the boundary, and counts the variables of
/// which the step does not say where they belong. It does where the distance to each bound or its
/// multiplier, and not both, falls to less than half: the indicators of El-Bakry, Tapia and Zhang
/// (1994).
struct Move {
  struct Result {
    double undecided = 0.0;
    OSI_CUDA_HD void add(Result const& other) { undecided += other.undecided; }
  };
  View v;
  double most;  ///< share of the way to the boundary
  OSI_CUDA_HD static bool decided(double& w, double dw, double& z, double dz, double primal,
                                  double dual) {
    double const wBefore = w, zBefore = z;
    w += primal * dw;
    z += dual * dz;
    return (w < 0.5 * wBefore) != (z < 0.5 * zBefore);
  }
  OSI_CUDA_HD Result operator()(int k) const {
    Result r;
    Scalars const& s = *v.s;
    if (s.failed != 0.0) return r;
    double const primal = fmin(1.0, most * s.primalStep), dual = fmin(1.0, most * s.dualStep);
    v.x[k] += primal * v.chosen.x[k];
    if (k >= v.n) v.y[k - v.n] += dual * v.chosen.y[k - v.n];
    if (fixedVariable(v, k)) return r;
    bool known = true;
    if (lowerBounded(v, k))
      known = decided(v.wl[k], v.chosen.wl[k], v.zl[k], v.chosen.zl[k], primal, dual) && known;
    if (upperBounded(v, k))
      known = decided(v.wu[k], v.chosen.wu[k], v.zu[k], v.chosen.zu[k], primal, dual) && known;
    r.undecided = known ? 0.0 : 1.0;
    return r;
  }
  OSI_CUDA_HD void finish(Result const& r) const { v.s->undecided = r.undecided; }
};

// ---- conjugate gradients -----------------------------------------------------------------------

/// What a scalar product is for; see InteriorPoint::solveNormal.
enum class Dot { right, residual, rho, curvature };

struct DotProduct {
  struct Result {
    double sum = 0.0;
    OSI_CUDA_HD void add(Result const& other) { sum += other.sum; }
  };
  double const* a;
  double const* b;
  Scalars* s;
  Dot what;
  OSI_CUDA_HD Result operator()(int k) const { return {a[k] * b[k]}; }
  OSI_CUDA_HD void finish(Result const& r) const {
    if (what == Dot::right) {
      s->rightNorm = r.sum;
    } else if (what == Dot::residual) {
      s->residualNorm = r.sum;
    } else if (what == Dot::rho) {
      s->beta = s->rho > 0.0 ? r.sum / s->rho : 0.0;
      s->rho = r.sum;
    } else {
      s->alpha = r.sum > 0.0 ? s->rho / r.sum : 0.0;
    }
  }
};

/// p <- z + beta p
struct NextSearch {
  Scalars const* s;
  double const* z;
  double* p;
  OSI_CUDA_HD void operator()(int k) const { p[k] = z[k] + s->beta * p[k]; }
};
/// x <- x + alpha p, r <- r - alpha q
struct FollowSearch {
  Scalars const* s;
  double const* p;
  double const* q;
  double* x;
  double* r;
  OSI_CUDA_HD void operator()(int k) const {
    x[k] += s->alpha * p[k];
    r[k] -= s->alpha * q[k];
  }
};

/// Numbers of one place that have to begin anew.
struct ResetScalars {
  Scalars* s;
  OSI_CUDA_HD void operator()(int) const {
    s->failed = 0.0;
    s->accepted = 0.0;
  }
};
struct ResetSearch {
  Scalars* s;
  OSI_CUDA_HD void operator()(int) const { s->rho = 0.0; }
};

}  // namespace osi_cuda::barrier
