// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/base/index.hpp"
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
  void takeOver(StandardForm const& form) {
    form_ = &form;
    for (Vector* x : {&column_, &middleOfColumn_, &inverseRow_, &middleOfRow_, &product_})
      x->resize(form.rows());
    row_.resize(form.variables());
    columnEntries_.clear();
    rowEntries_.clear();
  }

  /// Factors of `basic` (by variable, changed where columns depend on others). The positions are
  /// left to the caller: their order is that of basis().basicVariables().
  Refactorisation factor(std::vector<char>& basic, std::function<bool()> const& stop) {
    return basis_.factor(*form_, basic, stop);
  }
  FactoredBasis<Number> const& basis() const { return basis_; }
  /// Goes back to factors that basis() was at some time for the form taken over.
  void restore(FactoredBasis<Number> const& basis) { basis_ = basis; }
  /// After the positions' variables changed by other means than exchange(). The entries of the last
  /// row and column are zero.
  void placeVariables() {
    columnPlace_.assign(at(p_.n + p_.m), -1);
    for (int j = 0; j < p_.n; ++j) columnPlace_[at(p_.nonbasic[at(j)])] = j;
    for (int const i : columnEntries_) p_.rowEntry[at(i)] = 0.0;
    for (int const j : rowEntries_) p_.columnEntry[at(j)] = 0.0;
    columnEntries_.clear();
    rowEntries_.clear();
  }

  /// Whether rows pass over the columns of variables whose bounds are equal: such variables do not
  /// enter in the dual, and may be many.
  void passOverFixed(bool yes) { passesOverFixed_ = yes; }

  /// The column of column position q, by row position.
  Vector const& formColumn(int q) {
    column_.clear();
    addColumn(p_.nonbasic[at(q)], Number(1.0), column_);
    basis_.solve(column_, &middleOfColumn_);
    return column_;
  }
  Vector const& formedColumn() const { return column_; }
  /// Row position r as doubles in the positions' array; and the row of B^-1 that it is made of, in
  /// the basis's order of the constraints.
  void placeRow(int r) {
    inverseRow_.clear();
    inverseRow_.set(r, Number(1.0));
    basis_.solveTransposed(inverseRow_, &middleOfRow_);
    for (int const j : rowEntries_) p_.columnEntry[at(j)] = 0.0;
    rowEntries_.clear();
    forProducts(inverseRow_, passesOverFixed_, [this](int j, Number const& sum) {
      double const entry = rounded(sum);
      if (entry == 0.0) return;
      p_.columnEntry[at(j)] = entry;
      rowEntries_.push_back(j);
    });
    passed_ += testedEntry * static_cast<double>(rowEntries_.size());
  }
  Vector const& inverseRow() const { return inverseRow_; }
  /// B^-1 of that row of B^-1, by row position.
  Vector const& solveInverseRow() {
    product_.assign(inverseRow_);
    basis_.solve(product_);
    return product_;
  }

  /// The last column's entries as doubles in the positions' array.
  /// The entries that are rounded to zero are not among columnEntries().
  void placeColumn() {
    for (int const i : columnEntries_) p_.rowEntry[at(i)] = 0.0;
    columnEntries_.clear();
    auto const take = [&](int i) {
      double const entry = rounded(column_[i]);
      if (entry == 0.0) return;
      p_.rowEntry[at(i)] = entry;
      columnEntries_.push_back(i);
    };
    if (!column_.mostlyMarked()) return column_.marks().sweepUp(take);
    for (int i = 0; i < p_.m; ++i) take(i);
  }
  /// Where the last column and row placed are not zero.
  std::vector<int> const& columnEntries() const { return columnEntries_; }
  std::vector<int> const& rowEntries() const { return rowEntries_; }

  /// sum_i g_i T[i, :] by column position and sum_j g_j T[:, j] by row position, all entries.
  void combineRows(double const* g, double* out) {
    product_.clear();
    for (int i = 0; i < p_.m; ++i)
      if (g[i] != 0.0) product_.set(i, Number(g[i]));
    basis_.solveTransposed(product_);
    std::fill_n(out, p_.n, 0.0);
    forProducts(product_, false, [&](int j, Number const& sum) { out[j] = rounded(sum); });
  }
  void combineColumns(double const* g, double* out) {
    product_.clear();
    for (int j = 0; j < p_.n; ++j)
      if (g[j] != 0.0) addColumn(p_.nonbasic[at(j)], Number(g[j]), product_);
    basis_.solve(product_);
    for (int i = 0; i < p_.m; ++i) out[i] = rounded(product_[i]);
  }
  /// The latter of g's entries at these places alone.
  Vector const& combineColumns(std::vector<int> const& places, double const* g) {
    product_.clear();
    for (int const j : places)
      if (g[j] != 0.0) addColumn(p_.nonbasic[at(j)], Number(g[j]), product_);
    basis_.solve(product_);
    return product_;
  }

  /// d = c - A'y with B'y = c_B, by column position, summed before it is rounded.
  void reducedCosts(std::vector<double>& out) {
    product_.clear();
    for (int i = 0; i < p_.m; ++i) {
      double const cost = p_.cost[at(p_.basic[at(i)])];
      if (cost != 0.0) product_.set(i, Number(cost));
    }
    basis_.solveTransposed(product_);
    if (product_.mostlyMarked()) {  // a sum for each column, as its entries lie
      multipliers_.resize(at(p_.m));
      for (int k = 0; k < p_.m; ++k) multipliers_[at(basis_.constraintAt(k))] = product_[k];
      for (int j = 0; j < p_.n; ++j) {
        int const v = p_.nonbasic[at(j)];
        Number sum = p_.cost[at(v)];
        if (v >= p_.n) {
          sum -= multipliers_[at(v - p_.n)];
        } else {
          auto const indices = form_->matrix().columnIndices(v);
          auto const values = form_->matrix().columnValues(v);
          for (std::size_t e = 0; e < indices.size(); ++e)
            sum -= multipliers_[at(indices[e])] * values[e];
        }
        out[at(j)] = rounded(sum);
      }
      return;
    }
    for (int j = 0; j < p_.n; ++j) out[at(j)] = p_.cost[at(p_.nonbasic[at(j)])];
    forProducts(product_, false,
                [&](int j, Number const& sum) { out[at(j)] = rounded(Number(out[at(j)]) - sum); });
  }

  /// The square of the norm of row i of B^-1.
  double rowNorm(int i) {
    product_.clear();
    product_.set(i, Number(1.0));
    basis_.solveTransposed(product_);
    double sum = 0.0;
    product_.marks().sweepUp([&](int k) { sum += rounded(product_[k]) * rounded(product_[k]); });
    return sum;
  }

  /// The exchange of the last row formed, r, and the last column, q, in the factors; the caller
  /// exchanges the variables.
  void exchange(int r, int q) {
    basis_.exchange(r, column_[r], middleOfColumn_, middleOfRow_);
    columnPlace_[at(p_.nonbasic[at(q)])] = -1;
    columnPlace_[at(p_.basic[at(r)])] = q;
  }
  /// The same in the factors alone, where no row was formed.
  void exchangeFactors(int r, int q) {
    middleOfRow_.clear();
    middleOfRow_.set(r, Number(1.0));
    basis_.solveUpperTransposed(middleOfRow_);
    exchange(r, q);
  }

  /// Entries of factors and of the matrix that were passed, about: alike in every run.
  double passedEntries() const { return passed_ + basis_.passedEntries(); }

 private:
  /// What the ratio test and the reduced costs take for an entry of a row, in entries of a sum.
  static constexpr double testedEntry = 6.0;

  /// x += factor a, a variable's column of [A I]
  void addColumn(int variable, Number const& factor, Vector& x) const {
    if (variable >= p_.n) {
      x.add(basis_.positionOf(variable - p_.n), factor);
      return;
    }
    auto const indices = form_->matrix().columnIndices(variable);
    auto const values = form_->matrix().columnValues(variable);
    for (std::size_t e = 0; e < indices.size(); ++e)
      x.add(basis_.positionOf(indices[e]), factor * values[e]);
  }
  /// f(j, y'N_j) for the column positions j where it may differ from zero; `passFixed`: but for
  /// those of fixed variables. Many entries are summed without marks: all columns are passed then,
  /// as they lie in memory.
  void forProducts(Vector const& y, bool passFixed, auto f) {
    SparseMatrix const& transposed = form_->transposed();
    std::int64_t entries = 0;
    y.marks().sweepUp([&](int k) {
      if (!isZero(y[k]))
        entries +=
            static_cast<std::int64_t>(transposed.columnIndices(basis_.constraintAt(k)).size());
    });
    passed_ += static_cast<double>(entries);
    bool const many = entries > p_.n;
    row_.clear();
    if (many) row_.markAll();
    double const *const lower = p_.columnLower.data(), *const upper = p_.columnUpper.data();
    auto const take = [&](int v) {
      int const j = columnPlace_[at(v)];
      if (j >= 0 && (!passFixed || lower[j] != upper[j])) f(j, row_[v]);
    };
    y.marks().sweepUp([&](int k) {
      Number const factor = y[k];
      if (isZero(factor)) return;
      int const constraint = basis_.constraintAt(k);
      auto const indices = transposed.columnIndices(constraint);
      auto const values = transposed.columnValues(constraint);
      row_.set(p_.n + constraint, factor);
      if (many)
        for (std::size_t e = 0; e < indices.size(); ++e)
          row_.marked(indices[e]) += factor * values[e];
      else
        for (std::size_t e = 0; e < indices.size(); ++e) row_.add(indices[e], factor * values[e]);
    });
    if (!many) return row_.marks().sweepUp(take);
    for (int v = 0; v < p_.n; ++v)
      if (!isZero(row_[v])) take(v);
    y.marks().sweepUp([&](int k) {
      if (!isZero(y[k])) take(p_.n + basis_.constraintAt(k));
    });
  }

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
