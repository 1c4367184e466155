// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "examples/shortest_path/graph.hpp"

namespace osi_cuda::shortest_path {

/// Cells of which some are walls; a step goes to a neighbour above, left, right or below and
/// costs 1. Cell (r, c) is number r * columns + c.
struct Grid {
  std::int32_t rows = 0, columns = 0;
  std::vector<std::uint8_t> wall;  ///< 1: wall, 0: open; length rows * columns

  std::int64_t cells() const { return std::int64_t{rows} * columns; }
  /// Calls visit(neighbour) above, left, right, below of `cell`.
  template <class Visit>
  void eachNeighbour(Vertex cell, Visit visit) const {
    std::int32_t const column = cell % columns;
    if (cell >= columns) visit(cell - columns);
    if (column > 0) visit(cell - 1);
    if (column + 1 < columns) visit(cell + 1);
    if (cell < cells() - columns) visit(cell + columns);
  }
};

/// Vertices are cells, arcs lead from open cells to open neighbours with weight 1.
Graph graphOf(Grid const& grid);

}  // namespace osi_cuda::shortest_path
