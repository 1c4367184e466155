// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/factors/sparse_lu.hpp"

namespace osi_cuda::factors {

/// Passes of all factors that take as long as a factorisation.
inline constexpr std::size_t passes = 25;

/// The variables of a basis in the order in which their columns are factored: slacks, which are
/// pivots at once, then structurals.
inline std::vector<int> columnOrder(std::vector<char> const& basic, int n) {
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

/// The inverse of a basis matrix B: sparse LU factors of all its columns, slacks first, and a
/// product in their middle for the exchanges since (the middle product form: Elble and Sahinidis
/// 2012). With w = L^-1 a of the column a that takes the place of basic column r,
///
///     L U + (a - L U e_r) e_r'  =  L (I + (w - U e_r) v') U,   v = U^-T e_r,
///
/// and the next exchange adds a factor behind that one. w is what solve() passes on its way, v what
/// solveTransposed() passes. So L and U stay as they are: copies of a basis share them, and
/// exchanges are forgotten exactly by forgetting their factors.
///
/// Row positions are the numbers of LU's pivots, for constraints as well: position k belongs to the
/// basic variable basicVariables()[k] and to the constraint constraintAt(k).
template <class Number>
class FactoredBasis {
 public:
  using Vector = PatternVector<Number>;

  /// Factors the basis `basic` (by variable). Columns that depend on others are dropped for slacks
  /// of rows without a pivot; `basic` is changed accordingly.
  Refactorisation factor(StandardForm const& form, std::vector<char>& basic,
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

  /// The basic variables of the last factorisation by row position, length m.
  std::vector<int> basicVariables() const {
    std::vector<int> variables(order_.size());
    for (int k = 0; k < lu_->size(); ++k) variables[at(k)] = order_[at(lu_->columnOf(k))];
    return variables;
  }
  int constraintAt(int position) const { return lu_->rowOf(position); }
  int positionOf(int constraint) const { return lu_->pivotOfRow(constraint); }

  // With `middle` x is of a pivot, its entries near 1, and what is surely rounding is dropped on
  // the way: where sums cancel that may be half of the entries. Without, any scale is right.
  /// x <- B^-1 x, length m; `middle`, if given, becomes w.
  void solve(Vector& x, Vector* middle = nullptr) const {
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
  /// x <- B^-T x, length m; `middle`, if given, becomes v for a unit vector.
  void solveTransposed(Vector& x, Vector* middle = nullptr) const {
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
  /// The first part of solveTransposed alone: x <- v for a unit vector.
  void solveUpperTransposed(Vector& x) const {
    lu_->solveUpperTransposed(x, Precision<Number>::smallestEntry);
  }

  /// The variable of row position r is exchanged for the one of these w and v; `pivot` is the entry
  /// of its column B^-1 a in row position r.
  void exchange(int r, Number const& pivot, Vector const& w, Vector const& v) {
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
  int exchanges() const { return static_cast<int>(left_.count()); }
  /// Whether the factors of exchanges have so many entries that a factorisation pays.
  // Since the last factorisation solves have passed the entries of exchanges so many times that
  // they took about as long as another one.
  bool worn() const { return passed_ > passes * (lu_->entries() + at(lu_->size())); }
  /// Entries of factors that factorisations and solves have passed, about: alike in every run.
  double passedEntries() const { return counted_; }

 private:
  std::vector<int> order_;  ///< the basic variables of the last factorisation, by column of LU
  std::shared_ptr<SparseLu<Number> const> lu_;
  // By number of the exchange: (w - U e_r) / pivot, and v.
  Lines<Number> left_, right_;
  std::size_t passed_ = 0;  ///< entries of both, summed over the exchanges
  mutable Vector work_;
  mutable double counted_ = 0.0;

  void count(Vector const& x) const {
    double const share = static_cast<double>(x.marks().count()) / std::max(1, x.size());
    counted_ += share * static_cast<double>(lu_->entries()) +
                static_cast<double>(left_.entryCount() + right_.entryCount());
  }
};

}  // namespace osi_cuda::factors
