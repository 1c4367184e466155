// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/factored_basis.hpp"

#include <cmath>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::factors {
namespace {

/// Passes of all factors that take as long as a factorisation.
constexpr std::size_t passes = 25;

/// The variables of a basis in the order in which their columns are factored: slacks, which are
/// pivots at once, then structurals.
std::vector<int> columnOrder(std::vector<char> const& basic, int n) {
  std::vector<int> order;
  for (int v = n; v < static_cast<int>(basic.size()); ++v)
    if (basic[at(v)]) order.push_back(v);
  for (int v = 0; v < n; ++v)
    if (basic[at(v)]) order.push_back(v);
  return order;
}

/// Two sums that wait for each other less than one would.
template <class Number>
Number dot(Lines<Number> const& lines, std::size_t line, PatternVector<Number> const& x) {
  Number even{}, odd{};
  auto entry = lines.begin(line);
  auto const end = lines.end(line);
  for (; end - entry >= 2; entry += 2) {
    even += entry[0].value * x[entry[0].index];
    odd += entry[1].value * x[entry[1].index];
  }
  if (entry != end) even += entry->value * x[entry->index];
  return even + odd;
}

/// x -= factor times a line; `allMarked`: so is all of x, and marks need not be set.
template <class Number>
void subtractTimes(Lines<Number> const& lines, std::size_t line, Number const& factor,
                   PatternVector<Number>& x, bool allMarked) {
  auto const end = lines.end(line);
  if (allMarked) {
    for (auto entry = lines.begin(line); entry != end; ++entry)
      x.marked(entry->index) -= entry->value * factor;
  } else {
    for (auto entry = lines.begin(line); entry != end; ++entry)
      x.subtract(entry->index, entry->value * factor);
  }
}

/// Marks all of a vector of which much is marked; whether it did.
template <class Number>
bool markAllOfMany(PatternVector<Number>& x) {
  bool const many = x.mostlyMarked();
  if (many) x.markAll();
  return many;
}

}  // namespace

template <class Number>
Refactorisation FactoredBasis<Number>::factor(StandardForm const& form, std::vector<char>& basic,
                                              std::function<bool()> const& stop) {
  left_.clear();
  right_.clear();
  passed_ = 0;
  Refactorisation change;
  int const m = form.rows(), n = form.columns();
  work_.resize(m);
  for (;;) {
    order_ = columnOrder(basic, n);
    Lines<Number> columns;
    std::size_t entries = 0;
    for (int const v : order_) entries += v >= n ? 1 : form.matrix().columnIndices(v).size();
    columns.reserve(order_.size(), entries);
    for (int const v : order_) {
      if (v >= n) {
        columns.add(v - n, 1.0);
      } else {
        auto const indices = form.matrix().columnIndices(v);
        auto const values = form.matrix().columnValues(v);
        for (std::size_t e = 0; e < indices.size(); ++e) columns.add(indices[e], values[e]);
      }
      columns.endLine();
    }
    lu_ = std::make_shared<SparseLu<Number> const>(m, columns, stop);
    auto const& rows = lu_->unpivotedRows();
    auto const& dependent = lu_->unpivotedColumns();
    counted_ += static_cast<double>(passes * (lu_->entries() + at(lu_->size())));
    if (dependent.empty()) return change;
    for (std::size_t k = 0; k < dependent.size(); ++k) {
      int const column = order_[at(dependent[k])];
      int const slack = n + rows[k];
      basic[at(column)] = 0;
      basic[at(slack)] = 1;
      change.dropped.push_back(column);
      change.added.push_back(slack);
    }
  }
}

template <class Number>
std::vector<int> FactoredBasis<Number>::basicVariables() const {
  std::vector<int> variables(order_.size());
  for (int k = 0; k < lu_->size(); ++k) variables[at(k)] = order_[at(lu_->columnOf(k))];
  return variables;
}

template <class Number>
void FactoredBasis<Number>::solve(Vector& x, Vector* middle) const {
  double const rounding = middle ? Precision<Number>::smallestEntry : 0.0;
  lu_->solveLower(x, rounding);
  bool const all = left_.count() > 0 && markAllOfMany(x);
  for (std::size_t k = 0; k < left_.count(); ++k) {
    Number const factor = dot(right_, k, x);
    if (std::fabs(rounded(factor)) > rounding) subtractTimes(left_, k, factor, x, all);
  }
  if (middle) middle->assign(x);
  lu_->solveUpper(x, rounding);
  count(x);
}

template <class Number>
void FactoredBasis<Number>::solveTransposed(Vector& x, Vector* middle) const {
  double const rounding = middle ? Precision<Number>::smallestEntry : 0.0;
  lu_->solveUpperTransposed(x, rounding);
  if (middle) middle->assign(x);
  bool const all = left_.count() > 0 && markAllOfMany(x);
  for (std::size_t k = left_.count(); k-- > 0;) {
    Number const factor = dot(left_, k, x);
    if (std::fabs(rounded(factor)) > rounding) subtractTimes(right_, k, factor, x, all);
  }
  lu_->solveLowerTransposed(x, rounding);
  count(x);
}

template <class Number>
void FactoredBasis<Number>::exchange(int r, Number const& pivot, Vector const& w, Vector const& v) {
  auto const matters = [](Number const& x) {
    return std::fabs(rounded(x)) > Precision<Number>::smallestEntry;
  };
  work_.assign(w);
  lu_->subtractUpperColumn(r, work_);
  work_.marks().sweepUp([&](int i) {
    if (matters(work_[i])) left_.add(i, work_[i] / pivot);
  });
  left_.endLine();
  v.marks().sweepUp([&](int i) {
    if (matters(v[i])) right_.add(i, v[i]);
  });
  right_.endLine();
  passed_ += left_.entryCount() + right_.entryCount();
}

// Since the last factorisation solves have passed the entries of exchanges so many times that they
// took about as long as another one.
template <class Number>
bool FactoredBasis<Number>::worn() const {
  return passed_ > passes * (lu_->entries() + at(lu_->size()));
}

template class FactoredBasis<double>;
template class FactoredBasis<DoubleDouble>;

}  // namespace osi_cuda::factors
