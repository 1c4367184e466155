// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/bounded_factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/wide_registers.hpp"
#include "osi_cuda/model/count_lists.hpp"
#include "osi_cuda/proof/bounded.hpp"

namespace osi_cuda::proof {
namespace {

constexpr double smallestPivot = 1e-9;  ///< beside the largest entry of its row at the beginning
constexpr double threshold = 0.1;       ///< beside the largest entry of its row now
constexpr double thresholdOfSingles = 1e-3;
constexpr double roundingOfMultipliers = 1e-20;
constexpr int candidates = 4;  ///< lines that are searched for a pivot

/// Takes a multiple of the pivot's row from the entries that a line has; returns how many it met,
/// and how many of them are zero now.
OSI_CUDA_FMA_CLONES std::pair<std::size_t, std::size_t> takeFrom(Line& line,
                                                                 DoubleDouble const& factor,
                                                                 Line const& right, int row,
                                                                 int const* place, int* met) {
  std::size_t count = 0, zeros = 0;
  for (auto& [column, value] : line) {
    int const k = place[column];
    if (k < 0) continue;
    met[k] = row;
    ++count;
    value -= factor * right[static_cast<std::size_t>(k)].second;
    zeros += value.hi == 0.0;
  }
  return {count, zeros};
}

/// A quotient that is a double takes one division.
OSI_CUDA_FMA_CLONES DoubleDouble quotientOf(DoubleDouble const& a, DoubleDouble const& b) {
  double const q = a.hi / b.hi;
  return a.lo == 0.0 && b.lo == 0.0 && std::fma(-q, b.hi, a.hi) == 0.0 ? DoubleDouble(q) : a / b;
}

/// The rows that are not eliminated yet, and which of them have entries in each column: there also
/// some that are done.
class Active {
 public:
  Active(std::vector<Line> rows, int columns)
      : rows_(std::move(rows)),
        begin_(at(columns) + 1),
        new_(at(columns)),
        least_(rows_.size()),
        done_(rows_.size()),
        rowLists_(static_cast<int>(rows_.size()), columns),
        columnLists_(columns, std::max(1, static_cast<int>(rows_.size()))),
        place_(at(columns), -1) {
    for (Line const& line : rows_)
      for (auto const& [column, value] : line) ++begin_[at(column)];
    std::size_t entries = 0;
    for (int j = 0; j <= columns; ++j) {
      if (j < columns) columnLists_.place(j, begin_[at(j)]);
      begin_[at(j)] = entries += begin_[at(j)];  // the end, from which they are filled
    }
    given_.resize(entries);
    for (std::size_t i = rows_.size(); i-- > 0;) {
      double largest = 0.0;
      for (auto const& [column, value] : rows_[i]) {
        given_[--begin_[at(column)]] = static_cast<int>(i);
        largest = std::max(largest, std::fabs(value.hi));
      }
      least_[i] = smallestPivot * largest;
      rowLists_.place(static_cast<int>(i), rows_[i].size());
    }
  }

  /// Row and column; a row of -1: there is none.
  std::pair<int, int> choose() {
    int seen = 0;
    for (int j = columnLists_.first(1); j >= 0 && seen < candidates;
         j = columnLists_.after(j), ++seen) {
      int row = -1;
      visitRowsOf(j, [&row](int i) { row = i; });
      for (auto const& [column, value] : rows_[at(row)])
        if (column == j && std::fabs(value.hi) > leastOf(row, thresholdOfSingles)) return {row, j};
    }
    std::pair<int, int> best{-1, -1};
    double least = infinity;
    seen = 0;
    for (int count = 0; count <= rowLists_.largest() && seen < candidates && least > 0.0; ++count)
      for (int next = rowLists_.first(count); next >= 0 && seen < candidates && least > 0.0;
           ++seen) {
        int const row = next;
        next = rowLists_.after(row);
        double const smallest = leastOf(row, threshold);
        bool any = false;
        for (auto const& [column, value] : rows_[at(row)]) {
          if (!(std::fabs(value.hi) > smallest)) continue;
          any = true;
          double const cost = static_cast<double>(count - 1) *
                              static_cast<double>(columnLists_.countOf(column) - 1);
          if (cost < least) {
            least = cost;
            best = {row, column};
          }
        }
        if (any) continue;
        detach(row);  // there is nothing to pivot on
        left_.push_back(row);
        --seen;
      }
    return best;
  }

  void eliminate(BoundedFactors::Pivot& pivot, double& work) {
    detach(pivot.row);
    pivot.below.reserve(at(columnLists_.countOf(pivot.column)));
    columnLists_.remove(pivot.column);
    pivot.right = std::move(rows_[at(pivot.row)]);
    auto const own = std::ranges::find(pivot.right, pivot.column, &Line::value_type::first);
    pivot.value = own->second;
    *own = pivot.right.back();
    pivot.right.pop_back();
    for (std::size_t k = 0; k < pivot.right.size(); ++k)
      place_[at(pivot.right[k].first)] = static_cast<int>(k);
    met_.assign(pivot.right.size(), -1);
    visitRowsOf(pivot.column, [&](int row) { subtract(row, pivot, work); });
    for (auto const& [column, value] : pivot.right) place_[at(column)] = -1;
  }

  std::vector<int> takeLeftOver() { return std::move(left_); }

 private:
  /// Those that are not done, of a column that has an entry in each.
  void visitRowsOf(int column, auto const& visit) {
    for (std::size_t k = begin_[at(column)]; k < begin_[at(column) + 1]; ++k)
      if (int const row = given_[k]; row >= 0 && !done_[at(row)]) visit(row);
    for (int const row : new_[at(column)])
      if (!done_[at(row)]) visit(row);
  }

  /// What a pivot of the row has to exceed.
  double leastOf(int row, double share) const {
    double largest = 0.0;
    for (auto const& [column, value] : rows_[at(row)])
      largest = std::max(largest, std::fabs(value.hi));
    return std::max(least_[at(row)], share * largest * (1.0 - 0x1p-40));
  }

  void count(int column, int more) {
    if (int const known = columnLists_.countOf(column); known >= 0)
      columnLists_.place(column, at(known + more));
  }

  void detach(int row) {
    done_[at(row)] = 1;
    rowLists_.remove(row);
    for (auto const& [column, value] : rows_[at(row)]) count(column, -1);
  }

  void subtract(int row, BoundedFactors::Pivot& pivot, double& work) {
    Line& line = rows_[at(row)];
    auto const own = std::ranges::find(line, pivot.column, &Line::value_type::first);
    DoubleDouble const factor = quotientOf(own->second, pivot.value);
    pivot.below.emplace_back(row, factor);
    *own = line.back();
    line.pop_back();
    work -= static_cast<double>(10 + line.size() + 3 * pivot.right.size());
    if (!pivot.right.empty()) {
      auto const [met, zeros] =
          takeFrom(line, factor, pivot.right, row, place_.data(), met_.data());
      std::size_t const fill = pivot.right.size() - met;
      for (std::size_t k = 0; fill > 0 && k < pivot.right.size(); ++k) {
        if (met_[k] == row) continue;
        auto const& [column, value] = pivot.right[k];
        line.emplace_back(column, -(factor * value));
        new_[at(column)].push_back(row);
        count(column, 1);
      }
      if (zeros > 0)
        std::erase_if(line, [&](auto const& entry) {
          if (!entry.second.isZero()) return false;
          auto const first = given_.begin() + static_cast<std::ptrdiff_t>(begin_[at(entry.first)]),
                     last =
                         given_.begin() + static_cast<std::ptrdiff_t>(begin_[at(entry.first) + 1]);
          if (auto const known = std::find(first, last, row); known != last)
            *known = -1;
          else
            std::erase(new_[at(entry.first)], row);
          count(entry.first, -1);
          return true;
        });
    }
    rowLists_.place(row, line.size());
  }

  std::vector<Line> rows_;
  std::vector<std::size_t> begin_;  ///< by column, of those in given_
  std::vector<int> given_;          ///< rows of columns; -1: none any more
  std::vector<std::vector<int>> new_;
  std::vector<double> least_;
  std::vector<char> done_;
  CountLists rowLists_, columnLists_;
  std::vector<int> place_;  ///< of a column in the pivot's row
  std::vector<int> met_;    ///< by that place: the row in which the column was met last
  std::vector<int> left_;
};

}  // namespace

BoundedFactors::BoundedFactors(std::vector<Line> rows, int columns, double& work,
                               std::function<bool()> const& stop)
    : hasPivot_(rows.size()),
      changes_(rows.size()),
      factorsOfRow_(rows.size()),
      rows_(rows.size()),
      columns_(at(columns)) {
  Active active(std::move(rows), columns);
  pivots_.reserve(std::min(rows_, columns_));
  while (work >= 0.0) {
    auto const [row, column] = active.choose();
    if (row < 0) break;
    if (pivots_.size() % 8 == 0 && stop && stop()) work = -1.0;
    Pivot pivot{row, column, {}, {}, {}};
    active.eliminate(pivot, work);
    entries_ += pivot.below.size() + pivot.right.size() + 1;
    work -= static_cast<double>(25 + pivot.right.size());
    hasPivot_[at(row)] = 1;
    for (auto const& [below, factor] : pivot.below) ++changes_[at(below)];
    pivots_.push_back(std::move(pivot));
  }
  leftOver_ = active.takeLeftOver();
  if (leftOver_.empty()) return;
  for (std::size_t i = 0; i < rows_; ++i) factorsOfRow_[i].reserve(at(changes_[i]));
  for (std::size_t k = 0; k < pivots_.size(); ++k)
    for (auto const& [below, factor] : pivots_[k].below)
      factorsOfRow_[at(below)].emplace_back(static_cast<int>(k), factor);
}

std::vector<double> BoundedFactors::solve(std::vector<double> byRow) const {
  for (Pivot const& pivot : pivots_)
    for (auto const& [row, factor] : pivot.below)
      byRow[at(row)] -= factor.hi * byRow[at(pivot.row)];
  std::vector<double> x(columns_);
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    double sum = byRow[at(pivot->row)];
    for (auto const& [column, value] : pivot->right) sum -= value.hi * x[at(column)];
    x[at(pivot->column)] = sum / pivot->value.hi;
  }
  return x;
}

Line BoundedFactors::multipliersOf(int leftOver) const {
  Line y;
  std::map<int, DoubleDouble, std::greater<>> open;  // by pivot
  for (auto const& [pivot, factor] : factorsOfRow_[at(leftOver)]) open[pivot] = factor;
  while (!open.empty()) {
    auto const [last, value] = *open.begin();
    open.erase(open.begin());
    if (std::fabs(value.hi) < roundingOfMultipliers) continue;
    int const row = pivots_[at(last)].row;
    y.emplace_back(row, value);
    for (auto const& [pivot, factor] : factorsOfRow_[at(row)]) open[pivot] -= factor * value;
  }
  return y;
}

std::vector<double> BoundedFactors::boundOfSolve(std::vector<double> v) const {
  for (Pivot const& pivot : pivots_) {
    double const own = v[at(pivot.row)];
    for (auto const& [row, factor] : pivot.below)
      if (hasPivot_[at(row)]) v[at(row)] = justAbove(v[at(row)] + std::fabs(factor.hi) * own);
  }
  std::vector<double> x(columns_);
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    double sum = v[at(pivot->row)];
    for (auto const& [column, value] : pivot->right) sum += std::fabs(value.hi) * x[at(column)];
    x[at(pivot->column)] = upward(sum / std::fabs(pivot->value.hi));
  }
  return x;
}

std::vector<double> BoundedFactors::boundOfError(std::vector<double> const& u) const {
  constexpr double rounding = 0x1p-97;  // of a quotient, product or difference of pairs, at most
  std::vector<double> v(rows_);
  double lost = 0.0;  // by underflow
  for (double const width : u) lost += 0x1p-1000 * width;
  for (Pivot const& pivot : pivots_) {
    double sum = std::fabs(pivot.value.hi) * u[at(pivot.column)];
    for (auto const& [column, value] : pivot.right) sum += std::fabs(value.hi) * u[at(column)];
    v[at(pivot.row)] += sum;
    for (auto const& [row, factor] : pivot.below)
      v[at(row)] = justAbove(v[at(row)] + std::fabs(factor.hi) * sum);
  }
  for (std::size_t i = 0; i < v.size(); ++i)
    if (v[i] > 0.0)
      v[i] = upward(rounding * (static_cast<double>(changes_[i]) + 4.0) * v[i] + lost);
  return v;
}

}  // namespace osi_cuda::proof
