// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "examples/shortest_path/graph.hpp"

/// Random graphs. The same arguments give the same graph on every machine.
namespace osi_cuda::shortest_path {

/// Every ordered pair of different vertices is an arc with probability one half, with a weight
/// uniform in 1 .. 2^bits - 1.
Graph denseGraph(Vertex vertices, int bits, std::uint64_t seed);

/// `arcs` arcs between ends drawn independently (parallel arcs and loops occur), weights uniform
/// in 1 .. 2^bits - 1.
Graph sparseGraph(Vertex vertices, ArcIndex arcs, int bits, std::uint64_t seed);

/// The open grid of rows x columns as a road-like graph: arcs both ways between neighbours, with
/// independent weights uniform in 1 .. 2^bits - 1.
Graph roadGraph(std::int32_t rows, std::int32_t columns, int bits, std::uint64_t seed);

Grid openGrid(std::int32_t rows, std::int32_t columns);
/// Each cell is a wall with probability `share`, but for the first and the last.
Grid scatteredWalls(std::int32_t rows, std::int32_t columns, double share, std::uint64_t seed);
/// A maze: corridors on the cells of even row and column form a tree (a random depth-first search),
/// of whose remaining walls the share `loops` is broken.
Grid maze(std::int32_t rows, std::int32_t columns, double loops, std::uint64_t seed);

}  // namespace osi_cuda::shortest_path
