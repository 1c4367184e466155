// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/dense_array.hpp"

namespace osi_cuda {

/// A sparse matrix stored by columns (CSC), without gaps. Offsets are 64-bit, so the number of
/// nonzeros is limited by memory only. Read with rows and columns exchanged it is the transpose
/// stored by rows.
///
/// A matrix whose entries are nearly all there may stand on a DenseArray instead: then `indices`
/// and `values` are empty, every column lists all rows in order, and zeros count as entries.
/// Whoever looks at such a matrix goes by its columns, or by a ColumnReader; whoever changes it
/// calls makeSparse before. Only a Solver is given such matrices.
struct SparseMatrix {
  int rows = 0;
  int columns = 0;
  std::vector<std::int64_t> starts{0};  ///< columns + 1 offsets into indices and values
  std::vector<int> indices;             ///< row of each entry
  std::vector<double> values;           ///< value of each entry
  DenseArray dense{};                   ///< in place of indices and values

  std::int64_t nonzeros() const { return starts.back(); }
  bool isDense() const { return dense.numbers != nullptr; }

  std::span<int const> columnIndices(int j) const {
    std::size_t const length = at(starts[j + 1] - starts[j]);
    return {isDense() ? dense.lineNumbers.get() : indices.data() + starts[j], length};
  }
  Entries columnValues(int j) const {
    std::size_t const length = at(starts[j + 1] - starts[j]);
    if (!isDense()) return {values.data() + starts[j], length, 1};
    return dense.byRows ? Entries(dense.numbers + j, length, columns)
                        : Entries(dense.numbers + starts[j], length, 1);
  }

  Column column(int j) const { return {columnIndices(j).data(), columnValues(j)}; }

  /// Makes a matrix column by column: adds an entry to the one behind the last, which endColumn
  /// closes.
  void add(int row, double value) {
    indices.push_back(row);
    values.push_back(value);
  }
  void endColumn() {
    starts.push_back(std::ssize(indices));
    columns = static_cast<int>(starts.size()) - 1;
  }

  /// Share of the rows x columns entries that are stored; 0 for an empty matrix.
  double density() const;

  /// The transpose, its row indices ascending in every column (bucket sort, O(nonzeros)). Of a
  /// matrix that stands on a DenseArray the same numbers, seen the other way.
  SparseMatrix transposed() const;

  /// Takes the entries out of the DenseArray, if there is one; zeros are left out.
  void makeSparse();

  /// The same entries, wherever they are stored.
  bool operator==(SparseMatrix const& other) const;
};

/// rows x columns numbers (both > 0) as a matrix that stands on them; see DenseArray.
SparseMatrix denseMatrix(int rows, int columns, double const* numbers, bool byRows,
                         std::shared_ptr<void const> owner);

/// Columns of a matrix as successive numbers, for passes over all of it: of a DenseArray by rows
/// some columns are copied together, since the caches bring them together. To be used by one
/// thread.
class ColumnReader {
 public:
  /// The matrix must outlive the reader.
  explicit ColumnReader(SparseMatrix const& matrix) : matrix_(matrix) {}

  /// Readers for the threads 0 .. threads - 1 of a parallel region, with the memory that they need:
  /// no exception may leave a region.
  static std::vector<ColumnReader> forThreads(SparseMatrix const& matrix, int threads) {
    ColumnReader reader(matrix);
    reader.reserve();
    return std::vector<ColumnReader>(static_cast<std::size_t>(threads), reader);
  }

  /// The values of column j, valid until the next call.
  std::span<double const> operator()(int j) {
    auto const& m = matrix_;
    std::size_t const length = at(m.starts[j + 1] - m.starts[j]);
    if (m.dense.byRows) return packed(j);
    return {(m.isDense() ? m.dense.numbers : m.values.data()) + m.starts[j], length};
  }
  /// The same with their rows.
  Column column(int j) {
    std::span<double const> const values = (*this)(j);
    return {matrix_.columnIndices(j).data(), Entries(values.data(), values.size(), 1)};
  }

 private:
  static constexpr int width = 8;  ///< columns of a line of the cache

  void reserve() {
    if (matrix_.dense.byRows) columns_.resize(static_cast<std::size_t>(matrix_.rows) * width);
  }
  std::span<double const> packed(int j);

  SparseMatrix const& matrix_;
  int first_ = -width;  ///< column where the copied ones begin
  std::vector<double> columns_;
};

}  // namespace osi_cuda
