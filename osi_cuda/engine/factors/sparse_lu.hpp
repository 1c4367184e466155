// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/engine/factors/number.hpp"
#include "osi_cuda/engine/factors/pattern_vector.hpp"

namespace osi_cuda::factors {

/// LU factors of a sparse square matrix: columns and rows of a single entry first, which need no
/// elimination, then right-looking elimination of the rest, with pivots chosen by Markowitz (1957)
/// among those of at least a tenth of their row's largest entry, by the search of Suhl and Suhl
/// (1990), and as a dense matrix once it has filled in. They do not change once they are formed.
///
/// Rows and columns go by the number of their pivot: with P[r, c] an entry of the matrix, the
/// factors are those of P[rowOf(k), columnOf(l)] = (L U)[k, l], L with ones on its diagonal. Solves
/// by each triangle pass over what is zero: see PatternVector.
template <class Number>
class SparseLu {
 public:
  using Vector = PatternVector<Number>;

  /// Factors the p x p matrix of these p columns (row numbers ascending or not, no duplicates).
  /// Entries that come out at most Precision::smallestEntry count as zero. Where `stop` (may be
  /// empty) answers true, Interrupted is thrown.
  SparseLu(int p, Lines<Number> const& columns, std::function<bool()> const& stop);
  SparseLu() = default;

  int size() const { return size_; }
  /// Entries of both triangles beside their diagonals.
  std::size_t entries() const { return lower_.entryCount() + upper_.entryCount(); }
  /// Rows and columns left without a pivot, as many of each; none where the matrix is regular, as
  /// it has to be for all that follows.
  std::vector<int> const& unpivotedRows() const { return unpivotedRows_; }
  std::vector<int> const& unpivotedColumns() const { return unpivotedColumns_; }

  int rowOf(int pivot) const { return pivots_[static_cast<std::size_t>(pivot)].row; }
  int columnOf(int pivot) const { return pivots_[static_cast<std::size_t>(pivot)].column; }
  int pivotOfRow(int row) const { return pivotOfRow_[static_cast<std::size_t>(row)]; }

  /// x <- L^-1 x, U^-1 x, U^-T x, L^-T x; entries up to `rounding` count as zero on the way.
  void solveLower(Vector& x, double rounding) const;
  void solveUpper(Vector& x, double rounding) const;
  void solveUpperTransposed(Vector& x, double rounding) const;
  void solveLowerTransposed(Vector& x, double rounding) const;

  /// x -= column k of U
  void subtractUpperColumn(int k, Vector& x) const;

 private:
  struct Pivot {
    int row;
    int column;
    Number value;  ///< on U's diagonal
  };
  class Elimination;

  void numberByPivots();

  int size_ = 0;
  std::vector<Pivot> pivots_;
  std::vector<int> pivotOfRow_;
  int firstLower_ = 0;  ///< L's columns before this one have nothing below the diagonal
  // The entries off the diagonal: L by columns, U by rows, and the other way round. While they are
  // formed L's entries go by row, and U's by column.
  Lines<Number> lower_, upper_, lowerTransposed_, upperTransposed_;
  std::vector<int> unpivotedRows_, unpivotedColumns_;
};

}  // namespace osi_cuda::factors
