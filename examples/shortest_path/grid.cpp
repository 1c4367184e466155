// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/grid.hpp"

namespace osi_cuda::shortest_path {

Graph graphOf(Grid const& grid) {
  auto const cells = std::size_t(grid.cells());
  auto const columns = std::size_t(grid.columns);
  Graph graph;
  graph.vertices = Vertex(cells);
  graph.first.assign(cells + 1, 0);
  // Twice the same walk: the first counts, the second fills.
  auto const eachNeighbour = [&](std::size_t cell, auto visit) {
    if (grid.wall[cell]) return;
    std::size_t const column = cell % columns;
    if (cell >= columns && !grid.wall[cell - columns]) visit(cell - columns);
    if (column > 0 && !grid.wall[cell - 1]) visit(cell - 1);
    if (column + 1 < columns && !grid.wall[cell + 1]) visit(cell + 1);
    if (cell + columns < cells && !grid.wall[cell + columns]) visit(cell + columns);
  };
  for (std::size_t cell = 0; cell < cells; ++cell) {
    ArcIndex count = 0;
    eachNeighbour(cell, [&](std::size_t) { ++count; });
    graph.first[cell + 1] = graph.first[cell] + count;
  }
  graph.head.reserve(std::size_t(graph.first[cells]));
  for (std::size_t cell = 0; cell < cells; ++cell)
    eachNeighbour(cell, [&](std::size_t other) { graph.head.push_back(Vertex(other)); });
  graph.weight.assign(graph.head.size(), 1);
  return graph;
}

}  // namespace osi_cuda::shortest_path
