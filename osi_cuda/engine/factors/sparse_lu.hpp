// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/engine/factors/number.hpp"

namespace osi_cuda::factors {

/// LU factors of a sparse square matrix: columns and rows of a single entry first, which need no
/// elimination, then right-looking elimination of the rest, with pivots chosen by Markowitz (1957)
/// among those of at least a tenth of their row's largest entry, by the search of Suhl and Suhl
/// (1990). Solves pass over what is zero.
template <class Number>
class SparseLu {
 public:
  /// Factors the p x p matrix of these p columns (row numbers ascending or not, no duplicates).
  /// Entries that come out at most Precision::smallestEntry count as zero. Where `stop` (may be
  /// empty) answers true, Interrupted is thrown.
  SparseLu(int p, Lines<Number> const& columns, std::function<bool()> const& stop);
  SparseLu() = default;

  int size() const { return size_; }
  /// Rows and columns left without a pivot, as many of each; none where the matrix is regular.
  std::vector<int> const& unpivotedRows() const { return unpivotedRows_; }
  std::vector<int> const& unpivotedColumns() const { return unpivotedColumns_; }

  /// x <- P^-1 x: by row in, by column out. Length p; P regular.
  void solve(std::vector<Number>& x) const;
  /// x <- P^-T x: by column in, by row out.
  void solveTransposed(std::vector<Number>& x) const;

 private:
  struct Pivot {
    int row;
    int column;
    Number value;
  };
  class Elimination;

  int size_ = 0;
  std::vector<Pivot> pivots_;
  // By number of the pivot. L: what row_k, once final, is subtracted from, by row; U: the rest of
  // row_k, by column. The transposed ones: by pivot again, with the rows (columns) of L (U)'s
  // lines.
  Lines<Number> lower_, upper_, lowerTransposed_, upperTransposed_;
  std::vector<int> unpivotedRows_, unpivotedColumns_;
  mutable std::vector<Number> work_;
};

}  // namespace osi_cuda::factors
