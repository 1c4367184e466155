// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "examples/response/mesh.hpp"
#include "examples/response/placement.hpp"

namespace osi_cuda::response {

/// The sides of all triangles, or of the boundary where they are too many to see.
std::string drawMesh(Mesh const& mesh);

/// Two maps beside each other: the field with the sources, as large as they are strong, and the
/// deviations at the observations, the limiting ones ringed. `field` gives nothing outside the
/// plant; `outline` are lines to draw on both.
std::string drawPlacement(Plant const& plant, Placement const& placement, Point low, Point high,
                          std::function<std::optional<double>(Point)> const& field,
                          std::vector<std::pair<Point, Point>> const& outline);

/// The boundary as lines.
std::vector<std::pair<Point, Point>> outlineOf(Mesh const& mesh);

}  // namespace osi_cuda::response
