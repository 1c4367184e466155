// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

#include "osi_cuda/barrier/iterate_rules.hpp"

/// Right-hand sides, directions, targets of the correctors, and the step along a direction.
namespace osi_cuda::barrier {

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
    primal = lesser(primal, other.primal);
    dual = lesser(dual, other.dual);
    size += other.size;
  }
};

/// Which steps a direction's lengths are for.
enum class Purpose { affine, chosen };

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
      if (dw < 0.0) r.primal = lesser(r.primal, -v.wl[k] / dw);
      if (dz < 0.0) r.dual = lesser(r.dual, -v.zl[k] / dz);
    }
    if (upperBounded(v, k)) {
      double const dw = v.upperResidual[k] - dx;
      double const dz = (v.targetUpper[k] - v.zu[k] * dw) / v.wu[k];
      d.wu[k] = dw;
      d.zu[k] = dz;
      r.size += fabs(dz);
      if (dw < 0.0) r.primal = lesser(r.primal, -v.wu[k] / dw);
      if (dz < 0.0) r.dual = lesser(r.dual, -v.zu[k] / dz);
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
    } else {
      if (!finite) s.failed = 1.0;
      s.primalStep = r.primal;
      s.dualStep = r.dual;
    }
  }
};

/// Mehrotra's centring: a power of what the predictor would leave of mu. The fourth, since the
/// corrections that follow centre, too: with the third, dense problems take 3 % more iterations.
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
    s.sigma = fmin(1.0, fmax(1e-6, left * left * left * left));
    s.target = s.sigma * s.mu;
  }
};

/// Targets of the corrector: sigma mu, less the predictor's second-order term (Mehrotra 1992). All
/// of it: only as far as the predictor can be followed (Colombo and Gondzio 2008) took 20 % more
/// iterations, since the corrections after it are what repairs a corrector that is too large.
struct CorrectorTargets {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    double const target = v.s->target;
    if (lowerBounded(v, k))
      v.targetLower[k] = target - v.wl[k] * v.zl[k] - v.chosen.wl[k] * v.chosen.zl[k];
    if (upperBounded(v, k))
      v.targetUpper[k] = target - v.wu[k] * v.zu[k] - v.chosen.wu[k] * v.chosen.zu[k];
  }
};

/// Targets of a correction of the direction: products that a longer step would bring out of half to
/// twice sigma mu are drawn back (Gondzio 1996, who has a tenth to ten times: 4 % more iterations).
struct CentralityTargets {
  static constexpr double longer = 0.5, smallest = 0.5, largest = 2.0;
  View v;
  OSI_CUDA_HD double correction(double product) const {
    double const target = v.s->target;
    if (product < smallest * target) return smallest * target - product;
    if (product > largest * target) return larger(largest * target - product, -largest * target);
    return 0.0;
  }
  OSI_CUDA_HD void operator()(int k) const {
    double const primal = lesser(1.0, v.s->primalStep + longer);
    double const dual = lesser(1.0, v.s->dualStep + longer);
    if (lowerBounded(v, k))
      v.targetLower[k] =
          correction((v.wl[k] + primal * v.chosen.wl[k]) * (v.zl[k] + dual * v.chosen.zl[k]));
    if (upperBounded(v, k))
      v.targetUpper[k] =
          correction((v.wu[k] + primal * v.chosen.wu[k]) * (v.zu[k] + dual * v.chosen.zu[k]));
  }
};

/// h and g of a correction: it changes products only, no residual.
struct CorrectionSides {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    double h = 0.0;
    if (lowerBounded(v, k)) h -= v.targetLower[k] / v.wl[k];
    if (upperBounded(v, k)) h += v.targetUpper[k] / v.wu[k];
    v.h[k] = h;
    if (k >= v.n) v.g[k - v.n] = v.flexibility[k] * h;
  }
};

/// The rest of a correction from its dx.
struct CompleteCorrection {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    double const dx = v.trial.x[k];
    if (lowerBounded(v, k)) {
      v.trial.wl[k] = dx;
      v.trial.zl[k] = (v.targetLower[k] - v.zl[k] * dx) / v.wl[k];
    }
    if (upperBounded(v, k)) {
      v.trial.wu[k] = -dx;
      v.trial.zu[k] = (v.targetUpper[k] + v.zu[k] * dx) / v.wu[k];
    }
  }
};

/// How much of a correction is taken, of its primal and of its dual part: the shares that allow the
/// longest steps (Colombo and Gondzio 2008), none where the steps gain next to nothing.
struct WeighCorrection {
  static constexpr int shares = 6;
  static constexpr double least = 0.01;
  struct Result {
    double primal[shares], dual[shares];  ///< steps to the boundary
    OSI_CUDA_HD Result() {
      for (int i = 0; i < shares; ++i) primal[i] = dual[i] = 1e300;
    }
    OSI_CUDA_HD void add(Result const& other) {
      for (int i = 0; i < shares; ++i) {
        primal[i] = lesser(primal[i], other.primal[i]);
        dual[i] = lesser(dual[i], other.dual[i]);
      }
    }
  };
  View v;
  OSI_CUDA_HD static double shareOf(int i) { return (i + 1.0) / shares; }
  OSI_CUDA_HD static void shorten(double* steps, double distance, double change,
                                  double correction) {
    for (int i = 0; i < shares; ++i) {
      double const d = change + shareOf(i) * correction;
      if (!(d >= 0.0)) steps[i] = lesser(steps[i], d > -1e300 ? -distance / d : 0.0);
    }
  }
  OSI_CUDA_HD Result operator()(int k) const {
    Result r;
    if (lowerBounded(v, k)) {
      shorten(r.primal, v.wl[k], v.chosen.wl[k], v.trial.wl[k]);
      shorten(r.dual, v.zl[k], v.chosen.zl[k], v.trial.zl[k]);
    }
    if (upperBounded(v, k)) {
      shorten(r.primal, v.wu[k], v.chosen.wu[k], v.trial.wu[k]);
      shorten(r.dual, v.zu[k], v.chosen.zu[k], v.trial.zu[k]);
    }
    return r;
  }
  /// The best share; `step` becomes what it allows.
  OSI_CUDA_HD static double choose(double const* steps, double& step) {
    double share = 0.0, best = fmin(1.0, step) + least;
    for (int i = 0; i < shares; ++i) {
      if (!(fmin(1.0, steps[i]) > best)) continue;
      best = fmin(1.0, steps[i]);
      share = shareOf(i);
      step = steps[i];
    }
    return share;
  }
  OSI_CUDA_HD void finish(Result const& r) const {
    v.s->primalShare = choose(r.primal, v.s->primalStep);
    v.s->dualShare = choose(r.dual, v.s->dualStep);
  }
};

struct TakeCorrection {
  View v;
  OSI_CUDA_HD void operator()(int k) const {
    double const primal = v.s->primalShare, dual = v.s->dualShare;
    if (primal > 0.0) {
      v.chosen.x[k] += primal * v.trial.x[k];
      if (lowerBounded(v, k)) v.chosen.wl[k] += primal * v.trial.wl[k];
      if (upperBounded(v, k)) v.chosen.wu[k] += primal * v.trial.wu[k];
    }
    if (dual > 0.0) {
      if (lowerBounded(v, k)) v.chosen.zl[k] += dual * v.trial.zl[k];
      if (upperBounded(v, k)) v.chosen.zu[k] += dual * v.trial.zu[k];
      if (k < v.m) v.chosen.y[k] += dual * v.trial.y[k];
    }
  }
};

/// Follows the chosen direction, a little less than to the boundary, and counts the variables of
/// which the step does not say where they belong. It does where the distance to each bound or its
/// multiplier, and not both, falls to less than half: the indicators of El-Bakry, Tapia and Zhang
/// (1994). A direction that solves its equations to no digit is not followed: it would spoil the
/// iterate.
struct Move {
  static constexpr double missed = 0.01;  ///< of the right-hand side
  struct Result {
    double undecided = 0.0;
    OSI_CUDA_HD void add(Result const& other) { undecided += other.undecided; }
  };
  View v;
  double most;  ///< share of the way to the boundary
  OSI_CUDA_HD bool solves() const {
    return v.s->residualNorm <= missed * missed * v.s->rightNorm;  // false for what is no number
  }
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
    if (s.failed != 0.0 || !solves()) return r;
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
  OSI_CUDA_HD void finish(Result const& r) const {
    v.s->undecided = r.undecided;
    if (v.s->failed == 0.0 && !solves()) v.s->failed = directionMissed;
  }
};

}  // namespace osi_cuda::barrier
