// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::stress {

/// A dense problem while it is put together: m x n zeros, free rows, columns x >= 0.
struct DenseProblem {
  int rows, columns;
  std::vector<double> matrix;  ///< by rows
  LinearProgram lp;            ///< all but the matrix

  DenseProblem(int m, int n) : rows(m), columns(n), matrix(static_cast<std::size_t>(m) * n, 0.0) {
    lp.objective.assign(n, 0.0);
    lp.columnLower.assign(n, 0.0);
    lp.columnUpper.assign(n, infinity);
    lp.rowLower.assign(m, -infinity);
    lp.rowUpper.assign(m, infinity);
  }
  double& at(int i, int j) { return matrix[static_cast<std::size_t>(i) * columns + j]; }

  /// A x in doubles.
  std::vector<double> times(std::vector<double> const& x) {
    std::vector<double> product(rows, 0.0);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) product[i] += at(i, j) * x[j];
    return product;
  }

  LinearProgram finished() {
    lp.matrix.rows = rows;
    lp.matrix.columns = columns;
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i)
        if (at(i, j) != 0.0) {
          lp.matrix.indices.push_back(i);
          lp.matrix.values.push_back(at(i, j));
        }
      lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    }
    return lp;
  }
};

}  // namespace osi_cuda::stress
