// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"

/// Adding and removing rows and columns. New ones come last; of those that stay the order stays.
namespace osi_cuda {

/// What became of the rows and columns of a problem: for each new number the old one, or -1 for a
/// row or column that is new.
struct Reshape {
  std::vector<int> rows;     ///< length m of the new problem
  std::vector<int> columns;  ///< length n of the new problem
};

/// By old number, of `size`, the new one, or -1.
std::vector<int> newNumbers(std::vector<int> const& oldOf, int size);
/// The same by variable, columns before rows, of a problem of m rows and n columns.
std::vector<int> newVariables(Reshape const& change, int m, int n);

/// The map of 0..size-1 without the `gone` (ascending, distinct), and with `added` new ones.
std::vector<int> reshapeMap(int size, std::span<int const> gone, int added);

/// Appends the columns of `columns`, which has as many rows.
void appendColumns(SparseMatrix& matrix, SparseMatrix const& columns);
/// `gone`: ascending, distinct numbers.
void removeColumns(SparseMatrix& matrix, std::span<int const> gone);
/// Takes out the rows `gone` (ascending, distinct numbers) and appends others, given as the columns
/// of `rows`, whose row numbers are the matrix's columns. One pass in place: entries move once.
void replaceRows(SparseMatrix& matrix, std::span<int const> gone, SparseMatrix const& rows);
inline void appendRows(SparseMatrix& matrix, SparseMatrix const& rows) {
  replaceRows(matrix, {}, rows);
}
inline void removeRows(SparseMatrix& matrix, std::span<int const> gone) {
  replaceRows(matrix, gone, {});
}

/// Each of these makes a matrix sparse that stands on a DenseArray.

/// Makes the entry in row rows[k] and column columns[k] values[k], for each k; of two changes of
/// one entry the later one counts. A zero takes the entry out. Numbers have to lie within the
/// matrix. A matrix that stands on a DenseArray goes on to do so, on a copy of its own where the
/// numbers are not its alone; zeros stay entries there. Else one pass over the matrix where entries
/// are added or removed, else a search in each column concerned.
void setEntries(SparseMatrix& matrix, std::span<int const> rows, std::span<int const> columns,
                std::span<double const> values);

/// The rows from number `first` on, as columns in which indices ascend. They were appended: in each
/// column they come last. O(n + entries).
SparseMatrix rowsFrom(SparseMatrix const& matrix, int first);

/// Of the entries `from` to `end` - 1 of a column those of rows that stay move to the front, by
/// their new numbers; `number` is by row, -1: it goes. Returns where they end.
template <class Offset>
Offset keepRows(int* indices, double* values, Offset from, Offset end,
                std::vector<int> const& number) {
  for (Offset e = from; e < end; ++e) {
    int const i = number[at(indices[e])];
    if (i < 0) continue;
    indices[from] = i;
    values[from++] = values[e];
  }
  return from;
}

/// Keeps the values at the positions of `map` and puts `added` for the new ones.
template <class T>
void reshape(std::vector<T>& values, std::vector<int> const& map, T added) {
  std::vector<T> changed(map.size(), added);
  for (std::size_t i = 0; i < map.size(); ++i)
    if (map[i] >= 0) changed[i] = values[static_cast<std::size_t>(map[i])];
  values = std::move(changed);
}

/// A basis after the change: new rows basic, new columns at their lower bound. An empty basis stays
/// empty.
void reshape(Basis& basis, Reshape const& change);

}  // namespace osi_cuda
