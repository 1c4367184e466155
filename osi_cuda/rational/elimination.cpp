// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cstddef>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/count_lists.hpp"
#include "osi_cuda/rational/sparse_lu_mod.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// Share of entries from which what is left is eliminated as a dense matrix, and the least size for
/// which that is worth its copying.
constexpr double denseShare = 0.25;
constexpr int leastDense = 32;
/// Rows and columns that are looked at for a pivot of little fill-in (Suhl and Suhl 1990).
constexpr int candidates = 4;

class SparseElimination {
 public:
  SparseElimination(ModularMatrix const& matrix, PrimeField const& field, Watch& watch)
      : field_(field),
        watch_(watch),
        rows_(at(matrix.rows)),
        rowsOf_(at(matrix.columns)),
        byRowCount_(matrix.rows, matrix.columns),
        byColumnCount_(matrix.columns, matrix.rows),
        pivotRow_(at(matrix.columns), 0),
        met_(at(matrix.columns), -1),
        rowsLeft_(matrix.rows),
        columnsLeft_(matrix.columns) {
    for (int i = 0; i < matrix.rows; ++i) {
      for (std::int64_t k = matrix.starts[at(i)]; k < matrix.starts[at(i) + 1]; ++k) {
        ulong const value = matrix.values[at(k)];
        if (value == 0) continue;
        int const column = matrix.indices[at(k)];
        rows_[at(i)].push_back({column, value});
        rowsOf_[at(column)].push_back(i);
      }
      entries_ += static_cast<std::int64_t>(rows_[at(i)].size());
    }
    for (int i = 0; i < matrix.rows; ++i) recount(i);
    for (int j = 0; j < matrix.columns; ++j) recountColumn(j);
  }

  Elimination run() {
    while (entries_ > 0) {
      if (filledIn()) {
        eliminateDense(takeDense(), field_, watch_, result_);
        break;
      }
      Choice const best = choose();
      pivot(best.row, best.column);
    }
    return std::move(result_);
  }

 private:
  struct Entry {
    int column;
    ulong value;
  };
  struct Choice {
    int row = -1;
    int column = -1;
    std::int64_t cost = 0;
  };

  /// What is left, and the triangles, which SparseLuMod copies by rows and by columns.
  double bytes() const {
    constexpr double active = 16 + 4, kept = 3 * (8 + 4);
    return active * static_cast<double>(entries_) +
           kept * static_cast<double>(result_.upperStarts.back() + result_.lowerStarts.back());
  }

  void recount(int row) { place(byRowCount_, row, rows_[at(row)].size()); }
  void recountColumn(int column) { place(byColumnCount_, column, rowsOf_[at(column)].size()); }
  /// A line whose count is what it was keeps its place in the list.
  static void place(CountLists& lists, int line, size_t count) {
    if (lists.countOf(line) != static_cast<int>(count)) lists.place(line, count);
  }

  bool filledIn() const {
    return std::min(rowsLeft_, columnsLeft_) >= leastDense &&
           static_cast<double>(entries_) >
               denseShare * static_cast<double>(rowsLeft_) * static_cast<double>(columnsLeft_);
  }

  DenseModularMatrix takeDense() {
    DenseModularMatrix dense;
    std::vector<int> place(rowsOf_.size(), -1);
    for (size_t j = 0; j < rowsOf_.size(); ++j) {
      if (rowsOf_[j].empty()) continue;
      place[j] = static_cast<int>(dense.columnNames.size());
      dense.columnNames.push_back(static_cast<int>(j));
    }
    for (size_t i = 0; i < rows_.size(); ++i)
      if (!rows_[i].empty()) dense.rowNames.push_back(static_cast<int>(i));
    size_t const width = dense.columnNames.size();
    // The matrix itself, then its triangles by rows and by columns with their indices.
    constexpr double bytesAnEntry = 8 + 2 * (8 + 4) + (8 + 4);
    watch_.allow(bytesAnEntry * static_cast<double>(width) *
                 static_cast<double>(dense.rowNames.size()));
    dense.values.assign(width * dense.rowNames.size(), 0);
    for (size_t i = 0; i < dense.rowNames.size(); ++i)
      for (Entry const& entry : rows_[at(dense.rowNames[i])])
        dense.values[i * width + at(place[at(entry.column)])] = entry.value;
    return dense;
  }

  /// Looks at short columns and rows until nothing better can follow, or enough were seen.
  Choice choose() const {
    Choice best;
    int seen = 0;
    auto const consider = [&](int row, int column) {
      std::int64_t const cost = (static_cast<std::int64_t>(rows_[at(row)].size()) - 1) *
                                (static_cast<std::int64_t>(rowsOf_[at(column)].size()) - 1);
      if (best.row < 0 || cost < best.cost) best = {row, column, cost};
    };
    int const longest = std::max(byRowCount_.largest(), byColumnCount_.largest());
    for (int count = 1; count <= longest; ++count) {
      std::int64_t const shorter = count - 1;
      if (count <= byColumnCount_.largest()) {
        for (int j = byColumnCount_.first(count); j >= 0; j = byColumnCount_.after(j)) {
          for (int const row : rowsOf_[at(j)]) consider(row, j);
          if (best.cost <= shorter * shorter || ++seen >= candidates) return best;
        }
      }
      if (count <= byRowCount_.largest()) {
        for (int i = byRowCount_.first(count); i >= 0; i = byRowCount_.after(i)) {
          for (Entry const& entry : rows_[at(i)]) consider(i, entry.column);
          if (best.cost <= shorter * count || ++seen >= candidates) return best;
        }
      }
    }
    return best;
  }

  void forget(int row, int column) {
    std::vector<int>& list = rowsOf_[at(column)];
    *std::ranges::find(list, row) = list.back();
    list.pop_back();
  }

  void pivot(int row, int column) {
    std::vector<Entry> const line = takeRow(row, column);
    ulong const value = result_.pivots.back().value;
    ulong const inverse = field_.inverse(value);
    std::vector<int> const below = std::move(rowsOf_[at(column)]);
    rowsOf_[at(column)].clear();
    byColumnCount_.remove(column);
    --columnsLeft_;
    for (Entry const& entry : line) pivotRow_[at(entry.column)] = entry.value;
    for (int const i : below) subtract(i, column, inverse, line);
    for (Entry const& entry : line) {
      pivotRow_[at(entry.column)] = 0;
      recountColumn(entry.column);
      if (rowsOf_[at(entry.column)].empty()) --columnsLeft_;
    }
    result_.lowerStarts.push_back(static_cast<std::int64_t>(result_.lowerRows.size()));
    watch_.spend(static_cast<std::int64_t>((below.size() + 1) * (line.size() + 8)));
    watch_.allow(bytes());
  }

  /// Makes the row of the pivot a row of U and returns it without the pivot.
  std::vector<Entry> takeRow(int row, int column) {
    std::vector<Entry> line = std::move(rows_[at(row)]);
    rows_[at(row)].clear();
    entries_ -= static_cast<std::int64_t>(line.size());
    byRowCount_.remove(row);
    --rowsLeft_;
    for (Entry const& entry : line) forget(row, entry.column);
    auto const found =
        std::ranges::find_if(line, [&](Entry const& entry) { return entry.column == column; });
    result_.pivots.push_back({row, column, found->value});
    line.erase(found);
    for (Entry const& entry : line) {
      result_.upperColumns.push_back(entry.column);
      result_.upperValues.push_back(entry.value);
    }
    result_.upperStarts.push_back(static_cast<std::int64_t>(result_.upperColumns.size()));
    return line;
  }

  /// Row i less a multiple of the pivot's row, which `line` and pivotRow_ hold, so that its entry
  /// in `column` vanishes.
  void subtract(int i, int column, ulong inverse, std::vector<Entry> const& line) {
    std::vector<Entry>& entries = rows_[at(i)];
    entries_ -= static_cast<std::int64_t>(entries.size());
    auto const found =
        std::ranges::find_if(entries, [&](Entry const& entry) { return entry.column == column; });
    ulong const multiplier = field_.multiply(found->value, inverse);
    *found = entries.back();
    entries.pop_back();
    result_.lowerRows.push_back(i);
    result_.lowerValues.push_back(multiplier);

    Multiplier const negative(field_.negate(multiplier), field_);
    for (size_t k = 0; k < entries.size();) {
      Entry& entry = entries[k];
      met_[at(entry.column)] = i;
      ulong const other = pivotRow_[at(entry.column)];
      if (other != 0) entry.value = field_.add(entry.value, negative.times(other));
      if (entry.value != 0) {
        ++k;
        continue;
      }
      forget(i, entry.column);
      entry = entries.back();
      entries.pop_back();
    }
    for (Entry const& entry : line) {
      if (met_[at(entry.column)] == i) continue;
      entries.push_back({entry.column, negative.times(entry.value)});
      rowsOf_[at(entry.column)].push_back(i);
    }
    for (Entry const& entry : entries) met_[at(entry.column)] = -1;
    for (Entry const& entry : line) met_[at(entry.column)] = -1;
    entries_ += static_cast<std::int64_t>(entries.size());
    recount(i);
    if (entries.empty()) --rowsLeft_;
  }

  PrimeField const& field_;
  Watch& watch_;
  std::vector<std::vector<Entry>> rows_;  // what is not eliminated yet
  std::vector<std::vector<int>> rowsOf_;  // rows with an entry in each column
  CountLists byRowCount_, byColumnCount_;
  std::vector<ulong> pivotRow_;  // by column, 0 where it has no entry
  std::vector<int> met_;         // by column: the row whose entry was seen there
  std::int64_t entries_ = 0;
  int rowsLeft_, columnsLeft_;  // with entries, but for rows and columns empty from the start
  Elimination result_;
};

}  // namespace

Elimination eliminate(ModularMatrix const& matrix, PrimeField const& field, Watch& watch) {
  return SparseElimination(matrix, field, watch).run();
}

}  // namespace osi_cuda::rational
