// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/edits.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace osi_cuda {

static SparseMatrix sparse(SparseMatrix matrix) {
  matrix.makeSparse();
  return matrix;
}

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

std::vector<int> newNumbers(std::vector<int> const& oldOf, int size) {
  std::vector<int> numbers(at(size), -1);
  for (std::size_t k = 0; k < oldOf.size(); ++k)
    if (oldOf[k] >= 0) numbers[at(oldOf[k])] = static_cast<int>(k);
  return numbers;
}

std::vector<int> newVariables(Reshape const& change, int m, int n) {
  std::vector<int> numbers = newNumbers(change.columns, n);
  for (int const i : newNumbers(change.rows, m))
    numbers.push_back(i < 0 ? -1 : static_cast<int>(change.columns.size()) + i);
  return numbers;
}

void appendColumns(SparseMatrix& matrix, SparseMatrix const& columns) {
  if (columns.isDense()) return appendColumns(matrix, sparse(columns));
  matrix.makeSparse();
  std::int64_t const before = matrix.nonzeros();
  for (int j = 0; j < columns.columns; ++j)
    matrix.starts.push_back(before + columns.starts[at(j) + 1]);
  matrix.indices.insert(matrix.indices.end(), columns.indices.begin(), columns.indices.end());
  matrix.values.insert(matrix.values.end(), columns.values.begin(), columns.values.end());
  matrix.columns += columns.columns;
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

/// Lets those entries of each column that are in no row of `gone` come first, by their new numbers.
/// Returns how many they are.
std::vector<std::int64_t> dropRows(SparseMatrix& matrix, std::span<int const> gone) {
  auto const number = newNumbers(reshapeMap(matrix.rows, gone, 0), matrix.rows);
  int const first = gone.empty() ? matrix.rows : gone.front();  // those before keep their numbers
  std::vector<std::int64_t> kept;
  kept.reserve(at(matrix.columns));
  for (std::size_t j = 0; j < at(matrix.columns); ++j) {
    std::int64_t const begin = matrix.starts[j], end = matrix.starts[j + 1];
    std::int64_t from = gone.empty() ? end : begin;
    while (from < end && matrix.indices[at(from)] < first) ++from;
    kept.push_back(keepRows(matrix.indices.data(), matrix.values.data(), from, end, number) -
                   begin);
  }
  return kept;
}

/// Entries that may overlap.
void moveEntries(SparseMatrix& matrix, std::int64_t from, std::int64_t to, std::int64_t count) {
  if (from == to) return;
  std::memmove(matrix.indices.data() + to, matrix.indices.data() + from, at(count) * sizeof(int));
  std::memmove(matrix.values.data() + to, matrix.values.data() + from, at(count) * sizeof(double));
}

}  // namespace

void removeColumns(SparseMatrix& matrix, std::span<int const> gone) {
  if (gone.empty()) return;
  matrix.makeSparse();
  std::vector<int> const stay = reshapeMap(matrix.columns, gone, 0);
  std::int64_t end = 0;
  for (std::size_t k = 0; k < stay.size(); ++k) {
    std::int64_t const begin = matrix.starts[at(stay[k])];
    std::int64_t const count = matrix.starts[at(stay[k]) + 1] - begin;
    moveEntries(matrix, begin, end, count);
    matrix.starts[k] = end;  // already read: k <= stay[k]
    end += count;
  }
  matrix.columns = static_cast<int>(stay.size());
  matrix.starts.resize(stay.size() + 1);
  matrix.starts.back() = end;
  matrix.indices.resize(at(end));
  matrix.values.resize(at(end));
}

// What moves to the front does so first, from the first column on, what moves to the back after
// that, from the last one on: then nothing is overwritten before it has moved.
void replaceRows(SparseMatrix& matrix, std::span<int const> gone, SparseMatrix const& rows) {
  if (rows.isDense()) return replaceRows(matrix, gone, sparse(rows));
  matrix.makeSparse();
  auto const n = at(matrix.columns), most = at(matrix.nonzeros() + rows.nonzeros());
  if (most > std::min(matrix.indices.capacity(), matrix.values.capacity())) {
    matrix.indices.reserve(most + most / 8);  // before anything has moved
    matrix.values.reserve(most + most / 8);
  }
  std::vector<std::int64_t> const before = matrix.starts;
  std::vector<std::int64_t> place = dropRows(matrix, gone);  // of entries; then of the next new one
  for (std::size_t j = 0; j < n; ++j) matrix.starts[j + 1] = place[j];
  for (int const j : rows.indices) ++matrix.starts[at(j) + 1];
  std::partial_sum(matrix.starts.begin(), matrix.starts.end(), matrix.starts.begin());
  auto const total = at(matrix.nonzeros());
  matrix.indices.resize(std::max(total, matrix.indices.size()));
  matrix.values.resize(matrix.indices.size());
  for (std::size_t j = 0; j < n; ++j)
    if (matrix.starts[j] < before[j]) moveEntries(matrix, before[j], matrix.starts[j], place[j]);
  for (std::size_t j = n; j-- > 0;) {
    if (matrix.starts[j] > before[j]) moveEntries(matrix, before[j], matrix.starts[j], place[j]);
    place[j] += matrix.starts[j];
  }
  matrix.rows -= static_cast<int>(gone.size());
  for (int i = 0; i < rows.columns; ++i, ++matrix.rows) {
    for (auto const [j, a] : rows.column(i)) {
      std::size_t const to = at(place[at(j)]++);
      matrix.indices[to] = matrix.rows;
      matrix.values[to] = a;
    }
  }
  matrix.indices.resize(total);
  matrix.values.resize(total);
}

SparseMatrix rowsFrom(SparseMatrix const& matrix, int first) {
  SparseMatrix rows{matrix.columns, matrix.rows - first, {}, {}, {}};
  rows.starts.assign(at(rows.columns) + 1, 0);
  auto const forEntries = [&](auto const& visit) {
    for (int j = 0; j < matrix.columns; ++j) {
      auto const indices = matrix.columnIndices(j);
      for (std::size_t k = indices.size(); k > 0 && indices[k - 1] >= first; --k)
        visit(at(indices[k - 1] - first), j, at(matrix.starts[at(j)]) + k - 1);
    }
  };
  forEntries([&](std::size_t row, int, std::size_t) { ++rows.starts[row + 1]; });
  std::partial_sum(rows.starts.begin(), rows.starts.end(), rows.starts.begin());
  rows.indices.resize(at(rows.nonzeros()));
  rows.values.resize(rows.indices.size());
  std::vector<std::int64_t> next(rows.starts.begin(), rows.starts.end() - 1);
  forEntries([&](std::size_t row, int j, std::size_t e) {
    std::size_t const to = at(next[row]++);
    rows.indices[to] = j;
    rows.values[to] = matrix.values[e];
  });
  return rows;
}

void reshape(Basis& basis, Reshape const& change) {
  if (basis.empty()) return;
  reshape(basis.rows, change.rows, VariableStatus::basic);
  reshape(basis.columns, change.columns, VariableStatus::atLower);
}

}  // namespace osi_cuda
