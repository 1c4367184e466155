// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/generators.hpp"

#include <algorithm>
#include <array>

#include "examples/shortest_path/philox.hpp"

namespace osi_cuda::shortest_path {
namespace {

Weight drawWeight(PhiloxStream& random, int bits) {
  return Weight(1 + random.below((std::uint32_t{1} << bits) - 1));
}

}  // namespace

Graph denseGraph(Vertex vertices, int bits, std::uint64_t seed) {
  PhiloxStream random(seed);
  Graph graph;
  graph.vertices = vertices;
  graph.first.assign(1, 0);
  for (Vertex tail = 0; tail < vertices; ++tail) {
    for (Vertex head = 0; head < vertices; ++head) {
      if (head == tail || random.next() >> 31) continue;
      graph.head.push_back(head);
      graph.weight.push_back(drawWeight(random, bits));
    }
    graph.first.push_back(graph.arcs());
  }
  return graph;
}

Graph sparseGraph(Vertex vertices, ArcIndex arcs, int bits, std::uint64_t seed) {
  PhiloxStream random(seed);
  std::vector<Arc> list(static_cast<std::size_t>(arcs));
  auto const n = std::uint32_t(vertices);
  for (Arc& arc : list) {
    arc.tail = Vertex(random.below(n));
    arc.head = Vertex(random.below(n));
    arc.weight = drawWeight(random, bits);
  }
  return makeGraph(vertices, list);
}

Graph roadGraph(std::int32_t rows, std::int32_t columns, int bits, std::uint64_t seed) {
  Graph graph = graphOf(openGrid(rows, columns));
  PhiloxStream random(seed);
  for (Weight& weight : graph.weight) weight = drawWeight(random, bits);
  return graph;
}

Graph withPotentials(Graph const& graph, Weight span, std::uint64_t seed) {
  PhiloxStream random(seed);
  std::vector<Weight> potential(static_cast<std::size_t>(graph.vertices));
  for (Weight& p : potential) p = Weight(random.below(std::uint32_t(span)));
  Graph result = graph;
  for (std::size_t v = 0; v < potential.size(); ++v)
    for (auto a = std::size_t(graph.first[v]); a < std::size_t(graph.first[v + 1]); ++a)
      result.weight[a] += potential[v] - potential[std::size_t(graph.head[a])];
  return result;
}

Grid openGrid(std::int32_t rows, std::int32_t columns) {
  Grid grid{rows, columns, {}};
  grid.wall.assign(std::size_t(grid.cells()), 0);
  return grid;
}

Grid scatteredWalls(std::int32_t rows, std::int32_t columns, double share, std::uint64_t seed) {
  Grid grid = openGrid(rows, columns);
  PhiloxStream random(seed);
  for (std::uint8_t& wall : grid.wall) wall = random.share() < share ? 1 : 0;
  if (!grid.wall.empty()) grid.wall.front() = grid.wall.back() = 0;
  return grid;
}

namespace {

/// A room of the maze: a cell of even row and column, by half of them.
struct Room {
  std::int32_t row = 0, column = 0;
};

constexpr std::array<Room, 4> directions{{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}};

/// Opens a tree of corridors by a depth-first search in random order.
void carve(Grid& grid, PhiloxStream& random) {
  std::int32_t const rows = (grid.rows + 1) / 2, columns = (grid.columns + 1) / 2;
  auto const cell = [&](std::int64_t row, std::int64_t column) {
    return std::size_t(row * grid.columns + column);
  };
  std::vector<Room> stack{{0, 0}};
  grid.wall[0] = 0;
  while (!stack.empty()) {
    Room const room = stack.back();
    std::array<Room, 4> open{};
    std::uint32_t count = 0;
    for (Room const& step : directions) {
      Room const next{room.row + step.row, room.column + step.column};
      if (next.row < 0 || next.column < 0 || next.row >= rows || next.column >= columns) continue;
      if (grid.wall[cell(2 * next.row, 2 * next.column)]) open[count++] = next;
    }
    if (count == 0) {
      stack.pop_back();
      continue;
    }
    Room const next = open[random.below(count)];
    grid.wall[cell(room.row + next.row, room.column + next.column)] = 0;
    grid.wall[cell(2 * next.row, 2 * next.column)] = 0;
    stack.push_back(next);
  }
}

}  // namespace

Grid maze(std::int32_t rows, std::int32_t columns, double loops, std::uint64_t seed) {
  Grid grid = openGrid(rows, columns);
  if (grid.wall.empty()) return grid;
  std::fill(grid.wall.begin(), grid.wall.end(), std::uint8_t{1});
  PhiloxStream random(seed);
  carve(grid, random);
  for (std::int32_t r = 0; r < rows; ++r)
    for (std::int32_t c = (r + 1) % 2; c < columns; c += 2) {
      // Cells between two rooms: exactly one of row and column is odd.
      bool const broken = random.share() < loops;
      if (broken) grid.wall[std::size_t(std::int64_t{r} * columns + c)] = 0;
    }
  return grid;
}

}  // namespace osi_cuda::shortest_path
