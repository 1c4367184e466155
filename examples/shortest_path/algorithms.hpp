// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "examples/shortest_path/answer.hpp"
#include "examples/shortest_path/graph.hpp"

/// The exact methods beside the linear program. With Place::device they throw EngineUnavailable
/// where there is no device.
namespace osi_cuda::shortest_path {

/// Dijkstra's algorithm (1959) by Boost.Graph, over all vertices that the source reaches, with its
/// default heap of four children a node. Weights must not be negative: throws
/// std::invalid_argument. The time does not count copying the graph into Boost's own structure.
Answer dijkstra(Graph const& graph, Vertex source, Vertex target);

/// The algorithm of Bellman (1958) and Ford (1956) in rounds over all vertices, with an early exit.
/// Host and device make the same rounds and keep the same parents. A negative cycle shows as a
/// cycle of parents, for which they are searched after 32, 64, 128, ... rounds: every cycle of
/// parents is negative, and while the distances keep falling one appears after at most n rounds.
///
/// `target`: arcs on no walk to it are left out, so that cycles elsewhere do not matter; pass
/// nothing for all distances, where the answer's outcome is found unless there is a cycle.
Answer bellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target,
                   Place place = Place::host);

/// The same question by Boost.Graph: rounds over all arcs, one after the other, until the distances
/// stay, at most n.
Answer bellmanFordByBoost(Graph const& graph, Vertex source, std::optional<Vertex> target);

/// Steps from the source to every cell.
struct WaveField {
  std::vector<std::int32_t> steps;  ///< length cells; -1: a wall, or never reached
  std::int64_t rounds = 0;          ///< wave fronts (host) or launches over the tiles (device)
  double seconds = 0.0, transferSeconds = 0.0;
};
WaveField hostWave(Grid const& grid, Vertex source);

/// The wave algorithm (Lee 1961): the front of cells at k steps marks their unmarked neighbours
/// with k + 1. The path is read back from the target: from each cell to the first neighbour (above,
/// left, right, below) with one step less. Throws std::invalid_argument if source or target is a
/// wall.
Answer wave(Grid const& grid, Vertex source, Vertex target, Place place = Place::host);

}  // namespace osi_cuda::shortest_path
