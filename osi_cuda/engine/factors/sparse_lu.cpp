// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/factors/dense_lu.hpp"
#include "osi_cuda/model/count_lists.hpp"

namespace osi_cuda::factors {
namespace {

constexpr double threshold = 0.1;  ///< of a row's largest entry: what a pivot has to have
constexpr int mostLines = 4;       ///< rows and columns that are searched for a pivot
/// Share of entries from which what is left is eliminated as a dense matrix, and the least size for
/// which that is worth its copying.
constexpr double denseShare = 0.3;
constexpr int leastDense = 32;

/// Whether that is more than rounding.
template <class Number>
bool remains(Number const& value) {
  return std::fabs(rounded(value)) > Precision<Number>::smallestEntry;
}

}  // namespace

/// The matrix as far as it is not eliminated: rows with values, columns as lists of rows.
template <class Number>
class SparseLu<Number>::Elimination {
 public:
  Elimination(int p, SparseLu& factors)
      : size_(p),
        factors_(factors),
        rows_(at(p)),
        columns_(at(p)),
        largest_(at(p), stale),
        rowLists_(p, p),
        columnLists_(p, p),
        place_(at(p), -1) {}

  /// How many entries will be added to a row or a column: a guess that saves moves.
  void reserveRow(int row, int count) { rows_[at(row)].reserve(at(count + count / 2)); }
  void reserveColumn(int column, int count) { columns_[at(column)].reserve(at(count + count / 2)); }

  void add(int row, int column, Number const& value) {
    rows_[at(row)].push_back({column, value});
    columns_[at(column)].push_back(row);
  }

  /// Eliminates what was added: these rows and columns.
  void run(std::vector<int> const& rows, std::vector<int> const& columns,
           std::function<bool()> const& stop) {
    for (int const i : rows) {
      rowLists_.place(i, rows_[at(i)].size());
      entries_ += rows_[at(i)].size();
    }
    for (int const j : columns) columnLists_.place(j, columns_[at(j)].size());
    int done = 0;
    Poll poll(stop);  // 64 of them take seconds where the rest is dense
    for (Pivot pivot; choose(pivot);) {
      if (filledIn(rows.size() - at(done))) return eliminateDense(rows, columns, stop);
      eliminate(pivot);
      if (++done % 64 == 0 ? stop && stop() : poll()) throw Interrupted{};
    }
  }

 private:
  bool filledIn(std::size_t left) const {
    auto const order = static_cast<double>(left);
    return left >= leastDense && static_cast<double>(entries_) > denseShare * order * order;
  }

  /// Eliminates what is left of these rows and columns as a dense matrix.
  void eliminateDense(std::vector<int> const& rows, std::vector<int> const& columns,
                      std::function<bool()> const& stop) {
    std::vector<int> rowNames, columnNames;
    for (int const i : rows)
      if (rowLists_.countOf(i) >= 0) rowNames.push_back(i);
    for (int const j : columns)
      if (columnLists_.countOf(j) >= 0) columnNames.push_back(j);
    DenseLu<Number> dense(rowNames.size());
    for (std::size_t k = 0; k < columnNames.size(); ++k)
      place_[at(columnNames[k])] = static_cast<int>(k);
    for (std::size_t i = 0; i < rowNames.size(); ++i)
      for (Entry<Number> const& entry : rows_[at(rowNames[i])])
        dense.row(i)[place_[at(entry.index)]] = entry.value;
    dense.eliminate(stop);
    for (std::size_t k = 0; k < dense.pivots; ++k) {
      Number const* const own = dense.row(k);
      for (std::size_t j = k + 1; j < dense.order; ++j)
        if (remains(own[j])) factors_.upper_.add(columnNames[dense.columns[j]], own[j]);
      factors_.upper_.endLine();
      for (std::size_t i = k + 1; i < dense.pivots; ++i)
        if (Number const& factor = dense.row(i)[k]; remains(factor))
          factors_.lower_.add(rowNames[dense.rows[i]], factor);
      factors_.lower_.endLine();
      factors_.pivots_.push_back({rowNames[dense.rows[k]], columnNames[dense.columns[k]], own[k]});
    }
  }

  double largestIn(int row) {
    double& largest = largest_[at(row)];
    if (largest != stale) return largest;
    largest = 0.0;
    for (Entry<Number> const& entry : rows_[at(row)])
      largest = std::max(largest, std::fabs(rounded(entry.value)));
    return largest;
  }

  /// Offers the entry of that row and column. False: it is not large enough.
  bool consider(int row, int column, double value, double largest, Pivot& best, double& cost) {
    if (std::fabs(value) < threshold * largest) return false;
    if (!(std::fabs(value) > Precision<Number>::smallestFactor)) return false;
    double const rowCount = static_cast<double>(rows_[at(row)].size()) - 1.0,
                 columnCount = static_cast<double>(columns_[at(column)].size()) - 1.0;
    if (rowCount * columnCount < cost) {
      cost = rowCount * columnCount;
      best.row = row;
      best.column = column;
    }
    return true;
  }

  bool choose(Pivot& pivot) {
    double cost = std::numeric_limits<double>::infinity();
    int searched = 0;
    for (int count = 1; count <= size_ && searched < mostLines; ++count) {
      double const least = static_cast<double>(count - 1) * (count - 1);
      if (cost <= least) break;
      for (int j = columnLists_.first(count); j >= 0 && searched < mostLines;
           j = columnLists_.after(j)) {
        bool any = false;
        for (int const i : columns_[at(j)]) {
          auto const& row = rows_[at(i)];
          double const others = static_cast<double>(row.size() - 1) * (count - 1);
          if (others >= cost) {
            any = true;
            continue;
          }
          auto const entry =
              std::find_if(row.begin(), row.end(), [&](auto const& e) { return e.index == j; });
          any |= consider(i, j, rounded(entry->value), largestIn(i), pivot, cost);
        }
        searched += any;  // a column without a large entry says nothing
      }
      for (int i = rowLists_.first(count); i >= 0 && searched < mostLines; i = rowLists_.after(i)) {
        double const largest = largestIn(i);
        bool any = false;
        for (Entry<Number> const& entry : rows_[at(i)])
          any |= consider(i, entry.index, rounded(entry.value), largest, pivot, cost);
        searched += any;
      }
    }
    return cost < std::numeric_limits<double>::infinity();
  }

  void eliminate(Pivot& pivot) {
    auto& own = rows_[at(pivot.row)];
    entries_ -= own.size();
    rowLists_.remove(pivot.row);
    columnLists_.remove(pivot.column);
    met_.assign(own.size(), -1);
    for (std::size_t k = 0; k < own.size(); ++k) {
      Entry<Number> const& entry = own[k];
      place_[at(entry.index)] = static_cast<int>(k);
      if (entry.index == pivot.column)
        pivot.value = entry.value;
      else
        factors_.upper_.add(entry.index, entry.value);
      auto& column = columns_[at(entry.index)];
      column.erase(std::find(column.begin(), column.end(), pivot.row));
      if (entry.index != pivot.column) columnLists_.place(entry.index, column.size());
    }
    factors_.upper_.endLine();
    std::vector<int> const below = std::move(columns_[at(pivot.column)]);
    columns_[at(pivot.column)] = {};
    for (int const i : below) subtract(pivot, i);
    factors_.lower_.endLine();
    factors_.pivots_.push_back(pivot);
    for (Entry<Number> const& entry : own) place_[at(entry.index)] = -1;
    own = {};
  }

  /// Row i less a multiple of the pivot's row, so that its entry in the pivot's column goes.
  void subtract(Pivot const& pivot, int i) {
    auto& row = rows_[at(i)];
    auto const& own = rows_[at(pivot.row)];
    entries_ -= row.size();
    Number const factor =
        std::ranges::find(row, pivot.column, &Entry<Number>::index)->value / pivot.value;
    factors_.lower_.add(i, factor);
    auto kept = row.begin();
    for (Entry<Number>& entry : row) {
      int const k = place_[at(entry.index)];
      if (k >= 0) {
        met_[at(k)] = i;
        entry.value -= factor * own[at(k)].value;
        if (entry.index == pivot.column) continue;
        if (!remains(entry.value)) {
          auto& column = columns_[at(entry.index)];
          column.erase(std::ranges::find(column, i));
          columnLists_.place(entry.index, column.size());
          continue;
        }
      }
      *kept++ = entry;
    }
    row.erase(kept, row.end());
    for (std::size_t k = 0; k < own.size(); ++k) {
      Number const change = factor * own[k].value;
      if (met_[k] == i || !remains(change)) continue;
      int const j = own[k].index;
      row.push_back({j, -change});
      columns_[at(j)].push_back(i);
      columnLists_.place(j, columns_[at(j)].size());
    }
    entries_ += row.size();
    rowLists_.place(i, row.size());
    largest_[at(i)] = stale;
  }

  static constexpr double stale = -1.0;

  int size_;
  SparseLu& factors_;
  std::vector<std::vector<Entry<Number>>> rows_;
  std::vector<std::vector<int>> columns_;
  std::vector<double> largest_;  ///< magnitude in each row, or stale
  CountLists rowLists_, columnLists_;
  std::size_t entries_ = 0;  ///< of the rows
  std::vector<int> place_;   ///< column -> place in the pivot's row
  std::vector<int> met_;     ///< by that place: the row in which that column was met last
};

template <class Number>
SparseLu<Number>::SparseLu(int p, Lines<Number> const& columns, std::function<bool()> const& stop)
    : size_(p) {
  lower_.clear();
  upper_.clear();
  lower_.reserve(at(p), columns.entryCount());
  upper_.reserve(at(p), columns.entryCount());
  pivots_.reserve(at(p));
  std::vector<char> rowDone(at(p), 0), columnDone(at(p), 0);
  auto const isEntry = [](Entry<Number> const& entry) { return remains(entry.value); };
  auto const mayBePivot = [](Entry<Number> const& entry) {
    return std::fabs(rounded(entry.value)) > Precision<Number>::smallestFactor;
  };
  Lines<Number> const rows = columns.transposed(
      at(p), [](int i) { return i; }, [](std::size_t j) { return int(j); });
  std::vector<int> rowCount(at(p), 0), columnCount(at(p), 0), singletons;
  singletons.reserve(at(p));
  for (std::size_t j = 0; j < at(p); ++j)
    for (auto entry = columns.begin(j); entry != columns.end(j); ++entry)
      if (isEntry(*entry)) {
        ++rowCount[at(entry->index)];
        ++columnCount[j];
      }

  // A column with a single entry makes its row one of U, and takes it from the other columns.
  for (int j = 0; j < p; ++j)
    if (columnCount[at(j)] == 1) singletons.push_back(j);
  for (std::size_t next = 0; next < singletons.size(); ++next) {
    int const j = singletons[next];
    auto const own = std::find_if(columns.begin(at(j)), columns.end(at(j)), [&](auto const& entry) {
      return isEntry(entry) && !rowDone[at(entry.index)];
    });
    if (own == columns.end(at(j)) || !mayBePivot(*own)) continue;
    int const i = own->index;
    pivots_.push_back({i, j, own->value});
    rowDone[at(i)] = columnDone[at(j)] = 1;
    for (auto entry = rows.begin(at(i)); entry != rows.end(at(i)); ++entry) {
      if (!isEntry(*entry) || columnDone[at(entry->index)]) continue;
      upper_.add(entry->index, entry->value);
      if (--columnCount[at(entry->index)] == 1) singletons.push_back(entry->index);
    }
    upper_.endLine();
    lower_.endLine();
  }

  // A row with a single entry makes its column one of L, and takes it from the other rows.
  singletons.clear();
  for (int i = 0; i < p; ++i) {
    if (rowDone[at(i)]) continue;
    rowCount[at(i)] = 0;
    for (auto entry = rows.begin(at(i)); entry != rows.end(at(i)); ++entry)
      rowCount[at(i)] += isEntry(*entry) && !columnDone[at(entry->index)];
    if (rowCount[at(i)] == 1) singletons.push_back(i);
  }
  for (std::size_t next = 0; next < singletons.size(); ++next) {
    int const i = singletons[next];
    auto const own = std::find_if(rows.begin(at(i)), rows.end(at(i)), [&](auto const& entry) {
      return isEntry(entry) && !columnDone[at(entry.index)];
    });
    if (own == rows.end(at(i)) || !mayBePivot(*own)) continue;
    int const j = own->index;
    pivots_.push_back({i, j, own->value});
    rowDone[at(i)] = columnDone[at(j)] = 1;
    for (auto entry = columns.begin(at(j)); entry != columns.end(at(j)); ++entry) {
      if (!isEntry(*entry) || rowDone[at(entry->index)]) continue;
      lower_.add(entry->index, entry->value / own->value);
      if (--rowCount[at(entry->index)] == 1) singletons.push_back(entry->index);
    }
    upper_.endLine();
    lower_.endLine();
  }

  if (pivots_.size() < at(p)) {
    Elimination rest(p, *this);
    std::vector<int> restRows, restColumns;
    for (int i = 0; i < p; ++i) {
      if (rowDone[at(i)]) continue;
      restRows.push_back(i);
      rest.reserveRow(i, rowCount[at(i)]);
    }
    for (int j = 0; j < p; ++j) {
      if (columnDone[at(j)]) continue;
      restColumns.push_back(j);
      rest.reserveColumn(j, columnCount[at(j)]);
      for (auto entry = columns.begin(at(j)); entry != columns.end(at(j)); ++entry)
        if (isEntry(*entry) && !rowDone[at(entry->index)]) rest.add(entry->index, j, entry->value);
    }
    rest.run(restRows, restColumns, stop);
  }
  numberByPivots();
}

template <class Number>
void SparseLu<Number>::numberByPivots() {
  int const p = size_;
  pivotOfRow_.assign(at(p), -1);
  std::vector<int> pivotOfColumn(at(p), -1);
  for (std::size_t k = 0; k < pivots_.size(); ++k) {
    pivotOfRow_[at(pivots_[k].row)] = static_cast<int>(k);
    pivotOfColumn[at(pivots_[k].column)] = static_cast<int>(k);
  }
  for (int i = 0; i < p; ++i) {
    if (pivotOfRow_[at(i)] < 0) unpivotedRows_.push_back(i);
    if (pivotOfColumn[at(i)] < 0) unpivotedColumns_.push_back(i);
  }
  if (!unpivotedRows_.empty()) return;
  upper_.renumber([&](int j) { return pivotOfColumn[at(j)]; });
  lower_.renumber([&](int i) { return pivotOfRow_[at(i)]; });
  auto const same = [](int i) { return i; };
  auto const number = [](std::size_t k) { return static_cast<int>(k); };
  upperTransposed_ = upper_.transposed(at(p), same, number);
  lowerTransposed_ = lower_.transposed(at(p), same, number);
  while (firstLower_ < p && lower_.begin(at(firstLower_)) == lower_.end(at(firstLower_)))
    ++firstLower_;
}

namespace {

enum class Order { up, down };

/// Substitution by a triangular matrix whose entries off the diagonal are `lines`, from line
/// `first` on: ownOf(k) settles and gives x_k, whose multiple of line k is taken off. Where x_k is
/// at most `rounding`, before the division by a pivot and after it, it counts as zero.
template <Order order, class Number, class OwnOf>
void substitute(Lines<Number> const& lines, int first, int size, PatternVector<Number>& x,
                double rounding, OwnOf ownOf) {
  if (first == size) return;
  bool const all = x.mostlyMarked();
  auto const step = [&](int k) {
    if (isZero(x[k])) return;
    bool const small = std::fabs(rounded(x[k])) <= rounding;
    Number const own = ownOf(k);
    if (small && std::fabs(rounded(own)) <= rounding) {
      x.marked(k) = Number{};
      return;
    }
    auto const begin = lines.begin(at(k)), end = lines.end(at(k));
    if (all)
      for (auto entry = begin; entry != end; ++entry) x.marked(entry->index) -= entry->value * own;
    else
      for (auto entry = begin; entry != end; ++entry) x.subtract(entry->index, entry->value * own);
  };
  if (all) x.markAll();
  if constexpr (order == Order::up) {
    if (!all) return x.marks().sweepUp(step, first);
    for (int k = first; k < size; ++k) step(k);
  } else {
    if (!all) return x.marks().sweepDown(step, first);
    for (int k = size; k-- > first;) step(k);
  }
}

}  // namespace

template <class Number>
void SparseLu<Number>::solveLower(Vector& x, double rounding) const {
  substitute<Order::up>(lower_, firstLower_, size_, x, rounding, [&](int k) { return x[k]; });
}

template <class Number>
void SparseLu<Number>::solveUpper(Vector& x, double rounding) const {
  substitute<Order::down>(upperTransposed_, 0, size_, x, rounding,
                          [&](int k) { return x.marked(k) = x[k] / pivots_[at(k)].value; });
}

template <class Number>
void SparseLu<Number>::solveUpperTransposed(Vector& x, double rounding) const {
  substitute<Order::up>(upper_, 0, size_, x, rounding,
                        [&](int k) { return x.marked(k) = x[k] / pivots_[at(k)].value; });
}

template <class Number>
void SparseLu<Number>::solveLowerTransposed(Vector& x, double rounding) const {
  substitute<Order::down>(lowerTransposed_, firstLower_, size_, x, rounding,
                          [&](int k) { return x[k]; });
}

template <class Number>
void SparseLu<Number>::subtractUpperColumn(int k, Vector& x) const {
  x.subtract(k, pivots_[at(k)].value);
  for (auto u = upperTransposed_.begin(at(k)); u != upperTransposed_.end(at(k)); ++u)
    x.subtract(u->index, u->value);
}

template class SparseLu<double>;
template class SparseLu<DoubleDouble>;

}  // namespace osi_cuda::factors
