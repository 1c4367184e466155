// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <string>
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

/// The map of 0..size-1 without the `gone` (ascending, distinct), and with `added` new ones.
std::vector<int> reshapeMap(int size, std::span<int const> gone, int added);

/// Appends the columns of `columns`, which has as many rows.
void appendColumns(SparseMatrix& matrix, SparseMatrix const& columns);
/// Appends rows, given as the columns of `rows`; its row numbers are the matrix's columns.
void appendRows(SparseMatrix& matrix, SparseMatrix const& rows);
/// `gone`: ascending, distinct numbers.
void removeColumns(SparseMatrix& matrix, std::span<int const> gone);
void removeRows(SparseMatrix& matrix, std::span<int const> gone);

/// Each of these makes a matrix sparse that stands on a DenseArray.

/// Makes the entry in row rows[k] and column columns[k] values[k], for each k; of two changes of
/// one entry the later one counts. A zero takes the entry out. Numbers have to lie within the
/// matrix. A matrix that stands on a DenseArray goes on to do so, on a copy of its own where the
/// numbers are not its alone; zeros stay entries there. Else one pass over the matrix where entries
/// are added or removed, else a search in each column concerned.
void setEntries(SparseMatrix& matrix, std::span<int const> rows, std::span<int const> columns,
                std::span<double const> values);

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
