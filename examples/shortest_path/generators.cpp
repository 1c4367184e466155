// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/generators.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "examples/common/random.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::Random;

Weight drawWeight(Random& random, int bits) {
  return Weight(1 + random.below((std::uint32_t{1} << bits) - 1));
}

}  // namespace

Graph denseGraph(Vertex vertices, int bits, std::uint64_t seed) {
  Random random(seed);
  Graph graph;
  graph.vertices = vertices;
  for (Vertex tail = 0; tail < vertices; ++tail) {
    for (Vertex head = 0; head < vertices; ++head) {
      if (head == tail || random.uniform() < 0.5) continue;
      graph.head.push_back(head);
      graph.weight.push_back(drawWeight(random, bits));
    }
    graph.first.push_back(graph.arcs());
  }
  return graph;
}

Graph sparseGraph(Vertex vertices, ArcIndex arcs, int bits, std::uint64_t seed) {
  Random random(seed);
  std::vector<Arc> list(arcs);
  for (Arc& arc : list) {
    arc.tail = Vertex(random.below(vertices));
    arc.head = Vertex(random.below(vertices));
    arc.weight = drawWeight(random, bits);
  }
  return makeGraph(vertices, list);
}

Graph roadGraph(std::int32_t rows, std::int32_t columns, int bits, std::uint64_t seed) {
  Graph graph = graphOf(openGrid(rows, columns));
  Random random(seed);
  for (Weight& weight : graph.weight) weight = drawWeight(random, bits);
  return graph;
}

Grid openGrid(std::int32_t rows, std::int32_t columns) {
  return {rows, columns, std::vector<std::uint8_t>(std::size_t(rows) * columns, 0)};
}

Grid scatteredWalls(std::int32_t rows, std::int32_t columns, double share, std::uint64_t seed) {
  Grid grid = openGrid(rows, columns);
  Random random(seed);
  for (std::uint8_t& wall : grid.wall) wall = random.uniform() < share ? 1 : 0;
  if (!grid.wall.empty()) grid.wall.front() = grid.wall.back() = 0;
  return grid;
}

Grid maze(std::int32_t rows, std::int32_t columns, double loops, std::uint64_t seed) {
  Grid grid = openGrid(rows, columns);
  if (grid.wall.empty()) return grid;
  std::ranges::fill(grid.wall, std::uint8_t{1});
  auto const wall = [&](std::int64_t row, std::int64_t column) -> std::uint8_t& {
    return grid.wall[row * columns + column];
  };
  Random random(seed);
  // A depth-first search in random order from room to room, the cells of even row and column.
  using Room = std::pair<std::int32_t, std::int32_t>;
  std::vector<Room> stack{{0, 0}};
  wall(0, 0) = 0;
  while (!stack.empty()) {
    auto const [row, column] = stack.back();
    std::array<Room, 4> closed{};
    std::uint32_t count = 0;
    for (auto const& [r, c] : {Room{row - 2, column}, Room{row, column - 2}, Room{row, column + 2},
                               Room{row + 2, column}})
      if (r >= 0 && c >= 0 && r < rows && c < columns && wall(r, c)) closed[count++] = {r, c};
    if (count == 0) {
      stack.pop_back();
      continue;
    }
    auto const [r, c] = closed[random.below(count)];
    wall((row + r) / 2, (column + c) / 2) = wall(r, c) = 0;
    stack.emplace_back(r, c);
  }
  // Cells between two rooms: exactly one of row and column is odd.
  for (std::int32_t r = 0; r < rows; ++r)
    for (std::int32_t c = (r + 1) % 2; c < columns; c += 2)
      if (random.uniform() < loops) wall(r, c) = 0;
  return grid;
}

}  // namespace osi_cuda::shortest_path
