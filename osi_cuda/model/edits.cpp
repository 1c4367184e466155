// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/edits.hpp"

namespace osi_cuda {

std::vector<int> reshapeMap(int size, std::span<int const> gone, int added) {
  std::vector<int> map;
  map.reserve(static_cast<std::size_t>(size + added) - gone.size());
  std::size_t next = 0;
  for (int i = 0; i < size; ++i) {
    if (next < gone.size() && gone[next] == i)
      ++next;
    else
      map.push_back(i);
  }
  map.insert(map.end(), static_cast<std::size_t>(added), -1);
  return map;
}

void appendColumns(SparseMatrix& matrix, SparseMatrix const& columns) {
  std::int64_t const before = matrix.nonzeros();
  for (int j = 0; j < columns.columns; ++j)
    matrix.starts.push_back(before + columns.starts[static_cast<std::size_t>(j) + 1]);
  matrix.indices.insert(matrix.indices.end(), columns.indices.begin(), columns.indices.end());
  matrix.values.insert(matrix.values.end(), columns.values.begin(), columns.values.end());
  matrix.columns += columns.columns;
}

// One pass from the back: each column moves up by the new entries of the columns before it.
void appendRows(SparseMatrix& matrix, SparseMatrix const& rows) {
  auto const n = static_cast<std::size_t>(matrix.columns);
  std::vector<std::int64_t> fresh(n, 0);
  for (int const j : rows.indices) ++fresh[static_cast<std::size_t>(j)];
  auto const total = static_cast<std::size_t>(matrix.nonzeros() + rows.nonzeros());
  matrix.indices.resize(total);
  matrix.values.resize(total);
  std::vector<std::int64_t> place(n);  // where the next new entry of a column goes
  std::int64_t shift = rows.nonzeros();
  for (std::size_t j = n; j-- > 0;) {
    std::int64_t const begin = matrix.starts[j], end = matrix.starts[j + 1];
    matrix.starts[j + 1] = end + shift;
    shift -= fresh[j];
    place[j] = end + shift;
    if (shift == 0) continue;
    for (std::int64_t e = end; e-- > begin;) {
      matrix.indices[static_cast<std::size_t>(e + shift)] =
          matrix.indices[static_cast<std::size_t>(e)];
      matrix.values[static_cast<std::size_t>(e + shift)] =
          matrix.values[static_cast<std::size_t>(e)];
    }
  }
  for (int i = 0; i < rows.columns; ++i) {
    auto const indices = rows.columnIndices(i);
    auto const values = rows.columnValues(i);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      auto const to = static_cast<std::size_t>(place[static_cast<std::size_t>(indices[e])]++);
      matrix.indices[to] = matrix.rows + i;
      matrix.values[to] = values[e];
    }
  }
  matrix.rows += rows.columns;
}

void removeColumns(SparseMatrix& matrix, std::span<int const> gone) {
  std::size_t next = 0, kept = 0;
  std::int64_t entries = 0;
  for (int j = 0; j < matrix.columns; ++j) {
    std::int64_t const begin = matrix.starts[static_cast<std::size_t>(j)],
                       end = matrix.starts[static_cast<std::size_t>(j) + 1];
    if (next < gone.size() && gone[next] == j) {
      ++next;
      continue;
    }
    matrix.starts[kept++] = entries;  // already read: kept <= j
    for (std::int64_t e = begin; e < end; ++e, ++entries) {
      matrix.indices[static_cast<std::size_t>(entries)] =
          matrix.indices[static_cast<std::size_t>(e)];
      matrix.values[static_cast<std::size_t>(entries)] = matrix.values[static_cast<std::size_t>(e)];
    }
  }
  matrix.starts.resize(kept + 1);
  matrix.starts[kept] = entries;
  matrix.indices.resize(static_cast<std::size_t>(entries));
  matrix.values.resize(static_cast<std::size_t>(entries));
  matrix.columns = static_cast<int>(kept);
}

void removeRows(SparseMatrix& matrix, std::span<int const> gone) {
  std::vector<int> number(static_cast<std::size_t>(matrix.rows), 0);  // new number, or -1
  for (int const i : gone) number[static_cast<std::size_t>(i)] = -1;
  int count = 0;
  for (int& i : number)
    if (i == 0) i = count++;
  std::int64_t entries = 0;
  for (int j = 0; j < matrix.columns; ++j) {
    std::int64_t const begin = matrix.starts[static_cast<std::size_t>(j)],
                       end = matrix.starts[static_cast<std::size_t>(j) + 1];
    // starts[j] of a later column is still the old one: only starts[j] itself is rewritten.
    matrix.starts[static_cast<std::size_t>(j)] = entries;
    for (std::int64_t e = begin; e < end; ++e) {
      int const i = number[static_cast<std::size_t>(matrix.indices[static_cast<std::size_t>(e)])];
      if (i < 0) continue;
      matrix.indices[static_cast<std::size_t>(entries)] = i;
      matrix.values[static_cast<std::size_t>(entries)] = matrix.values[static_cast<std::size_t>(e)];
      ++entries;
    }
  }
  matrix.starts[static_cast<std::size_t>(matrix.columns)] = entries;
  matrix.indices.resize(static_cast<std::size_t>(entries));
  matrix.values.resize(static_cast<std::size_t>(entries));
  matrix.rows = count;
}

void reshape(Basis& basis, Reshape const& change) {
  if (basis.empty()) return;
  reshape(basis.rows, change.rows, VariableStatus::basic);
  reshape(basis.columns, change.columns, VariableStatus::atLower);
}

}  // namespace osi_cuda
