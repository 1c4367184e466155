// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "examples/response/space.hpp"

// A space as arrays by triangle, component by component, so that neighbouring lanes or threads read
// neighbouring words.
namespace osi_cuda::response {

/// x0 x1 x2 y0 y1 y2 k0 k1 k2, each for all triangles.
std::vector<double> cornerArrays(Space const& space);
/// Node i of triangle e at i * triangles + e; -1 where fixed.
std::vector<int> nodeArrays(Space const& space);

}  // namespace osi_cuda::response
