// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// min x1 + x2, x1 + 2 x2 >= 4, 0 <= x1, 0 <= x2 <= 1; optimum 3 at (2, 1), y = 1, d = (0, -1).
inline LinearProgram smallLp() {
  LinearProgram lp;
  lp.matrix = {1, 2, {0, 1, 2}, {0, 0}, {1.0, 2.0}};
  lp.objective = {1.0, 1.0};
  lp.columnLower = {0.0, 0.0};
  lp.columnUpper = {infinity, 1.0};
  lp.rowLower = {4.0};
  lp.rowUpper = {infinity};
  return lp;
}

}  // namespace osi_cuda::testing
