// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace osi_cuda {

/// A sparse matrix stored by columns (CSC), without gaps. Offsets are 64-bit, so the number of
/// nonzeros is limited by memory only. Read with rows and columns exchanged it is the transpose
/// stored by rows.
struct SparseMatrix {
  int rows = 0;
  int columns = 0;
  std::vector<std::int64_t> starts{0};  ///< columns + 1 offsets into indices and values
  std::vector<int> indices;             ///< row of each entry
  std::vector<double> values;           ///< value of each entry

  std::int64_t nonzeros() const { return starts.back(); }

  std::span<int const> columnIndices(int j) const {
    return {indices.data() + starts[j], static_cast<std::size_t>(starts[j + 1] - starts[j])};
  }
  std::span<double const> columnValues(int j) const {
    return {values.data() + starts[j], static_cast<std::size_t>(starts[j + 1] - starts[j])};
  }

  /// Share of the rows x columns entries that are stored; 0 for an empty matrix.
  double density() const;

  /// The transpose, its row indices ascending in every column (bucket sort, O(nonzeros)).
  SparseMatrix transposed() const;

  bool operator==(SparseMatrix const&) const = default;
};

}  // namespace osi_cuda
