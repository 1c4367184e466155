// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/wave.hpp"

#include <algorithm>
#include <stdexcept>

#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

/// Calls visit(neighbour) above, left, right, below of `cell`; stops when it answers true.
template <class Visit>
void eachNeighbour(Grid const& grid, std::size_t cell, Visit visit) {
  auto const columns = std::size_t(grid.columns);
  std::size_t const column = cell % columns;
  if (cell >= columns && visit(cell - columns)) return;
  if (column > 0 && visit(cell - 1)) return;
  if (column + 1 < columns && visit(cell + 1)) return;
  if (cell + columns < grid.wall.size()) visit(cell + columns);
}

}  // namespace

WaveField hostWave(Grid const& grid, Vertex source) {
  WaveField field;
  field.steps.assign(grid.wall.size(), -1);
  Stopwatch const watch;
  field.steps[std::size_t(source)] = 0;
  std::vector<Vertex> front{source}, next;
  for (std::int32_t step = 1; !front.empty(); ++step, ++field.rounds) {
    for (Vertex const cell : front) {
      eachNeighbour(grid, std::size_t(cell), [&](std::size_t other) {
        if (field.steps[other] < 0 && !grid.wall[other]) {
          field.steps[other] = step;
          next.push_back(Vertex(other));
        }
        return false;
      });
    }
    front.swap(next);
    next.clear();
  }
  field.seconds = watch.seconds();
  return field;
}

std::vector<Vertex> readBack(Grid const& grid, WaveField const& field, Vertex target) {
  if (field.steps[std::size_t(target)] < 0) return {};
  std::vector<Vertex> path{target};
  while (field.steps[std::size_t(path.back())] > 0) {
    auto const cell = std::size_t(path.back());
    eachNeighbour(grid, cell, [&](std::size_t other) {
      if (field.steps[other] != field.steps[cell] - 1) return false;
      path.push_back(Vertex(other));
      return true;
    });
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Answer wave(Grid const& grid, Vertex source, Vertex target, Place place) {
  if (grid.wall[std::size_t(source)] || grid.wall[std::size_t(target)])
    throw std::invalid_argument("source and target must be open cells");
  Answer answer;
  answer.method = "wave";
  answer.executor = place == Place::device ? deviceName() : "host";
  WaveField const field =
      place == Place::device ? deviceModule().wave(grid, source) : hostWave(grid, source);
  answer.rounds = field.rounds;
  answer.seconds = field.seconds;
  answer.transferSeconds = field.transferSeconds;
  answer.distance.resize(field.steps.size());
  for (std::size_t cell = 0; cell < field.steps.size(); ++cell)
    answer.distance[cell] = field.steps[cell] < 0 ? unreached : field.steps[cell];
  answer.path.vertices = readBack(grid, field, target);
  answer.path.length = std::max<Distance>(field.steps[std::size_t(target)], 0);
  answer.outcome = answer.path.vertices.empty() ? Outcome::unreachable : Outcome::found;
  if (answer.outcome == Outcome::unreachable)
    for (std::size_t cell = 0; cell < field.steps.size(); ++cell)
      if (field.steps[cell] >= 0) answer.cut.push_back(Vertex(cell));
  return answer;
}

}  // namespace osi_cuda::shortest_path
