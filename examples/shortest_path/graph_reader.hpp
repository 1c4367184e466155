// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>

#include "examples/shortest_path/graph.hpp"

/// Readers of graphs and grids, plain or compressed (gzip, bzip2, xz, Zstandard); "-" is standard
/// input. They throw readers::ReadError (FILE:LINE:COLUMN, what was expected, what was found) and
/// readers::OpenError.
namespace osi_cuda::shortest_path {

/// A graph file in one of two formats, told apart by its first line that is not empty:
/// - DIMACS shortest paths (.gr): `c` comments, one `p sp VERTICES ARCS`, then `a TAIL HEAD WEIGHT`
///   with vertices from 1; the number of arcs must be as announced.
/// - Edge list: `TAIL HEAD WEIGHT` a line with vertices from 0, `#` begins a comment; the number of
///   vertices is one more than the largest, or what the line `vertices N` says.
struct GraphFile {
  Graph graph;
  int firstVertex = 0;  ///< what the file calls vertex 0: 1 in DIMACS files
};
GraphFile readGraph(std::string const& path);

/// A grid: a line per row, `#` is a wall, `.` or a blank is open, `S` and `T` are open cells that
/// name source and target (each at most once). All rows have the same length.
struct GridFile {
  Grid grid;
  std::optional<Vertex> source, target;
};
GridFile readGrid(std::string const& path);

}  // namespace osi_cuda::shortest_path
