// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "osi_cuda/model/double_double.hpp"

namespace osi_cuda::proof {

/// Entries of a sparse line: places and values.
using Line = std::vector<std::pair<int, DoubleDouble>>;

/// L U of some rows of a sparse matrix, by elimination with pivots of small Markowitz count (1957)
/// in pairs of doubles, nothing dropped, and rigorous bounds of what they miss. It shares nothing
/// with the engines' factors.
///
/// Of a row P_i that was changed k times, each entry of P - L U is at most  (k + 4) u |L| |U|  with
/// the rounding u of pairs of doubles, whatever the order of the changes (Higham, "Accuracy and
/// stability of numerical algorithms", 2002, theorem 9.3). Entries of |L^-1| and |U^-1| are at most
/// those of the inverses of the comparison matrices, which have the absolute values on the diagonal
/// and the negative ones beside it (Ostrowski 1937).
///
/// Vectors over rows have the length of the rows that were given, those over columns `columns`.
class BoundedFactors {
 public:
  /// `work` goes down by the operations; below zero, or where `stop` said so, which then makes it
  /// that, the factors are of no use.
  BoundedFactors(std::vector<Line> rows, int columns, double& work,
                 std::function<bool()> const& stop);

  struct Pivot {
    int row, column;
    DoubleDouble value;
    Line below;  ///< rows and factors of this column of L
    Line right;  ///< columns and values of this row of U
  };
  std::vector<Pivot> const& pivots() const { return pivots_; }
  std::size_t entries() const { return entries_; }  ///< of L and U
  /// Rows that depend on those with pivots, but for rounding.
  std::vector<int> const& leftOver() const { return leftOver_; }

  /// Solves for the columns with pivots from the rows with pivots; other columns get 0.
  std::vector<double> solve(std::vector<double> byRow) const;
  /// What a row that is left over takes of rows with pivots: these and how often.
  Line multipliersOf(int leftOver) const;
  /// Not below |U^-1| |L^-1| v, by column, for v >= 0.
  std::vector<double> boundOfSolve(std::vector<double> byRow) const;
  /// Not below |P - L U| u, by row, for u >= 0.
  std::vector<double> boundOfError(std::vector<double> const& byColumn) const;

 private:
  std::vector<Pivot> pivots_;
  std::vector<int> leftOver_;
  std::vector<char> hasPivot_;  ///< by row
  std::vector<int> changes_;    ///< of each row: entries of L
  /// The rows of L, where some are left over: numbers of pivots and factors.
  std::vector<Line> factorsOfRow_;
  std::size_t rows_, columns_, entries_ = 0;
};

}  // namespace osi_cuda::proof
