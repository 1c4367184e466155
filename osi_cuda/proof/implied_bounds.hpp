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
};

/// Up to `rounds` passes over the matrix, each from the bounds that the one before found.
ImpliedBounds impliedBounds(LinearProgram const& lp, int rounds);

}  // namespace osi_cuda::proof
