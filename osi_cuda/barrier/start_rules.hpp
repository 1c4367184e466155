// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

#include "osi_cuda/barrier/view.hpp"

/// Steps towards a first point: inside the bounds, with multipliers of the right signs.
namespace osi_cuda::barrier {

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

/// Distances and multipliers before they are shifted to be positive, and by how much they fail. The
/// shifts here and below are smaller than Mehrotra's (1992: 1.5 of what fails, and half the
/// mean): dense problems whose slack basis is infeasible take two iterations of eleven less.
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
    constexpr double least = 0.1, beyond = 1.01;
    v.s->shiftPrimal = least + beyond * r.distance;
    v.s->shiftDual = least + beyond * r.multiplier;
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
    constexpr double least = 0.1, share = 0.1;
    v.s->shiftPrimal = r.multipliers > 0.0 ? least + share * r.products / r.multipliers : 0.0;
    v.s->shiftDual = r.distances > 0.0 ? least + share * r.products / r.distances : 0.0;
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

}  // namespace osi_cuda::barrier
