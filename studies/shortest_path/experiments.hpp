// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/kit/experiment.hpp"

namespace osi_cuda::shortest_path {

struct ExperimentSettings {
  std::vector<std::int64_t> sizes;    ///< arcs, cells or vertices along a side; empty: the defaults
  std::vector<std::string> families;  ///< empty: all that the series has
  std::string device = "auto";
  std::string timeLimit = "60";  ///< seconds of an LP
  bool onDevice = false;
};

/// Bellman-Ford on graphs of about `sizes` arcs; families sparse (ten arcs a vertex) and road.
void bellmanFordExperiments(ExperimentSettings const& settings, studies::Store const& store);
/// The wave on grids with `sizes` cells along each side; families open, walls (30 % of the cells),
/// loops (a maze of whose walls 5 % are broken) and maze.
void waveExperiments(ExperimentSettings const& settings, studies::Store const& store);
/// The path LP through every solver; families dense (`sizes` vertices) and grid (`sizes` cells
/// along each side, 20 % walls).
void linearExperiments(ExperimentSettings const& settings, studies::Store const& store);

}  // namespace osi_cuda::shortest_path
