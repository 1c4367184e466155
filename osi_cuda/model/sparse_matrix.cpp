// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/sparse_matrix.hpp"

#include <numeric>

namespace osi_cuda {

double SparseMatrix::density() const {
  if (rows == 0 || columns == 0) return 0.0;
  return static_cast<double>(nonzeros()) /
         (static_cast<double>(rows) * static_cast<double>(columns));
}

SparseMatrix SparseMatrix::transposed() const {
  SparseMatrix result;
  result.rows = columns;
  result.columns = rows;
  result.starts.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (int row : indices) ++result.starts[row + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());

  result.indices.resize(indices.size());
  result.values.resize(values.size());
  std::vector<std::int64_t> next(result.starts.begin(), result.starts.end() - 1);
  for (int j = 0; j < columns; ++j) {
    for (std::int64_t k = starts[j]; k < starts[j + 1]; ++k) {
      std::int64_t const place = next[indices[k]]++;
      result.indices[place] = j;
      result.values[place] = values[k];
    }
  }
  return result;
}

}  // namespace osi_cuda
