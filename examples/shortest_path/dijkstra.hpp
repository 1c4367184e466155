// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/shortest_path/answer.hpp"

namespace osi_cuda::shortest_path {

/// Dijkstra's algorithm (1959) by Boost.Graph, over all vertices that the source reaches, with its
/// default heap of four children a node. Weights must not be negative: throws
/// std::invalid_argument. The time does not count copying the graph into Boost's own structure.
Answer dijkstra(Graph const& graph, Vertex source, Vertex target);

}  // namespace osi_cuda::shortest_path
