// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// min 0 with this matrix, given by rows: columns >= 0, rows free.
inline LinearProgram problemOf(std::vector<std::vector<double>> const& rows, std::size_t columns) {
  LinearProgram lp;
  lp.matrix.rows = static_cast<int>(rows.size());
  lp.matrix.columns = static_cast<int>(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i][j] == 0.0) continue;
      lp.matrix.indices.push_back(static_cast<int>(i));
      lp.matrix.values.push_back(rows[i][j]);
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  }
  lp.objective.assign(columns, 0.0);
  lp.columnLower.assign(columns, 0.0);
  lp.columnUpper.assign(columns, infinity);
  lp.rowLower.assign(rows.size(), -infinity);
  lp.rowUpper.assign(rows.size(), infinity);
  return lp;
}

/// All rows basic, all columns at their lower bounds.
inline Basis slackBasis(LinearProgram const& lp) {
  return {
      std::vector<VariableStatus>(static_cast<std::size_t>(lp.columns()), VariableStatus::atLower),
      std::vector<VariableStatus>(static_cast<std::size_t>(lp.rows()), VariableStatus::basic)};
}

}  // namespace osi_cuda::testing
