// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "examples/shortest_path/answer.hpp"
#include "examples/shortest_path/graph.hpp"

/// The exact methods beside the linear program.
namespace osi_cuda::shortest_path {

/// Dijkstra's algorithm (1959) by Boost.Graph, over all vertices that the source reaches, with its
/// default heap of four children a node. Weights must not be negative: throws
/// std::invalid_argument. The time does not count copying the graph into Boost's own structure.
Answer dijkstra(Graph const& graph, Vertex source, Vertex target);

/// The algorithm of Bellman (1958) and Ford (1956) by Boost.Graph: rounds over all arcs until the
/// distances stay. Where they still fall in round n, there is a cycle of parents, and every such
/// cycle is negative.
///
/// `target`: arcs on no walk to it are left out, so that cycles elsewhere do not matter; pass
/// nothing for all distances, where the answer's outcome is found unless there is a cycle.
Answer bellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target);

/// The wave algorithm (Lee 1961): the front of cells at k steps marks their unmarked neighbours
/// with k + 1. The path is read back from the target: from each cell to the first neighbour (above,
/// left, right, below) with one step less. Throws std::invalid_argument if source or target is a
/// wall.
Answer wave(Grid const& grid, Vertex source, Vertex target);

}  // namespace osi_cuda::shortest_path
