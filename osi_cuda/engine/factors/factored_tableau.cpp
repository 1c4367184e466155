// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/factored_tableau.hpp"

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::factors {
template <class Number>
void FactoredTableau<Number>::takeOver(StandardForm const& form) {
  form_ = &form;
  for (Vector* x : {&column_, &middleOfColumn_, &inverseRow_, &middleOfRow_, &product_})
    x->resize(form.rows());
  row_.resize(form.variables());
  columnEntries_.clear();
  rowEntries_.clear();
}

template <class Number>
Refactorisation FactoredTableau<Number>::factor(std::vector<char>& basic,
                                                std::function<bool()> const& stop) {
  return basis_.factor(*form_, basic, stop);
}

template <class Number>
void FactoredTableau<Number>::placeVariables() {
  columnPlace_.assign(at(p_.n + p_.m), -1);
  for (int j = 0; j < p_.n; ++j) columnPlace_[at(p_.nonbasic[at(j)])] = j;
  for (int const i : columnEntries_) p_.rowEntry[at(i)] = 0.0;
  for (int const j : rowEntries_) p_.columnEntry[at(j)] = 0.0;
  columnEntries_.clear();
  rowEntries_.clear();
}

/// x += factor a, a variable's column of [A I]
template <class Number>
void FactoredTableau<Number>::addColumn(int variable, Number const& factor, Vector& x) const {
  if (variable >= p_.n) {
    x.add(basis_.positionOf(variable - p_.n), factor);
    return;
  }
  auto const indices = form_->matrix().columnIndices(variable);
  auto const values = form_->matrix().columnValues(variable);
  for (std::size_t e = 0; e < indices.size(); ++e)
    x.add(basis_.positionOf(indices[e]), factor * values[e]);
}

/// f(j, y'N_j) for the column positions j where it may differ from zero; `passFixed`: but for those
/// of fixed variables. Many entries are summed without marks, for all columns then.
template <class Number>
template <class F>
void FactoredTableau<Number>::forProducts(Vector const& y, bool passFixed, F f) {
  SparseMatrix const& transposed = form_->transposed();
  std::int64_t entries = 0;
  y.marks().sweepUp([&](int k) {
    if (!isZero(y[k]))
      entries += static_cast<std::int64_t>(transposed.columnIndices(basis_.constraintAt(k)).size());
  });
  passed_ += static_cast<double>(entries);
  bool const many = 4 * entries > p_.n;
  row_.clear();
  if (many) row_.markAll();
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
  int const* const nonbasic = p_.nonbasic.data();
  double const *const lower = p_.columnLower.data(), *const upper = p_.columnUpper.data();
  if (many) {
    for (int j = 0; j < p_.n; ++j)
      if (!passFixed || lower[j] != upper[j]) f(j, row_[nonbasic[j]]);
    return;
  }
  row_.marks().sweepUp([&](int v) {
    int const j = columnPlace_[at(v)];
    if (j >= 0 && (!passFixed || lower[j] != upper[j])) f(j, row_[v]);
  });
}

template <class Number>
auto FactoredTableau<Number>::formColumn(int q) -> Vector const& {
  column_.clear();
  addColumn(p_.nonbasic[at(q)], Number(1.0), column_);
  basis_.solve(column_, &middleOfColumn_);
  return column_;
}

template <class Number>
void FactoredTableau<Number>::placeRow(int r) {
  inverseRow_.clear();
  inverseRow_.set(r, Number(1.0));
  basis_.solveTransposed(inverseRow_, &middleOfRow_);
  for (int const j : rowEntries_) p_.columnEntry[at(j)] = 0.0;
  rowEntries_.clear();
  forProducts(inverseRow_, passesOverFixed_, [this](int j, Number const& sum) {
    double const entry = rounded(sum);
    p_.columnEntry[at(j)] = entry;
    if (entry != 0.0) rowEntries_.push_back(j);
  });
}

template <class Number>
auto FactoredTableau<Number>::solveInverseRow() -> Vector const& {
  product_.assign(inverseRow_);
  basis_.solve(product_);
  return product_;
}

/// The entries that are rounded to zero are not among columnEntries().
template <class Number>
void FactoredTableau<Number>::placeColumn() {
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

template <class Number>
void FactoredTableau<Number>::combineRows(double const* g, double* out) {
  product_.clear();
  for (int i = 0; i < p_.m; ++i)
    if (g[i] != 0.0) product_.set(i, Number(g[i]));
  basis_.solveTransposed(product_);
  std::fill_n(out, p_.n, 0.0);
  forProducts(product_, false, [&](int j, Number const& sum) { out[j] = rounded(sum); });
}

template <class Number>
void FactoredTableau<Number>::combineColumns(double const* g, double* out) {
  product_.clear();
  for (int j = 0; j < p_.n; ++j)
    if (g[j] != 0.0) addColumn(p_.nonbasic[at(j)], Number(g[j]), product_);
  basis_.solve(product_);
  for (int i = 0; i < p_.m; ++i) out[i] = rounded(product_[i]);
}

template <class Number>
auto FactoredTableau<Number>::combineColumns(std::vector<int> const& places, double const* g)
    -> Vector const& {
  product_.clear();
  for (int const j : places)
    if (g[j] != 0.0) addColumn(p_.nonbasic[at(j)], Number(g[j]), product_);
  basis_.solve(product_);
  return product_;
}

template <class Number>
void FactoredTableau<Number>::reducedCosts(std::vector<double>& out) {
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

template <class Number>
double FactoredTableau<Number>::rowNorm(int i) {
  product_.clear();
  product_.set(i, Number(1.0));
  basis_.solveTransposed(product_);
  double sum = 0.0;
  product_.marks().sweepUp([&](int k) { sum += rounded(product_[k]) * rounded(product_[k]); });
  return sum;
}

template <class Number>
void FactoredTableau<Number>::exchange(int r, int q) {
  basis_.exchange(r, column_[r], middleOfColumn_, middleOfRow_);
  columnPlace_[at(p_.nonbasic[at(q)])] = -1;
  columnPlace_[at(p_.basic[at(r)])] = q;
}

template <class Number>
void FactoredTableau<Number>::exchangeFactors(int r, int q) {
  middleOfRow_.clear();
  middleOfRow_.set(r, Number(1.0));
  basis_.solveUpperTransposed(middleOfRow_);
  exchange(r, q);
}

template class FactoredTableau<double>;
template class FactoredTableau<DoubleDouble>;

}  // namespace osi_cuda::factors
