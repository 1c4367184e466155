// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// k sources and k sinks of one unit each, all costs 1: every feasible point is optimal, and an
/// interior point method ends in the middle of them. Of the 2 k basic variables of a vertex k are
/// 1, the others 0.
inline LinearProgram transportLp(int k) {
  LinearProgram lp;
  lp.matrix.rows = 2 * k;
  lp.matrix.columns = k * k;
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      lp.matrix.indices.insert(lp.matrix.indices.end(), {i, k + j});
      lp.matrix.values.insert(lp.matrix.values.end(), {1.0, 1.0});
      lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    }
  auto const columns = static_cast<std::size_t>(k * k), rows = static_cast<std::size_t>(2 * k);
  lp.objective.assign(columns, 1.0);
  lp.columnLower.assign(columns, 0.0);
  lp.columnUpper.assign(columns, infinity);
  lp.rowLower.assign(rows, 1.0);
  lp.rowUpper.assign(rows, 1.0);
  return lp;
}

}  // namespace osi_cuda::testing
