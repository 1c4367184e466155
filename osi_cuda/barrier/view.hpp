// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/base/host_device.hpp"

/// What the interior point method keeps, in the memory of whoever executes it.
namespace osi_cuda::barrier {

/// Bounds that a variable has: none (free), one or both of these, or `fixed` alone.
inline constexpr unsigned char hasLower = 1, hasUpper = 2, isFixed = 4;

/// How much of the normal matrix is right: some six digits, which early iterations can do with, or
/// as many as double precision has.
enum class Digits { few, all };

/// What Scalars::failed says of a direction that does not solve its equations.
inline constexpr double directionMissed = 2.0;

/// A change of the iterate.
struct Direction {
  double* x;   ///< of (x, s), length n + m
  double* y;   ///< length m
  double* wl;  ///< of the distances to lower bounds, length n + m; so on
  double* wu;
  double* zl;
  double* zu;
};

/// Numbers that kernels leave for others.
struct Scalars {
  double mu, pairs;  ///< mean complementarity, and of how many products
  double primalObjective, dualObjective;
  double primalResidual, dualResidual;  ///< absolute
  double largestPoint, largestMultiplier;
  double affinePrimal, affineDual;  ///< steps of the predictor
  double sigma, target;             ///< centring, and sigma mu
  double primalStep, dualStep;      ///< to the boundary, along the direction to be taken
  double primalShare, dualShare;    ///< of a correction, that are taken
  double failed;                    ///< 1: the factorisation failed, or a number is not finite;
                                    ///< directionMissed
  double undecided;                 ///< variables that the last step tells no side of
  double rho, alpha, beta;          ///< conjugate gradients
  double rightNorm, residualNorm;   ///< squares, of the last solve
  double shiftPrimal, shiftDual;    ///< of the start
};

/// All arrays by variable have length n + m, (x, s).
struct View {
  int n, m;
  double const* cost;
  double const* lower;
  double const* upper;
  unsigned char const* kind;

  double* x;               ///< (x, s)
  double* y;               ///< length m
  double *wl, *wu;         ///< distances to the bounds, > 0
  double *zl, *zu;         ///< their multipliers, > 0
  double* ax;              ///< A x, length m
  double* aty;             ///< A'y, length n
  double* primalResidual;  ///< -(A x + s), length m
  double* dualResidual;    ///< c - A'y - zl + zu, for slacks - y - zl + zu
  double* lowerResidual;   ///< l - x + wl
  double* upperResidual;   ///< u - x - wu
  double* flexibility;     ///< 1 / (zl / wl + zu / wu), by variable; 0 for fixed ones
  double* rowTerm;         ///< flexibility of the slack + regularisation, length m
  double* targetLower;     ///< what z dw + w dz should be
  double* targetUpper;
  double* h;                     ///< right-hand side of the dual equations
  double* g;                     ///< of the primal ones, length m
  double *rowWork, *columnWork;  ///< lengths m and n
  Direction chosen;
  Direction trial;  ///< a correction of it

  double regularPrimal, regularFree, regularDual;
  Scalars* s;
};

/// Which bounds a variable has.
OSI_CUDA_HD inline bool lowerBounded(View const& v, int k) {
  return (v.kind[k] & hasLower) != 0;
}
OSI_CUDA_HD inline bool upperBounded(View const& v, int k) {
  return (v.kind[k] & hasUpper) != 0;
}
OSI_CUDA_HD inline bool fixedVariable(View const& v, int k) {
  return v.kind[k] == isFixed;
}

}  // namespace osi_cuda::barrier
