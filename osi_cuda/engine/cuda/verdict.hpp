// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/products.hpp"
#include "osi_cuda/engine/cuda/views.hpp"
#include "osi_cuda/proof/reductions.hpp"

/// The refinement and the verification of a point on the device, in one launch, by the formulas of
/// osi_cuda/proof/. All arrays are in device memory; sums have a fixed order.
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

/// What was found of the point's doubles alone, or of both parts.
struct VerdictSums {
  proof::Bounded objective;
  proof::Charges charges;
  double largest = 0.0;  ///< |x| with the former, |y| with the latter
};
/// And what comes of the former, [0], and of the latter, [1].
struct VerdictNumbers {
  proof::Worth worth[2];
  double largest[2] = {};
};

inline constexpr int verdictThreads = 512, verdictWarps = verdictThreads / 32;

/// The tableau's own point, scaled, by variable; room to refine and to verify it; the results.
struct PointView {
  int blocks = 1;
  double const *value = nullptr, *reducedCost = nullptr, *cost = nullptr;
  Pairs x, y;                    ///< refined: of structurals, by constraint
  double* residual = nullptr;    ///< by row position, then by column position
  double* rowProduct = nullptr;  ///< D g in pieces: length m, or a number for each warp
  double* products = nullptr;    ///< U h and V g: 2 K
  double* shares = nullptr;      ///< of D'h and these: n + 2 K, and 3 x 32 numbers for each warp
  VerdictSums* sums = nullptr;   ///< 4 x blocks
  /// In the problem's own numbers, one behind the other: x (n), y (m), activities (m), reduced
  /// costs (n), the latter two of both parts.
  double* results = nullptr;
  double* landing = nullptr;  ///< the host's memory: VerdictNumbers, then the results
};

/// Refines the tableau's point by one round (Wilkinson 1963) with the tableau as the approximate
/// inverse, and verifies it on the problem as it was given. `after`: only where that launch of
/// pivots ended at an optimum or at the cutoff with the costs that it began with; `used` is its own
/// then.
void verifyPoint(cudaStream_t stream, TableauView const& tableau, int used,
                 LaunchReport const* after, GivenView const& given, PointView const& point);
/// Whether such a launch is followed by a verdict.
OSI_CUDA_HD inline bool verifiesAfter(LaunchReport const& report) {
  return report.shifts == 0 &&
         (report.pivots.stop == Stop::optimal || report.pivots.stop == Stop::cutoff);
}

}  // namespace osi_cuda::cuda
