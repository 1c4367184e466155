// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/model/double_double.hpp"

namespace osi_cuda::precise {

/// An entry of a sparse line.
struct Entry {
  int index;
  DoubleDouble value;
};

/// LU factors of a sparse square matrix in double-double arithmetic: right-looking elimination,
/// pivots chosen by Markowitz (1957) among those of at least a tenth of their row's largest entry,
/// with the search of Suhl and Suhl (1990).
class SparseLu {
 public:
  /// Factors the p x p matrix that has these columns (row numbers ascending or not, no duplicates).
  /// Entries that come out at most `smallest` count as zero. Where `stop` (may be empty) answers
  /// true, Interrupted is thrown.
  SparseLu(int p, std::vector<std::vector<Entry>> const& columns, double smallest,
           std::function<bool()> const& stop);
  SparseLu() = default;

  int size() const { return size_; }
  /// Rows and columns left without a pivot, as many of each; none where the matrix is regular.
  std::vector<int> const& unpivotedRows() const { return unpivotedRows_; }
  std::vector<int> const& unpivotedColumns() const { return unpivotedColumns_; }

  /// x <- P^-1 x: by row in, by column out. Length p; P regular.
  void solve(std::vector<DoubleDouble>& x) const;
  /// x <- P^-T x: by column in, by row out.
  void solveTransposed(std::vector<DoubleDouble>& x) const;

 private:
  struct Pivot {
    int row;
    int column;
    DoubleDouble value;
    std::vector<Entry> multipliers;  ///< of the rows that were eliminated by this one
    std::vector<Entry> rest;         ///< of the pivot's row, by column
  };
  class Elimination;

  int size_ = 0;
  std::vector<Pivot> pivots_;
  std::vector<int> unpivotedRows_, unpivotedColumns_;
};

}  // namespace osi_cuda::precise
