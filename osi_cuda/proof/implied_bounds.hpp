// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::proof {

/// Finite bounds in place of infinite ones that every x within rows and bounds satisfies: of a
/// column by a row whose other terms are bounded, of a row by the bounds of its columns. Bounds
/// that are finite stay as they are. Wide by more than their rounding.
struct ImpliedBounds {
  std::vector<double> columnLower, columnUpper, rowLower, rowUpper;
  double entries = 0.0;  ///< of the matrix that it looked at
};

/// Up to `rounds` passes over the matrix, each from the bounds that the one before found. With a
/// finite `worst`, of the points whose c'x (of a maximisation -c'x) is no larger.
ImpliedBounds impliedBounds(LinearProgram const& lp, int rounds, double worst = infinity);

}  // namespace osi_cuda::proof
