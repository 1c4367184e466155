// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/factored_tableau.hpp"

#include "osi_cuda/index.hpp"

namespace osi_cuda::factors {
namespace {

/// entries[i] = the rounded x[i] where it is marked; `pattern` says where it is not zero.
template <class Number>
void place(PatternVector<Number> const& x, std::vector<double>& entries,
           std::vector<int>& pattern) {
  for (int const i : pattern) entries[at(i)] = 0.0;
  pattern.clear();
  auto const take = [&](int i) {
    double const entry = rounded(x[i]);
    if (entry == 0.0) return;
    entries[at(i)] = entry;
    pattern.push_back(i);
  };
  if (!x.mostlyMarked()) return x.marks().sweepUp(take);
  for (int i = 0; i < x.size(); ++i) take(i);
}

}  // namespace

template <class Number>
void FactoredTableau<Number>::takeOver(StandardForm const& form) {
  form_ = &form;
  for (Vector* x : {&column_, &middleOfColumn_, &inverseRow_, &middleOfRow_, &product_})
    x->resize(form.rows());
  row_.resize(form.columns());
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

template <class Number>
void FactoredTableau<Number>::passOverFixed(bool yes) {
  passesOverFixed_ = yes;
  if (!yes) return;
  rowPlace_ = columnPlace_;
  for (int j = 0; j < p_.n; ++j)
    if (p_.columnLower[at(j)] == p_.columnUpper[at(j)]) rowPlace_[at(p_.nonbasic[at(j)])] = -1;
}

/// row_ += sign y'N, where `place` says to which columns variables belong. Many entries are summed
/// without marks, which are set for all columns then.
template <class Number>
void FactoredTableau<Number>::addRows(Vector const& y, Number const& sign,
                                      std::vector<int> const& place) {
  SparseMatrix const& transposed = form_->transposed();
  std::int64_t entries = 0;
  y.marks().sweepUp([&](int k) {
    if (!isZero(y[k]))
      entries += static_cast<std::int64_t>(transposed.columnIndices(basis_.constraintAt(k)).size());
  });
  passed_ += static_cast<double>(entries);
  bool const many = 4 * entries > p_.n;
  if (many) row_.markAll();
  y.marks().sweepUp([&](int k) {
    if (isZero(y[k])) return;
    Number const factor = sign * y[k];
    int const constraint = basis_.constraintAt(k);
    auto const indices = transposed.columnIndices(constraint);
    auto const values = transposed.columnValues(constraint);
    if (many) {
      for (std::size_t e = 0; e < indices.size(); ++e) {
        int const j = place[at(indices[e])];
        if (j >= 0) row_.marked(j) += factor * values[e];
      }
    } else {
      for (std::size_t e = 0; e < indices.size(); ++e) {
        int const j = place[at(indices[e])];
        if (j >= 0) row_.add(j, factor * values[e]);
      }
    }
    int const slack = place[at(p_.n + constraint)];
    if (slack >= 0) row_.add(slack, factor);
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
auto FactoredTableau<Number>::formRow(int r) -> Vector const& {
  inverseRow_.clear();
  inverseRow_.set(r, Number(1.0));
  basis_.solveTransposed(inverseRow_, &middleOfRow_);
  row_.clear();
  addRows(inverseRow_, Number(1.0), passesOverFixed_ ? rowPlace_ : columnPlace_);
  return row_;
}

template <class Number>
auto FactoredTableau<Number>::solveInverseRow() -> Vector const& {
  product_.assign(inverseRow_);
  basis_.solve(product_);
  return product_;
}

template <class Number>
void FactoredTableau<Number>::placeColumn() {
  place(column_, p_.rowEntry, columnEntries_);
}
template <class Number>
void FactoredTableau<Number>::placeRow() {
  place(row_, p_.columnEntry, rowEntries_);
}

template <class Number>
void FactoredTableau<Number>::combineRows(double const* g, double* out) {
  product_.clear();
  for (int i = 0; i < p_.m; ++i)
    if (g[i] != 0.0) product_.set(i, Number(g[i]));
  basis_.solveTransposed(product_);
  row_.clear();
  addRows(product_, Number(1.0), columnPlace_);
  for (int j = 0; j < p_.n; ++j) out[j] = rounded(row_[j]);
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
  row_.clear();
  for (int j = 0; j < p_.n; ++j) row_.set(j, Number(p_.cost[at(p_.nonbasic[at(j)])]));
  addRows(product_, Number(-1.0), columnPlace_);
  for (int j = 0; j < p_.n; ++j) out[at(j)] = rounded(row_[j]);
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
  if (!passesOverFixed_) return;
  rowPlace_[at(p_.nonbasic[at(q)])] = -1;
  bool const fixed = p_.rowLower[at(r)] == p_.rowUpper[at(r)];
  rowPlace_[at(p_.basic[at(r)])] = fixed ? -1 : q;
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
