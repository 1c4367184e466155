// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/bounded_factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/bounded.hpp"

namespace osi_cuda::proof {
namespace {

constexpr double smallestPivot = 1e-9;  ///< beside the largest entry of its row at the beginning
constexpr double threshold = 0.1;       ///< beside the largest entry of its row now
constexpr double thresholdOfSingles = 1e-3;
constexpr double roundingOfMultipliers = 1e-14;
constexpr int candidates = 4;  ///< lines that are searched for a pivot

/// The rows that are not eliminated yet, and which of them have entries in each column.
class Active {
 public:
  Active(std::vector<Line> rows, int columns)
      : rows_(std::move(rows)), inColumn_(at(columns)), least_(rows_.size()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double largest = 0.0;
      for (auto const& [column, value] : rows_[i]) {
        inColumn_[at(column)].insert(static_cast<int>(i));
        largest = std::max(largest, std::fabs(value.hi));
      }
      least_[i] = smallestPivot * largest;
      byLength_.emplace(rows_[i].size(), static_cast<int>(i));
    }
    for (int j = 0; j < columns; ++j) byCount_.emplace(inColumn_[at(j)].size(), j);
    place_.assign(at(columns), -1);
  }

  /// Row and column; a row of -1: there is none.
  std::pair<int, int> choose() {
    while (!byCount_.empty() && byCount_.begin()->first == 0) byCount_.erase(byCount_.begin());
    int seen = 0;
    for (auto next = byCount_.begin();
         next != byCount_.end() && next->first == 1 && seen < candidates; ++next, ++seen) {
      int const row = *inColumn_[at(next->second)].begin();
      for (auto const& [column, value] : rows_[at(row)])
        if (column == next->second && std::fabs(value.hi) > leastOf(row, thresholdOfSingles))
          return {row, column};
    }
    std::pair<int, int> best{-1, -1};
    double least = infinity;
    seen = 0;
    for (auto next = byLength_.begin(); next != byLength_.end() && seen < candidates; ++seen) {
      int const row = (next++)->second;
      double const smallest = leastOf(row, threshold);
      bool any = false;
      for (auto const& [column, value] : rows_[at(row)]) {
        if (!(std::fabs(value.hi) > smallest)) continue;
        any = true;
        double const cost = static_cast<double>(rows_[at(row)].size() - 1) *
                            static_cast<double>(inColumn_[at(column)].size() - 1);
        if (cost < least) {
          least = cost;
          best = {row, column};
        }
      }
      if (!any) leave(row);
      if (least == 0.0) break;
    }
    if (best.first < 0 && !byLength_.empty()) return choose();  // those seen were left
    return best;
  }

  void eliminate(BoundedFactors::Pivot& pivot, double& work) {
    Line& own = rows_[at(pivot.row)];
    detach(pivot.row);
    byCount_.erase({inColumn_[at(pivot.column)].size(), pivot.column});
    for (auto const& [column, value] : own) {
      if (column == pivot.column)
        pivot.value = value;
      else
        pivot.right.emplace_back(column, value);
    }
    for (int const row : inColumn_[at(pivot.column)]) subtract(row, pivot, work);
    inColumn_[at(pivot.column)].clear();
    own.clear();
  }

  std::vector<int> takeLeftOver() {
    for (auto const& [length, row] : byLength_) left_.push_back(row);
    return std::move(left_);
  }

 private:
  /// What a pivot of the row has to exceed.
  double leastOf(int row, double share) const {
    double largest = 0.0;
    for (auto const& [column, value] : rows_[at(row)])
      largest = std::max(largest, std::fabs(value.hi));
    return std::max(least_[at(row)], share * largest * (1.0 - 0x1p-40));
  }

  void count(int column, int row, bool joins) {
    auto& set = inColumn_[at(column)];
    bool const known = byCount_.erase({set.size(), column}) > 0;
    joins ? static_cast<void>(set.insert(row)) : static_cast<void>(set.erase(row));
    if (known) byCount_.emplace(set.size(), column);
  }

  void detach(int row) {
    byLength_.erase({rows_[at(row)].size(), row});
    for (auto const& [column, value] : rows_[at(row)]) count(column, row, false);
  }

  /// A row without anything to pivot on.
  void leave(int row) {
    detach(row);
    rows_[at(row)].clear();
    left_.push_back(row);
  }

  void subtract(int row, BoundedFactors::Pivot& pivot, double& work) {
    Line& line = rows_[at(row)];
    byLength_.erase({line.size(), row});
    DoubleDouble factor;
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (line[k].first == pivot.column) factor = line[k].second / pivot.value;
      place_[at(line[k].first)] = static_cast<int>(k);
    }
    std::size_t const before = line.size();
    for (auto const& [column, value] : pivot.right) {
      if (place_[at(column)] >= 0) {
        line[at(place_[at(column)])].second -= factor * value;
      } else {
        line.emplace_back(column, -(factor * value));
        count(column, row, true);
      }
    }
    work -= 20.0 * static_cast<double>(before + pivot.right.size());
    for (auto const& [column, value] : line) place_[at(column)] = -1;
    std::erase_if(line, [&](auto const& entry) {
      if (entry.first == pivot.column) return true;
      if (!entry.second.isZero()) return false;
      count(entry.first, row, false);
      return true;
    });
    byLength_.emplace(line.size(), row);
    pivot.below.emplace_back(row, factor);
  }

  std::vector<Line> rows_;
  std::vector<std::set<int>> inColumn_;
  std::vector<double> least_;
  std::set<std::pair<std::size_t, int>> byLength_, byCount_;
  std::vector<int> place_, left_;
};

}  // namespace

BoundedFactors::BoundedFactors(std::vector<Line> rows, int columns, double& work,
                               std::function<bool()> const& stop)
    : hasPivot_(rows.size()), changes_(rows.size()), rows_(rows.size()), columns_(at(columns)) {
  Active active(std::move(rows), columns);
  while (work >= 0.0) {
    auto const [row, column] = active.choose();
    if (row < 0) break;
    if (pivots_.size() % 8 == 0 && stop && stop()) work = -1.0;
    Pivot pivot{row, column, {}, {}, {}};
    active.eliminate(pivot, work);
    hasPivot_[at(row)] = 1;
    for (auto const& below : pivot.below) ++changes_[at(below.first)];
    pivots_.push_back(std::move(pivot));
  }
  leftOver_ = active.takeLeftOver();
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

std::vector<double> BoundedFactors::multipliersOf(int leftOver) const {
  std::vector<double> y(rows_);
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    DoubleDouble sum;
    for (auto const& [row, factor] : pivot->below) {
      if (row == leftOver) sum += factor;
      if (hasPivot_[at(row)] && y[at(row)] != 0.0) sum -= factor * y[at(row)];
    }
    y[at(pivot->row)] = std::fabs(sum.hi) < roundingOfMultipliers ? 0.0 : sum.hi;
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
    if (v[i] > 0.0) v[i] = upward(rounding * (changes_[i] + 4.0) * v[i] + lost);
  return v;
}

}  // namespace osi_cuda::proof
