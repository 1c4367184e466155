// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <stdexcept>

#include "examples/shortest_path/algorithms.hpp"
#include "osi_cuda/stopwatch.hpp"

namespace osi_cuda::shortest_path {

Graph graphOf(Grid const& grid) {
  Graph graph;
  graph.vertices = Vertex(grid.cells());
  graph.first.reserve(grid.wall.size() + 1);
  for (Vertex cell = 0; cell < graph.vertices; ++cell) {
    if (!grid.wall[cell])
      grid.eachNeighbour(cell, [&](Vertex other) {
        if (!grid.wall[other]) graph.head.push_back(other);
      });
    graph.first.push_back(graph.arcs());
  }
  graph.weight.assign(graph.head.size(), 1);
  return graph;
}

Answer wave(Grid const& grid, Vertex source, Vertex target) {
  if (grid.wall[source] || grid.wall[target])
    throw std::invalid_argument("source and target must be open cells");
  Answer answer;
  answer.method = "wave";
  std::vector<std::int32_t> steps(grid.wall.size(), -1);  // -1: a wall, or not reached
  Stopwatch const watch;
  steps[source] = 0;
  std::vector<Vertex> front{source}, next;
  for (std::int32_t step = 1; !front.empty(); ++step, ++answer.rounds) {
    for (Vertex const cell : front)
      grid.eachNeighbour(cell, [&](Vertex other) {
        if (steps[other] >= 0 || grid.wall[other]) return;
        steps[other] = step;
        next.push_back(other);
      });
    front.swap(next);
    next.clear();
  }
  answer.seconds = watch.seconds();
  answer.distance.assign(steps.begin(), steps.end());
  std::replace(answer.distance.begin(), answer.distance.end(), Distance{-1}, unreached);
  if (steps[target] < 0) {
    answer.outcome = Outcome::unreachable;
    for (std::size_t cell = 0; cell < steps.size(); ++cell)
      if (steps[cell] >= 0) answer.cut.push_back(Vertex(cell));
    return answer;
  }
  answer.outcome = Outcome::found;
  answer.path = {{target}, steps[target]};
  for (Vertex cell = target; steps[cell] > 0; answer.path.vertices.push_back(cell)) {
    Vertex nearer = -1;
    grid.eachNeighbour(cell, [&](Vertex other) {
      if (nearer < 0 && steps[other] == steps[cell] - 1) nearer = other;
    });
    cell = nearer;
  }
  std::ranges::reverse(answer.path.vertices);
  return answer;
}

}  // namespace osi_cuda::shortest_path
