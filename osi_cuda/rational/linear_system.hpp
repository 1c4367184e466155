// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/model/sparse_matrix.hpp"
#include "osi_cuda/rational/integer_matrix.hpp"
#include "osi_cuda/rational/lifting.hpp"

namespace osi_cuda::rational {

/// A part of a matrix of doubles in integers: entry (i, j) is that of rows[i], columns[j], times
/// 2^(rowShifts[i] + columnShifts[j]).
struct IntegerPart {
  IntegerMatrix matrix;
  std::vector<int> rowShifts, columnShifts;
};

/// A column that the row x_of - x_copy = b makes a copy of another one, with entries in no other
/// rows than that has. All are positions in a part.
struct ColumnCopy {
  int row = 0, of = 0, copy = 0;
  std::vector<std::pair<int, double>> entries;  ///< of the copy, in other rows
};

/// Rows and columns of a part that make a regular matrix as large as its rank, by position.
struct IndependentPart {
  std::vector<int> rows, columns;
};
IndependentPart independentPart(SparseMatrix const& matrix, std::span<int const> rows,
                                std::span<int const> columns, Watch& watch);

/// The square part A[rows, columns] of a matrix of doubles, factored modulo a prime that does not
/// divide its determinant, for exact solves. Copies are first added to what they are copies of.
class LinearSystem {
 public:
  /// Throws Stopped and TooLarge.
  LinearSystem(SparseMatrix const& matrix, std::vector<int> rows, std::vector<int> columns,
               Watch& watch);

  /// In rationals, not modulo a prime: a prime that divides the determinant is told from a matrix
  /// that is singular by an exact combination of columns that makes another one.
  bool regular() const { return factors_ != nullptr; }
  /// Of a singular matrix the rows and columns, by their numbers in the whole matrix, that found no
  /// pivot: the columns are combinations of the others, and the first is proved to be.
  std::vector<int> const& dependentRows() const { return dependentRows_; }
  std::vector<int> const& dependentColumns() const { return dependentColumns_; }

  std::vector<int> const& rows() const { return rows_; }
  std::vector<int> const& columns() const { return columns_; }
  /// Entries of the factors.
  std::int64_t entries() const { return factors_ ? factors_->entries() : 0; }

  /// x, by position in columns(), with A[rows, columns] x = b, by position in rows(); or
  /// `transposed`: x, by position in rows(), with A[rows, columns]' x = b, by position in
  /// columns().
  Fractions solve(Fractions const& b, bool transposed = false) const;

 private:
  bool provedSingular(SparseLuMod const& factors, PrimeField const& field);
  Fractions solvePart(Fractions const& b, bool transposed) const;

  std::vector<int> rows_, columns_;
  std::vector<ColumnCopy> copies_;
  std::vector<int> keptRows_, keptColumns_;  ///< those of part_, by position
  int shift_ = 0;                            ///< what makes the entries of copies whole numbers
  Watch& watch_;
  IntegerPart part_;
  std::optional<PrimeField> field_;
  std::unique_ptr<SparseLuMod> factors_;
  std::vector<int> dependentRows_, dependentColumns_;
};

}  // namespace osi_cuda::rational
