// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// One row of a small problem: its entries by column, and its bounds.
struct TinyRow {
  std::vector<double> entries;
  double lower, upper;
};

/// One column: its cost and its bounds.
struct TinyColumn {
  double cost, lower, upper;
};

inline LinearProgram tinyProblem(std::vector<TinyColumn> const& columns,
                                 std::vector<TinyRow> const& rows) {
  LinearProgram lp;
  SparseMatrix byRows;
  byRows.rows = static_cast<int>(columns.size());
  byRows.columns = static_cast<int>(rows.size());
  for (TinyRow const& row : rows) {
    for (std::size_t j = 0; j < row.entries.size(); ++j) {
      if (row.entries[j] == 0.0) continue;
      byRows.indices.push_back(static_cast<int>(j));
      byRows.values.push_back(row.entries[j]);
    }
    byRows.starts.push_back(static_cast<std::int64_t>(byRows.indices.size()));
    lp.rowLower.push_back(row.lower);
    lp.rowUpper.push_back(row.upper);
  }
  for (TinyColumn const& column : columns) {
    lp.objective.push_back(column.cost);
    lp.columnLower.push_back(column.lower);
    lp.columnUpper.push_back(column.upper);
  }
  lp.matrix = byRows.transposed();
  return lp;
}

}  // namespace osi_cuda::testing
