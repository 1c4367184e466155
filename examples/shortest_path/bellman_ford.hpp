// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "examples/shortest_path/answer.hpp"

namespace osi_cuda::shortest_path {

/// The algorithm of Bellman (1958) and Ford (1956) in rounds over all vertices, with an early exit.
/// Host and device make the same rounds and keep the same parents. A negative cycle shows as a
/// cycle of parents, for which they are searched after 32, 64, 128, ... rounds: every cycle of
/// parents is negative, and while the distances keep falling one appears after at most n rounds.
///
/// `target`: arcs on no walk to it are left out, so that cycles elsewhere do not matter; pass
/// nothing for all distances, where the answer's outcome is found unless there is a cycle.
/// Throws EngineUnavailable with Place::device where there is none.
Answer bellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target, Place place);

}  // namespace osi_cuda::shortest_path
