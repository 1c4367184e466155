// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <stdexcept>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "osi_cuda/base/stopwatch.hpp"

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

WaveField hostWave(Grid const& grid, Vertex source) {
  WaveField field;
  field.steps.assign(grid.wall.size(), -1);
  Stopwatch const watch;
  field.steps[source] = 0;
  std::vector<Vertex> front{source}, next;
  for (std::int32_t step = 1; !front.empty(); ++step, ++field.rounds) {
    for (Vertex const cell : front)
      grid.eachNeighbour(cell, [&](Vertex other) {
        if (field.steps[other] >= 0 || grid.wall[other]) return;
        field.steps[other] = step;
        next.push_back(other);
      });
    front.swap(next);
    next.clear();
  }
  field.seconds = watch.seconds();
  return field;
}

Answer wave(Grid const& grid, Vertex source, Vertex target, Place place) {
  if (grid.wall[source] || grid.wall[target])
    throw std::invalid_argument("source and target must be open cells");
  Answer answer;
  answer.method = "wave";
  answer.executor = executorOf(place);
  WaveField const field =
      place == Place::device ? deviceModule().wave(grid, source) : hostWave(grid, source);
  answer.rounds = field.rounds;
  answer.seconds = field.seconds;
  answer.transferSeconds = field.transferSeconds;
  answer.distance.assign(field.steps.begin(), field.steps.end());
  std::replace(answer.distance.begin(), answer.distance.end(), Distance{-1}, unreached);
  if (field.steps[target] < 0) {
    answer.outcome = Outcome::unreachable;
    for (std::size_t cell = 0; cell < field.steps.size(); ++cell)
      if (field.steps[cell] >= 0) answer.cut.push_back(Vertex(cell));
    return answer;
  }
  answer.outcome = Outcome::found;
  answer.path = {{target}, field.steps[target]};
  for (Vertex cell = target; field.steps[cell] > 0; answer.path.vertices.push_back(cell)) {
    Vertex nearer = -1;
    grid.eachNeighbour(cell, [&](Vertex other) {
      if (nearer < 0 && field.steps[other] == field.steps[cell] - 1) nearer = other;
    });
    cell = nearer;
  }
  std::ranges::reverse(answer.path.vertices);
  return answer;
}

}  // namespace osi_cuda::shortest_path
