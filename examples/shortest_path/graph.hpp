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

}  // namespace osi_cuda::shortest_path
