// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "examples/shortest_path/answer.hpp"
#include "examples/shortest_path/instance.hpp"

namespace osi_cuda::shortest_path {

/// A picture of an answer as an SVG document. `distance`: from the source (unreached where there is
/// none), `parent`: the tree of shortest paths.
/// - Grids: walls, the wave's fronts as colours of the distance, the path. With an unreachable
///   target what is coloured is the source's side of the cut.
/// - Graphs: the distance tree, vertices placed by their distance along the horizontal axis; of
///   large trees the part near the path.
std::string drawGrid(Instance const& instance, std::vector<Distance> const& distance,
                     std::vector<Vertex> const& path);
std::string drawTree(Instance const& instance, std::vector<Distance> const& distance,
                     std::vector<Vertex> const& parent, std::vector<Vertex> const& path);

}  // namespace osi_cuda::shortest_path
