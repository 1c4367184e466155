// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/products.hpp"
#include "osi_cuda/proof/reductions.hpp"

/// The verification of a point on the device, by the formulas of osi_cuda/proof/. All arrays are in
/// device memory; sums have a fixed order.
namespace osi_cuda::cuda {

/// Numbers in two parts, high + low.
struct Pairs {
  double* high = nullptr;
  double* low = nullptr;
};

/// The problem as it was given: bounds of columns, then of rows; the scaled matrix with the factors
/// that it was multiplied by, powers of two.
struct GivenView {
  int m = 0, n = 0;
  LinesView rows, columns;
  double const *rowScale = nullptr, *columnScale = nullptr;
  double const *lower = nullptr, *upper = nullptr;  ///< length n + m
  double const* objective = nullptr;                ///< length n
  double costScale = 1.0, offset = 0.0, sign = 1.0;
};

/// What was found of the point: [0] of its doubles alone, [1] of both parts.
struct VerdictSums {
  struct Share {
    double primal = 0.0;
    proof::Charges charges;
  };
  proof::Bounded objective[2];
  Share share[2];
  double largest[2] = {};  ///< |x|, |y|
};
/// And what comes of it.
struct VerdictNumbers {
  proof::Worth worth[2];
  double largest[2] = {};
};

inline constexpr int verdictWarps = 1024;  ///< each has a share of the columns and rows
inline constexpr int verdictSums = verdictWarps + 32 + 1;  ///< sums of shares, to work in

/// Where the sums go and, in the problem's own numbers, the point: x (n), y (m), activities (m),
/// reduced costs (n), the latter two of both parts.
struct VerdictResults {
  VerdictSums* partial = nullptr;  ///< verdictSums of them
  VerdictNumbers* found = nullptr;
  double *x = nullptr, *y = nullptr, *activity = nullptr, *reducedCost = nullptr;
};

/// Verifies a point (scaled, by variable and by constraint) on the problem as it was given.
void verifyPoint(cudaStream_t stream, GivenView const& given, Pairs const& x, Pairs const& y,
                 VerdictResults const& results);

}  // namespace osi_cuda::cuda
