// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "osi_cuda/model/dense_entries.hpp"

namespace osi_cuda {
namespace {

/// 0, length, 2 length, ...
std::vector<std::int64_t> evenStarts(int lines, int length) {
  std::vector<std::int64_t> starts(at(lines) + 1);
  for (std::size_t j = 0; j < starts.size(); ++j) starts[j] = static_cast<std::int64_t>(j) * length;
  return starts;
}

bool ascending(SparseMatrix const& matrix) {
  for (int j = 0; j < matrix.columns; ++j)
    if (!std::ranges::is_sorted(matrix.columnIndices(j))) return false;
  return true;
}

}  // namespace

double SparseMatrix::density() const {
  if (rows == 0 || columns == 0) return 0.0;
  return static_cast<double>(nonzeros()) /
         (static_cast<double>(rows) * static_cast<double>(columns));
}

SparseMatrix SparseMatrix::transposed() const {
  SparseMatrix result;
  result.rows = columns;
  result.columns = rows;
  if (isDense()) {
    result.starts = evenStarts(rows, columns);
    result.dense = dense;
    result.dense.byRows = !dense.byRows;
    return result;
  }
  result.starts.assign(at(rows) + 1, 0);
  for (int row : indices) ++result.starts[row + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());

  result.indices.resize(indices.size());
  result.values.resize(values.size());
  std::vector<std::int64_t> next(result.starts.begin(), result.starts.end() - 1);
  auto const place = [&](int j, std::int64_t k) {
    std::int64_t const to = next[indices[k]]++;
    result.indices[to] = j;
    result.values[to] = values[k];
  };
  if (density() < 0.3 || !ascending(*this)) {
    for (int j = 0; j < columns; ++j)
      for (std::int64_t k = starts[j]; k < starts[j + 1]; ++k) place(j, k);
    return result;
  }
  // By bands of rows: caches hold no more places to write to.
  constexpr int band = 64;
  std::vector<std::int64_t> from(starts.begin(), starts.end() - 1);
  for (int end = band; end - band < rows; end += band)
    for (int j = 0; j < columns; ++j)
      while (from[j] < starts[j + 1] && indices[from[j]] < end) place(j, from[j]++);
  return result;
}

void SparseMatrix::makeSparse() {
  if (!isDense()) return;
  std::int64_t const rowStep = dense.byRows ? columns : 1, columnStep = dense.byRows ? 1 : rows;
  *this = DenseEntries(rows, columns, dense.numbers, rowStep, columnStep).nonzeros();
}

bool SparseMatrix::operator==(SparseMatrix const& other) const {
  if (rows != other.rows || columns != other.columns || starts != other.starts) return false;
  if (!isDense() && !other.isDense()) return indices == other.indices && values == other.values;
  ColumnReader own(*this), others(other);
  for (int j = 0; j < columns; ++j)
    if (!std::ranges::equal(columnIndices(j), other.columnIndices(j)) ||
        !std::ranges::equal(own(j), others(j)))
      return false;
  return true;
}

SparseMatrix denseMatrix(int rows, int columns, double const* numbers, bool byRows,
                         std::shared_ptr<void const> owner) {
  SparseMatrix matrix;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.starts = evenStarts(columns, rows);
  auto const lines = at(std::max(rows, columns));
  std::shared_ptr<int[]> const lineNumbers(new int[lines]);
  std::iota(lineNumbers.get(), lineNumbers.get() + lines, 0);
  matrix.dense = {numbers, byRows, std::move(owner), lineNumbers, {}};
  return matrix;
}

std::span<double const> ColumnReader::packed(int j) {
  auto const rows = at(matrix_.rows);
  if (j < first_ || j >= first_ + width) {
    first_ = j / width * width;
    auto const count = at(std::min(width, matrix_.columns - first_));
    reserve();
    double const* from = matrix_.dense.numbers + first_;
    for (std::size_t i = 0; i < rows; ++i, from += matrix_.columns)
      for (std::size_t c = 0; c < count; ++c) columns_[c * rows + i] = from[c];
  }
  return {columns_.data() + at(j - first_) * rows, rows};
}

}  // namespace osi_cuda
