// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/prime_field.hpp"
#include "osi_cuda/rational/watch.hpp"

namespace osi_cuda::rational {

/// A sparse matrix, stored by rows.
template <class Values>
struct RowMatrix {
  int rows = 0, columns = 0;
  std::vector<std::int64_t> starts{0};  ///< rows + 1 offsets
  std::vector<int> indices{};           ///< column of each entry, distinct within a row
  Values values{};

  std::int64_t entries() const { return starts.back(); }
};

/// Modulo a prime. Zeros may be among the values.
using ModularMatrix = RowMatrix<std::vector<ulong>>;

/// The transposed matrix; copy(to, from) for each of the values.
template <class Values>
RowMatrix<Values> transposed(RowMatrix<Values> const& matrix, auto copy) {
  RowMatrix<Values> result{matrix.columns, matrix.rows};
  result.starts.assign(at(matrix.columns) + 1, 0);
  result.indices.resize(matrix.indices.size());
  result.values = Values(matrix.indices.size());
  for (int const column : matrix.indices) ++result.starts[at(column) + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  std::vector<std::int64_t> place(result.starts.begin(), result.starts.end() - 1);
  for (int i = 0; i < matrix.rows; ++i)
    for (auto e = at(matrix.starts[at(i)]); e < at(matrix.starts[at(i) + 1]); ++e) {
      auto const to = at(place[at(matrix.indices[e])]++);
      result.indices[to] = i;
      copy(result.values[to], matrix.values[e]);
    }
  return result;
}

/// One step of an elimination: row `row` times multipliers is taken from the others.
struct Pivot {
  int row = 0;
  int column = 0;
  ulong value = 0;
};

/// What an elimination leaves: pivots in their order, the rows of U without the pivots and the
/// columns of L without the ones. Entries of pivot k lie at starts[k] .. starts[k + 1].
struct Elimination {
  std::vector<Pivot> pivots;
  std::vector<std::int64_t> upperStarts{0}, lowerStarts{0};
  std::vector<int> upperColumns, lowerRows;
  std::vector<ulong> upperValues, lowerValues;
};

/// Gaussian elimination with pivots chosen by Markowitz' rule (1957): least (r - 1)(c - 1) among
/// the shortest rows and columns (a few of them, as Suhl and Suhl 1990 do), so that singleton
/// columns and rows come first. Any nonzero pivot is as good as another: nothing is rounded. What
/// is left is taken over by eliminateDense once it has filled in.
Elimination eliminate(ModularMatrix const& matrix, PrimeField const& field, Watch& watch);

/// L U = the rows and columns of the pivots of a matrix modulo a prime.
class SparseLuMod {
 public:
  SparseLuMod(ModularMatrix const& matrix, PrimeField const& field, Watch& watch);

  int rank() const { return static_cast<int>(rows_.size()); }
  std::vector<int> const& pivotRows() const { return rows_; }        ///< in their order
  std::vector<int> const& pivotColumns() const { return columns_; }  ///< in their order
  /// Entries of L and U, diagonals included.
  std::int64_t entries() const;

  /// x with A x = b; both of length n, for a square matrix of full rank. May be the same.
  void solve(std::span<ulong const> b, std::span<ulong> x) const;
  /// x with A'x = b.
  void solveTransposed(std::span<ulong const> b, std::span<ulong> x) const;

 private:
  /// A strict triangle by rows or by columns; indices are numbers of pivots.
  using Triangle = ModularMatrix;
  /// x_k - sum of the entries of line k times x.
  ulong without(Triangle const& triangle, std::size_t k, std::vector<ulong> const& x) const;

  PrimeField field_;
  std::vector<int> rows_, columns_;
  std::vector<ulong> inverses_;  ///< of the pivots
  Triangle lowerByRows_, lowerByColumns_, upperByRows_, upperByColumns_;
};

/// A dense matrix modulo a prime, rows one after the other.
struct DenseModularMatrix {
  std::vector<int> rowNames, columnNames;  ///< numbers in the matrix it is a part of
  std::vector<ulong> values;               ///< rowNames.size() x columnNames.size()
};

/// Eliminates all of `matrix`, whatever its rank, in panels of a few columns, and appends the
/// pivots to `elimination`.
void eliminateDense(DenseModularMatrix matrix, PrimeField const& field, Watch& watch,
                    Elimination& elimination);

}  // namespace osi_cuda::rational
