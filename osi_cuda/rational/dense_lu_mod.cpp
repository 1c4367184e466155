// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/sparse_lu_mod.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// Columns of a panel: the sum of a number and of so many products is reduced once.
constexpr size_t panelWidth = 15;

class DenseElimination {
 public:
  DenseElimination(DenseModularMatrix& matrix, PrimeField const& field, Watch& watch)
      : field_(field),
        watch_(watch),
        values_(matrix.values),
        rowNames_(matrix.rowNames),
        columnNames_(matrix.columnNames),
        isPivot_(columns(), 0) {}

  void run() {
    for (size_t first = 0; first < columns() && done() < rows(); first += panelWidth) {
      size_t const end = std::min(first + panelWidth, columns());
      size_t const before = done();
      for (size_t column = first; column < end && done() < rows(); ++column) pivot(column, end);
      update(before, end);
    }
  }

  void appendTo(Elimination& to) const {
    for (size_t k = 0; k < done(); ++k) {
      size_t const column = pivotColumns_[k];
      to.pivots.push_back({rowNames_[k], columnNames_[column], at(k, column)});
      for (size_t i = k + 1; i < rows(); ++i) {
        if (at(i, column) == 0) continue;
        to.lowerRows.push_back(rowNames_[i]);
        to.lowerValues.push_back(at(i, column));
      }
      for (size_t j = 0; j < columns(); ++j) {
        bool const earlier = j <= column && isPivot_[j];
        if (earlier || at(k, j) == 0) continue;
        to.upperColumns.push_back(columnNames_[j]);
        to.upperValues.push_back(at(k, j));
      }
      to.upperStarts.push_back(static_cast<std::int64_t>(to.upperColumns.size()));
      to.lowerStarts.push_back(static_cast<std::int64_t>(to.lowerRows.size()));
      watch_.spend(static_cast<std::int64_t>(rows() + columns()));
    }
  }

 private:
  size_t rows() const { return rowNames_.size(); }
  size_t columns() const { return columnNames_.size(); }
  size_t done() const { return pivotColumns_.size(); }
  ulong& at(size_t i, size_t j) { return values_[i * columns() + j]; }
  ulong at(size_t i, size_t j) const { return values_[i * columns() + j]; }

  /// Makes a pivot in `column`, unless it depends on those before it, and applies it to the columns
  /// of the panel, which ends at `end`. Multipliers take the place of the entries below.
  void pivot(size_t column, size_t end) {
    size_t row = done();
    while (row < rows() && at(row, column) == 0) ++row;
    if (row == rows()) return;
    size_t const k = done();
    if (row != k) {
      std::swap_ranges(&at(k, 0), &at(k, 0) + columns(), &at(row, 0));
      std::swap(rowNames_[k], rowNames_[row]);
    }
    ulong const inverse = field_.inverse(at(k, column));
    for (size_t i = k + 1; i < rows(); ++i) {
      if (at(i, column) == 0) continue;
      ulong const multiplier = field_.multiply(at(i, column), inverse);
      at(i, column) = multiplier;
      for (size_t j = column + 1; j < end; ++j)
        at(i, j) = field_.subtract(at(i, j), field_.multiply(multiplier, at(k, j)));
    }
    pivotColumns_.push_back(column);
    isPivot_[column] = 1;
    watch_.spend(static_cast<std::int64_t>((rows() - k) * (end - column)));
  }

  /// Applies the pivots from `before` on to the columns from `begin` on.
  void update(size_t before, size_t begin) {
    size_t const width = done() - before;
    if (width == 0) return;
    std::vector<ulong> multipliers(width);
    for (size_t i = before + 1; i < rows(); ++i) {
      size_t const count = std::min(width, i - before);
      for (size_t k = 0; k < count; ++k)
        multipliers[k] = field_.negate(at(i, pivotColumns_[before + k]));
      for (size_t j = begin; j < columns(); ++j) {
        Wide sum = at(i, j);
        for (size_t k = 0; k < count; ++k) sum += Wide{multipliers[k]} * at(before + k, j);
        at(i, j) = field_.reduce(sum);
      }
      watch_.spend(static_cast<std::int64_t>((columns() - begin) * (count + 3)));
    }
  }

  PrimeField const& field_;
  Watch& watch_;
  std::vector<ulong>& values_;
  std::vector<int>& rowNames_;
  std::vector<int> const& columnNames_;
  std::vector<size_t> pivotColumns_;
  std::vector<char> isPivot_;
};

}  // namespace

void eliminateDense(DenseModularMatrix matrix, PrimeField const& field, Watch& watch,
                    Elimination& elimination) {
  DenseElimination dense(matrix, field, watch);
  dense.run();
  dense.appendTo(elimination);
}

}  // namespace osi_cuda::rational
