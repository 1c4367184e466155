// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "examples/shortest_path/graph.hpp"

namespace osi_cuda::shortest_path {

/// One question: a graph, where from and where to.
struct Instance {
  std::string family;       ///< file, grid, maze, dense, sparse, road
  std::string description;  ///< for people
  Graph graph;
  std::optional<Grid> grid;  ///< where the graph comes from one
  int firstVertex = 0;       ///< what the user calls vertex 0
  Vertex source = 0, target = 0;

  /// As the user names it: "(row, column)" in grids, else its number.
  std::string name(Vertex vertex) const;
};

/// The arguments that choose it.
struct InstanceArguments {
  std::string graphFile, gridFile, grid, road, sparse, from, to;
  int dense = 0;
  int bits = 8;
  double walls = 0.0;
  bool maze = false;
  double loops = 0.0;
  std::uint64_t seed = 1;

  void addTo(CLI::App& app);
};

/// Reads or generates what exactly one of the arguments names. Throws Failure(usage) and what the
/// readers throw.
Instance makeInstance(InstanceArguments const& arguments);

}  // namespace osi_cuda::shortest_path
