// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/shortest_path/answer.hpp"
#include "examples/shortest_path/grid.hpp"

namespace osi_cuda::shortest_path {

/// Steps from the source to every cell.
struct WaveField {
  std::vector<std::int32_t> steps;  ///< length cells; -1: a wall, or never reached
  std::int64_t rounds = 0;          ///< wave fronts (host) or passes over the tiles (device)
  double seconds = 0.0;
  double transferSeconds = 0.0;
};

/// The wave algorithm (Lee 1961): the front of cells at k steps marks their unmarked neighbours
/// with k + 1. Cells of even and odd row + column alternate from front to front, as neighbours are
/// never of the same kind.
WaveField hostWave(Grid const& grid, Vertex source);

/// The path read back from the target: from each cell to the first neighbour (above, left, right,
/// below) with one step less. Empty if the target was not reached.
std::vector<Vertex> readBack(Grid const& grid, WaveField const& field, Vertex target);

/// Wave and reading as an answer. Throws EngineUnavailable with Place::device where there is none,
/// std::invalid_argument if source or target is a wall.
Answer wave(Grid const& grid, Vertex source, Vertex target, Place place);

}  // namespace osi_cuda::shortest_path
