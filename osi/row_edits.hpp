// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda::osi {

/// Rows that a problem lost and got since a solver took it over; new rows come last.
struct RowEdits {
  std::vector<int> gone;  ///< of the solver's rows, ascending
  int kept = 0;           ///< rows of the problem, the first ones, which are the solver's others

  /// `numbers`: of the problem's rows, ascending; `held`: how many the solver has.
  void remove(std::vector<int> const& numbers, int held);
  /// Branch and bound takes all cuts out between two nodes and puts most of them back. Lost rows at
  /// the end of the solver's matrix that are the first `fresh` ones, given as columns, in turn are
  /// kept instead, and leave `fresh`.
  void restore(SparseMatrix const& held, SparseMatrix& fresh);
};

/// Rows `first` and later of a matrix by columns, as the columns of another one, in which indices
/// ascend. O(n + entries).
template <class Start>
SparseMatrix rowsFrom(int first, int rows, int columns, Start const* starts, int const* indices,
                      double const* values) {
  SparseMatrix part;
  part.rows = rows - first;
  for (int j = 0; j < columns; ++j) {
    for (Start e = starts[j]; e < starts[j + 1]; ++e)
      if (indices[e] >= first) part.add(indices[e] - first, values[e]);
    part.endColumn();
  }
  return part.transposed();
}

}  // namespace osi_cuda::osi
