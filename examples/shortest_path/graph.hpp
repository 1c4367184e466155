// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace osi_cuda::shortest_path {

using Vertex = std::int32_t;  ///< 0 .. n - 1
using ArcIndex = std::int64_t;
using Weight = std::int32_t;
using Distance = std::int64_t;  ///< sums of n weights fit: 2^31 times 2^31

/// The distance of a vertex that no path reaches. A weight can be added without overflow.
inline constexpr Distance unreached = std::numeric_limits<Distance>::max() / 4;

struct Arc {
  Vertex tail = 0, head = 0;
  Weight weight = 0;
  bool operator==(Arc const&) const = default;
};

/// A directed graph in compressed rows: the arcs of vertex v are first[v] .. first[v + 1] - 1.
/// Parallel arcs and loops are allowed, weights may be negative.
struct Graph {
  Vertex vertices = 0;
  std::vector<ArcIndex> first{0};  ///< length vertices + 1
  std::vector<Vertex> head;        ///< length arcs
  std::vector<Weight> weight;      ///< length arcs

  ArcIndex arcs() const { return static_cast<ArcIndex>(head.size()); }
  /// Calls visit(tail, arc) for each arc, by tail.
  template <class Visit>
  void eachArc(Visit visit) const {
    for (Vertex v = 0; v < vertices; ++v)
      for (ArcIndex arc = first[v]; arc < first[v + 1]; ++arc) visit(v, arc);
  }
};

/// Arcs of one tail keep their order.
Graph makeGraph(Vertex vertices, std::vector<Arc> const& arcs);
/// All arcs turned round: those out of v are the arcs into v, by their tails.
Graph reversed(Graph const& graph);
/// All arcs, by tail.
std::vector<Arc> arcsOf(Graph const& graph);
bool hasNegativeArc(Graph const& graph);

/// Which vertices can be reached from `source`, by breadth-first search; length vertices.
std::vector<bool> reachableFrom(Graph const& graph, Vertex source);
/// The vertices of such a set.
std::vector<Vertex> membersOf(std::vector<bool> const& set);

/// The graph with those arcs only that lie on a walk from source to target; vertices keep their
/// numbers. No other arc can be part of a shortest path, and a negative cycle elsewhere is none of
/// the question's business. Without a target: on a walk from the source to anywhere.
Graph onWalks(Graph const& graph, Vertex source, std::optional<Vertex> target);

/// A walk by its vertices, with the sum of its weights.
struct Path {
  std::vector<Vertex> vertices;
  Distance length = 0;
};

/// The length of the walk through these vertices, over the cheapest of parallel arcs; nothing if
/// an arc is missing. A single vertex is a walk of length 0.
std::optional<Distance> walkLength(Graph const& graph, std::vector<Vertex> const& vertices);

/// Cells of which some are walls; a step goes to a neighbour above, left, right or below and
/// costs 1. Cell (r, c) is number r * columns + c.
struct Grid {
  std::int32_t rows = 0, columns = 0;
  std::vector<std::uint8_t> wall;  ///< 1: wall, 0: open; length rows * columns

  std::int64_t cells() const { return std::int64_t{rows} * columns; }
  /// Calls visit(neighbour) above, left, right, below of `cell`.
  template <class Visit>
  void eachNeighbour(Vertex cell, Visit visit) const {
    std::int32_t const column = cell % columns;
    if (cell >= columns) visit(cell - columns);
    if (column > 0) visit(cell - 1);
    if (column + 1 < columns) visit(cell + 1);
    if (cell < cells() - columns) visit(cell + columns);
  }
};

/// Vertices are cells, arcs lead from open cells to open neighbours with weight 1.
Graph graphOf(Grid const& grid);

}  // namespace osi_cuda::shortest_path
