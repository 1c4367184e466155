// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

namespace osi_cuda::response {

/// A sparse matrix by rows, the columns of a row rising.
struct Csr {
  int rows = 0, columns = 0;
  std::vector<int> start{0}, column;
  std::vector<double> value;

  int nonzeros() const { return start.back(); }
  /// Where row i has column j, or -1.
  int find(int i, int j) const;
  /// Y = A X, row by row with `width` columns; all cores.
  void multiply(double const* x, double* y, int width = 1) const;
};

/// Fixed places for entries in every row: entry k of row i at k * rows + i. Rows that are shorter
/// are filled with zeros at their own column.
struct Ell {
  int rows = 0, width = 0;
  std::vector<int> column;
  std::vector<double> value;
};
Ell ellOf(Csr const& matrix);

/// Colours, 0 .. count-1, and what has each.
struct Colouring {
  int count = 0;
  std::vector<int> start{0}, member;
};
/// Of the rows of a matrix of symmetric pattern such that no two rows of a colour see each other;
/// greedy in the order of the rows.
Colouring coloursOf(Csr const& matrix);
/// Of items such that no two of a colour share a node: node[item * width + k].
Colouring coloursOfElements(std::vector<int> const& node, int width, int nodes);

}  // namespace osi_cuda::response
