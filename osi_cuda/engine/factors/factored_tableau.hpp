// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/engine/factors/factored_basis.hpp"
#include "osi_cuda/engine/host/positions.hpp"

namespace osi_cuda::factors {

/// Rows, columns and products of the tableau T = B^-1 N by solves with a factored basis. What a
/// solve or a sum passes are the entries that are not zero, of vectors and of the matrix.
template <class Number>
class FactoredTableau {
 public:
  using Vector = PatternVector<Number>;

  /// `positions` has the basis, and the sizes of the form that comes first.
  explicit FactoredTableau(host::Positions& positions) : p_(positions) {}

  /// Takes over sizes and matrix of a form, which the positions have already. To be followed by
  /// factor().
  void takeOver(StandardForm const& form);

  /// Factors of `basic` (by variable, changed where columns depend on others). The positions are
  /// left to the caller: their order is that of basis().basicVariables().
  Refactorisation factor(std::vector<char>& basic, std::function<bool()> const& stop);
  FactoredBasis<Number> const& basis() const { return basis_; }
  /// Goes back to factors that basis() was at some time for the form taken over.
  void restore(FactoredBasis<Number> const& basis) { basis_ = basis; }
  /// After the positions' variables changed by other means than exchange(). The entries of the last
  /// row and column are zero.
  void placeVariables();

  /// Whether rows pass over the columns of variables whose bounds are equal: such variables do not
  /// enter in the dual, and may be many.
  void passOverFixed(bool yes) { passesOverFixed_ = yes; }

  /// The column of column position q, by row position.
  Vector const& formColumn(int q);
  Vector const& formedColumn() const { return column_; }
  /// Row position r as doubles in the positions' array; and the row of B^-1 that it is made of, in
  /// the basis's order of the constraints.
  void placeRow(int r);
  Vector const& inverseRow() const { return inverseRow_; }
  /// B^-1 of that row of B^-1, by row position.
  Vector const& solveInverseRow();

  /// The last column's entries as doubles in the positions' array.
  void placeColumn();
  /// Where the last column and row placed are not zero.
  std::vector<int> const& columnEntries() const { return columnEntries_; }
  std::vector<int> const& rowEntries() const { return rowEntries_; }

  /// sum_i g_i T[i, :] by column position and sum_j g_j T[:, j] by row position, all entries.
  void combineRows(double const* g, double* out);
  void combineColumns(double const* g, double* out);
  /// The latter of g's entries at these places alone.
  Vector const& combineColumns(std::vector<int> const& places, double const* g);

  /// d = c - A'y with B'y = c_B, by column position, summed before it is rounded.
  void reducedCosts(std::vector<double>& out);

  /// The square of the norm of row i of B^-1.
  double rowNorm(int i);

  /// The exchange of the last row formed, r, and the last column, q, in the factors; the caller
  /// exchanges the variables.
  void exchange(int r, int q);
  /// The same in the factors alone, where no row was formed.
  void exchangeFactors(int r, int q);

  /// Entries of factors and of the matrix that were passed, about: alike in every run.
  double passedEntries() const { return passed_ + basis_.passedEntries(); }

 private:
  void addColumn(int variable, Number const& factor, Vector& x) const;
  void forProducts(Vector const& y, bool passFixed, auto f);

  host::Positions& p_;
  StandardForm const* form_ = nullptr;
  FactoredBasis<Number> basis_;
  std::vector<int> columnPlace_;  ///< variable -> its column position, or -1: it is basic
  bool passesOverFixed_ = false;
  double passed_ = 0.0;  ///< entries of the matrix
  Vector column_, middleOfColumn_;
  Vector inverseRow_, middleOfRow_;
  Vector row_;                       ///< by variable
  Vector product_;                   ///< by row position
  std::vector<Number> multipliers_;  ///< by constraint
  std::vector<int> columnEntries_, rowEntries_;
};

}  // namespace osi_cuda::factors
