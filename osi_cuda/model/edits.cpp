// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/edits.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace osi_cuda {

std::vector<int> reshapeMap(int size, std::span<int const> gone, int added) {
  std::vector<int> map;
  map.reserve(at(size + added) - gone.size());
  std::size_t next = 0;
  for (int i = 0; i < size; ++i) {
    if (next < gone.size() && gone[next] == i)
      ++next;
    else
      map.push_back(i);
  }
  map.insert(map.end(), at(added), -1);
  return map;
}

void appendColumns(SparseMatrix& matrix, SparseMatrix const& columns) {
  if (columns.isDense()) {
    SparseMatrix own = columns;
    own.makeSparse();
    return appendColumns(matrix, own);
  }
  matrix.makeSparse();
  std::int64_t const before = matrix.nonzeros();
  for (int j = 0; j < columns.columns; ++j)
    matrix.starts.push_back(before + columns.starts[at(j) + 1]);
  matrix.indices.insert(matrix.indices.end(), columns.indices.begin(), columns.indices.end());
  matrix.values.insert(matrix.values.end(), columns.values.begin(), columns.values.end());
  matrix.columns += columns.columns;
}

// One pass from the back: each column moves up by the new entries of the columns before it.
void appendRows(SparseMatrix& matrix, SparseMatrix const& rows) {
  if (rows.isDense()) {
    SparseMatrix own = rows;
    own.makeSparse();
    return appendRows(matrix, own);
  }
  matrix.makeSparse();
  auto const n = at(matrix.columns);
  std::vector<std::int64_t> fresh(n, 0);
  for (int const j : rows.indices) ++fresh[at(j)];
  auto const total = at(matrix.nonzeros() + rows.nonzeros());
  matrix.indices.resize(total);
  matrix.values.resize(total);
  std::vector<std::int64_t> place(n);  // where the next new entry of a column goes
  std::int64_t shift = rows.nonzeros();
  for (std::size_t j = n; j-- > 0;) {
    std::int64_t const begin = matrix.starts[j], end = matrix.starts[j + 1];
    matrix.starts[j + 1] = end + shift;
    shift -= fresh[j];
    place[j] = end + shift;
    auto const moveUp = [&](auto from) {
      std::move_backward(from + begin, from + end, from + end + shift);
    };
    moveUp(matrix.indices.begin());
    moveUp(matrix.values.begin());
  }
  for (int i = 0; i < rows.columns; ++i) {
    for (auto const [j, a] : rows.column(i)) {
      std::size_t const to = at(place[at(j)]++);
      matrix.indices[to] = matrix.rows + i;
      matrix.values[to] = a;
    }
  }
  matrix.rows += rows.columns;
}

namespace {

/// setEntries in a DenseArray, of which a copy is made where others use the numbers as well.
void setNumbers(SparseMatrix& matrix, std::span<int const> rows, std::span<int const> columns,
                std::span<double const> values) {
  DenseArray& dense = matrix.dense;
  dense.there = {};
  if (!dense.owner || dense.owner.use_count() > 1) {
    auto const count = at(matrix.nonzeros());
    std::shared_ptr<double[]> const numbers(new double[count]);
    std::copy_n(dense.numbers, count, numbers.get());
    dense.numbers = numbers.get();
    dense.owner = numbers;
  }
  // Numbers with an owner were made by the library: they are no constants.
  auto* const numbers = const_cast<double*>(dense.numbers);
  auto const m = at(matrix.rows), n = at(matrix.columns);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto const i = at(rows[k]), j = at(columns[k]);
    numbers[dense.byRows ? i * n + j : j * m + i] = values[k];
  }
}

}  // namespace

void setEntries(SparseMatrix& matrix, std::span<int const> rows, std::span<int const> columns,
                std::span<double const> values) {
  if (matrix.isDense()) return setNumbers(matrix, rows, columns, values);
  // Entry by column, then row; equal ones in the order in which they were given.
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(columns[a], rows[a]) < std::pair(columns[b], rows[b]);
  });
  std::vector<std::size_t> changes;  // the last one for each entry
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::size_t const change = order[k];
    bool const overruled = k + 1 < order.size() && columns[order[k + 1]] == columns[change] &&
                           rows[order[k + 1]] == rows[change];
    if (!overruled) changes.push_back(change);
  }

  auto const place = [&](std::size_t change) {
    auto const indices = matrix.columnIndices(columns[change]);
    auto const found = std::ranges::find(indices, rows[change]);
    return found == indices.end() ? std::int64_t{-1}
                                  : matrix.starts[columns[change]] + (found - indices.begin());
  };
  std::vector<std::size_t> coming;  // entries that there are not yet
  std::vector<char> gone;           // of the present entries; empty: none goes
  for (std::size_t const change : changes) {
    std::int64_t const at = place(change);
    if (at < 0) {
      if (values[change] != 0.0) coming.push_back(change);
    } else if (values[change] != 0.0) {
      matrix.values[at] = values[change];
    } else {
      gone.resize(matrix.values.size(), 0);
      gone[at] = 1;
    }
  }
  if (coming.empty() && gone.empty()) return;

  SparseMatrix changed;
  changed.rows = matrix.rows;
  changed.starts.reserve(matrix.starts.size());
  changed.indices.reserve(matrix.indices.size() + coming.size());
  changed.values.reserve(matrix.values.size() + coming.size());
  auto next = coming.begin();
  for (int j = 0; j < matrix.columns; ++j) {
    for (std::int64_t e = matrix.starts[j]; e < matrix.starts[j + 1]; ++e) {
      if (!gone.empty() && gone[e]) continue;
      // Where rows ascend they go on to do so.
      for (; next != coming.end() && columns[*next] == j && rows[*next] < matrix.indices[e]; ++next)
        changed.add(rows[*next], values[*next]);
      changed.add(matrix.indices[e], matrix.values[e]);
    }
    for (; next != coming.end() && columns[*next] == j; ++next)
      changed.add(rows[*next], values[*next]);
    changed.endColumn();
  }
  matrix = std::move(changed);
}

namespace {

/// The number that each of `size` has without those that are gone; -1: it is one of them.
std::vector<int> numbersWithout(std::span<int const> gone, int size) {
  std::vector<int> number(at(size), 0);
  for (int const k : gone) number[at(k)] = -1;
  int count = 0;
  for (int& k : number)
    if (k == 0) k = count++;
  return number;
}

/// In place: entries move to the front.
void remove(SparseMatrix& matrix, std::span<int const> goneRows, std::span<int const> goneColumns) {
  matrix.makeSparse();
  std::vector<int> const row = numbersWithout(goneRows, matrix.rows),
                         column = numbersWithout(goneColumns, matrix.columns);
  std::size_t entries = 0, kept = 0, end = 0;
  for (std::size_t j = 0; j < column.size(); ++j) {
    std::size_t const begin = end;
    end = at(matrix.starts[j + 1]);
    if (column[j] < 0) continue;
    for (std::size_t e = begin; e < end; ++e) {
      int const i = row[at(matrix.indices[e])];
      if (i < 0) continue;
      matrix.indices[entries] = i;
      matrix.values[entries++] = matrix.values[e];
    }
    matrix.starts[++kept] = static_cast<std::int64_t>(entries);  // already read: kept <= j + 1
  }
  matrix.starts.resize(kept + 1);
  matrix.indices.resize(entries);
  matrix.values.resize(entries);
  matrix.rows = static_cast<int>(std::ranges::count_if(row, [](int i) { return i >= 0; }));
  matrix.columns = static_cast<int>(kept);
}

}  // namespace

void removeColumns(SparseMatrix& matrix, std::span<int const> gone) {
  remove(matrix, {}, gone);
}

void removeRows(SparseMatrix& matrix, std::span<int const> gone) {
  remove(matrix, gone, {});
}

void reshape(Basis& basis, Reshape const& change) {
  if (basis.empty()) return;
  reshape(basis.rows, change.rows, VariableStatus::basic);
  reshape(basis.columns, change.columns, VariableStatus::atLower);
}

}  // namespace osi_cuda
