// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/precise/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::precise {
namespace {

constexpr double threshold = 0.1;  ///< of a row's largest entry: what a pivot has to have
constexpr int mostLines = 4;       ///< rows and columns that are searched for a pivot

/// Lines in lists by their number of entries.
class CountLists {
 public:
  CountLists(int lines, int counts)
      : head_(static_cast<std::size_t>(counts) + 1, -1),
        next_(static_cast<std::size_t>(lines), -1),
        previous_(static_cast<std::size_t>(lines), -1),
        count_(static_cast<std::size_t>(lines), -1) {}

  int first(int count) const { return head_[static_cast<std::size_t>(count)]; }
  int after(int line) const { return next_[static_cast<std::size_t>(line)]; }

  void remove(int line) {
    auto const l = static_cast<std::size_t>(line);
    if (count_[l] < 0) return;
    if (next_[l] >= 0) previous_[static_cast<std::size_t>(next_[l])] = previous_[l];
    if (previous_[l] >= 0)
      next_[static_cast<std::size_t>(previous_[l])] = next_[l];
    else
      head_[static_cast<std::size_t>(count_[l])] = next_[l];
    count_[l] = -1;
  }
  void place(int line, std::size_t count) {
    remove(line);
    auto const l = static_cast<std::size_t>(line);
    count_[l] = static_cast<int>(count);
    previous_[l] = -1;
    next_[l] = head_[count];
    if (next_[l] >= 0) previous_[static_cast<std::size_t>(next_[l])] = line;
    head_[count] = line;
  }

 private:
  std::vector<int> head_, next_, previous_, count_;
};

}  // namespace

/// The matrix as far as it is not eliminated: rows with values, columns as lists of rows.
class SparseLu::Elimination {
 public:
  Elimination(int p, std::vector<std::vector<Entry>> const& columns, double smallest)
      : size_(p),
        smallest_(smallest),
        rows_(static_cast<std::size_t>(p)),
        columns_(static_cast<std::size_t>(p)),
        rowLists_(p, p),
        columnLists_(p, p),
        place_(static_cast<std::size_t>(p), -1) {
    for (int j = 0; j < p; ++j)
      for (Entry const& entry : columns[static_cast<std::size_t>(j)]) {
        if (!(std::fabs(entry.value.hi) > smallest)) continue;
        rows_[static_cast<std::size_t>(entry.index)].push_back({j, entry.value});
        columns_[static_cast<std::size_t>(j)].push_back(entry.index);
      }
    for (int i = 0; i < p; ++i) {
      rowLists_.place(i, rows_[static_cast<std::size_t>(i)].size());
      columnLists_.place(i, columns_[static_cast<std::size_t>(i)].size());
    }
  }

  /// The next pivot, with its row of the rest; false: nothing is left that could be one.
  bool next(Pivot& pivot) {
    if (!choose(pivot)) return false;
    eliminate(pivot);
    return true;
  }

 private:
  double largestIn(int row) const {
    double largest = 0.0;
    for (Entry const& entry : rows_[static_cast<std::size_t>(row)])
      largest = std::max(largest, std::fabs(entry.value.hi));
    return largest;
  }

  /// Offers the entry of that row and column, if it is large enough.
  void consider(int row, int column, double value, double largest, Pivot& best, double& cost) {
    if (std::fabs(value) < threshold * largest) return;
    double const rowCount = static_cast<double>(rows_[static_cast<std::size_t>(row)].size()) - 1.0,
                 columnCount =
                     static_cast<double>(columns_[static_cast<std::size_t>(column)].size()) - 1.0;
    if (rowCount * columnCount >= cost) return;
    cost = rowCount * columnCount;
    best.row = row;
    best.column = column;
  }

  bool choose(Pivot& pivot) {
    double cost = std::numeric_limits<double>::infinity();
    int searched = 0;
    for (int count = 1; count <= size_ && searched < mostLines; ++count) {
      double const least = static_cast<double>(count - 1) * (count - 1);
      if (cost <= least) break;
      for (int j = columnLists_.first(count); j >= 0 && searched < mostLines;
           j = columnLists_.after(j)) {
        double const before = cost;
        for (int const i : columns_[static_cast<std::size_t>(j)]) {
          auto const& row = rows_[static_cast<std::size_t>(i)];
          auto const entry =
              std::find_if(row.begin(), row.end(), [&](Entry const& e) { return e.index == j; });
          consider(i, j, entry->value.hi, largestIn(i), pivot, cost);
        }
        if (cost < before) ++searched;  // a column without a large entry says nothing
      }
      for (int i = rowLists_.first(count); i >= 0 && searched < mostLines; i = rowLists_.after(i)) {
        double const largest = largestIn(i);
        for (Entry const& entry : rows_[static_cast<std::size_t>(i)])
          consider(i, entry.index, entry.value.hi, largest, pivot, cost);
        ++searched;
      }
    }
    return cost < std::numeric_limits<double>::infinity();
  }

  void eliminate(Pivot& pivot) {
    auto& own = rows_[static_cast<std::size_t>(pivot.row)];
    rowLists_.remove(pivot.row);
    columnLists_.remove(pivot.column);
    pivot.multipliers.clear();
    pivot.rest.clear();
    for (Entry const& entry : own) {
      if (entry.index == pivot.column)
        pivot.value = entry.value;
      else
        pivot.rest.push_back(entry);
      auto& column = columns_[static_cast<std::size_t>(entry.index)];
      column.erase(std::find(column.begin(), column.end(), pivot.row));
      if (entry.index != pivot.column) columnLists_.place(entry.index, column.size());
    }
    own = {};
    std::vector<int> const below = std::move(columns_[static_cast<std::size_t>(pivot.column)]);
    columns_[static_cast<std::size_t>(pivot.column)] = {};
    for (int const i : below) subtract(pivot, i);
  }

  /// Row i less a multiple of the pivot's row, so that its entry in the pivot's column goes.
  void subtract(Pivot& pivot, int i) {
    auto& row = rows_[static_cast<std::size_t>(i)];
    DoubleDouble factor;
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k].index == pivot.column)
        factor = row[k].value / pivot.value;
      else
        place_[static_cast<std::size_t>(row[k].index)] = static_cast<int>(k);
    }
    pivot.multipliers.push_back({i, factor});
    std::size_t const before = row.size();
    for (Entry const& entry : pivot.rest) {
      auto const j = static_cast<std::size_t>(entry.index);
      DoubleDouble const change = factor * entry.value;
      if (place_[j] >= 0) {
        row[static_cast<std::size_t>(place_[j])].value -= change;
      } else if (std::fabs(change.hi) > smallest_) {
        row.push_back({entry.index, -change});
        columns_[j].push_back(i);
        columnLists_.place(entry.index, columns_[j].size());
      }
    }
    for (std::size_t k = 0; k < before; ++k) place_[static_cast<std::size_t>(row[k].index)] = -1;
    std::erase_if(row, [&](Entry const& entry) {
      if (entry.index == pivot.column) return true;
      if (std::fabs(entry.value.hi) > smallest_) return false;
      auto& column = columns_[static_cast<std::size_t>(entry.index)];
      column.erase(std::find(column.begin(), column.end(), i));
      columnLists_.place(entry.index, column.size());
      return true;
    });
    rowLists_.place(i, row.size());
  }

  int size_;
  double smallest_;
  std::vector<std::vector<Entry>> rows_;
  std::vector<std::vector<int>> columns_;
  CountLists rowLists_, columnLists_;
  std::vector<int> place_;  ///< column -> place in the row at work
};

SparseLu::SparseLu(int p, std::vector<std::vector<Entry>> const& columns, double smallest,
                   std::function<bool()> const& stop)
    : size_(p) {
  Elimination rest(p, columns, smallest);
  std::vector<char> rowDone(static_cast<std::size_t>(p), 0), columnDone(rowDone);
  pivots_.reserve(static_cast<std::size_t>(p));
  for (Pivot pivot; rest.next(pivot);) {
    rowDone[static_cast<std::size_t>(pivot.row)] =
        columnDone[static_cast<std::size_t>(pivot.column)] = 1;
    pivots_.push_back(pivot);
    if (pivots_.size() % 64 == 0 && stop && stop()) throw Interrupted{};
  }
  for (int i = 0; i < p; ++i) {
    if (!rowDone[static_cast<std::size_t>(i)]) unpivotedRows_.push_back(i);
    if (!columnDone[static_cast<std::size_t>(i)]) unpivotedColumns_.push_back(i);
  }
}

void SparseLu::solve(std::vector<DoubleDouble>& x) const {
  for (Pivot const& pivot : pivots_) {
    DoubleDouble const own = x[static_cast<std::size_t>(pivot.row)];
    if (own.isZero()) continue;
    for (Entry const& l : pivot.multipliers) x[static_cast<std::size_t>(l.index)] -= l.value * own;
  }
  std::vector<DoubleDouble> z(x.size());
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    DoubleDouble sum = x[static_cast<std::size_t>(pivot->row)];
    for (Entry const& u : pivot->rest) {
      DoubleDouble const& other = z[static_cast<std::size_t>(u.index)];
      if (!other.isZero()) sum -= u.value * other;
    }
    if (!sum.isZero()) z[static_cast<std::size_t>(pivot->column)] = sum / pivot->value;
  }
  x = std::move(z);
}

void SparseLu::solveTransposed(std::vector<DoubleDouble>& x) const {
  std::vector<DoubleDouble> z(x.size());
  for (Pivot const& pivot : pivots_) {
    DoubleDouble const& own = x[static_cast<std::size_t>(pivot.column)];
    if (own.isZero()) continue;
    DoubleDouble const value = own / pivot.value;
    z[static_cast<std::size_t>(pivot.row)] = value;
    for (Entry const& u : pivot.rest) x[static_cast<std::size_t>(u.index)] -= u.value * value;
  }
  for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
    DoubleDouble sum = z[static_cast<std::size_t>(pivot->row)];
    for (Entry const& l : pivot->multipliers) {
      DoubleDouble const& other = z[static_cast<std::size_t>(l.index)];
      if (!other.isZero()) sum -= l.value * other;
    }
    z[static_cast<std::size_t>(pivot->row)] = sum;
  }
  x = std::move(z);
}

}  // namespace osi_cuda::precise
