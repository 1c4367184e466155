// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "examples/shortest_path/ant_colony.hpp"
#include "examples/shortest_path/experiment_database.hpp"

/// Series of runs with fixed seeds. Each hands over its experiments as they are finished.
namespace osi_cuda::shortest_path {

struct ExperimentArguments {
  std::vector<std::int64_t> sizes;    ///< vertices, arcs or side of the grid; empty: the defaults
  std::vector<std::string> families;  ///< empty: all that the kind has
  std::vector<int> ants;              ///< numbers of ants; empty: 32, 64, ..., 8192
  ants::Parameters parameters;        ///< of the ants, but for their number
  int runs = 100;                     ///< of a cell of the ants' table
  bool host = true, device = false;   ///< where the methods that exist twice run
  std::int64_t hostLimit = 0;      ///< arcs or cells above which the host's parallel methods rest
  std::int64_t dijkstraLimit = 0;  ///< the same for Dijkstra's algorithm; 0: none
  std::string timeLimit = "60";    ///< seconds of an LP
};

using Store = std::function<void(Experiment const&)>;
using Series = void(ExperimentArguments const&, Store const&);

/// Ant colonies on dense graphs (weights 1 .. 255), `sizes` vertices, and Dijkstra on the same.
Series antExperiments;
/// Bellman-Ford beside Dijkstra on graphs of about `sizes` arcs; families sparse (ten arcs a
/// vertex) and road.
Series bellmanFordExperiments;
/// The wave beside Dijkstra on grids with `sizes` cells along each side; families open, walls (30 %
/// of the cells), loops (a maze of whose walls 5 % are broken) and maze.
Series waveExperiments;
/// The path LP through every solver, beside Dijkstra; families dense (`sizes` vertices) and grid
/// (`sizes` cells along each side, 20 % walls). Sizes 50 and more are taken for dense ones, up to
/// 60 for grids, unless one family is named.
Series linearExperiments;

}  // namespace osi_cuda::shortest_path
