// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

#include "osi_cuda/barrier/view.hpp"

/// Where the iterate is, and what the normal matrix of its equations is made of.
namespace osi_cuda::barrier {

/// fmin and fmax, which are calls of functions on the processor.
OSI_CUDA_HD inline double lesser(double a, double b) {
  return b < a ? b : a;
}
OSI_CUDA_HD inline double larger(double a, double b) {
  return a < b ? b : a;
}

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
      primal = larger(primal, other.primal);
      dual = larger(dual, other.dual);
      point = larger(point, other.point);
      multiplier = larger(multiplier, other.multiplier);
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
      r.primal = larger(r.primal, fabs(v.lowerResidual[k]));
      r.dualObjective += v.lower[k] * v.zl[k];
      r.products += v.wl[k] * v.zl[k];
      r.pairs += 1.0;
    }
    if (upperBounded(v, k)) {
      residual += v.zu[k];
      v.upperResidual[k] = v.upper[k] - x - v.wu[k];
      r.primal = larger(r.primal, fabs(v.upperResidual[k]));
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
    double stiffness = v.kind[k] == 0 ? v.regularFree : v.regularPrimal;
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

}  // namespace osi_cuda::barrier
