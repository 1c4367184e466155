// SPDX-License-Identifier: EPL-2.0
#include "studies/response/element_arrays.hpp"

namespace osi_cuda::response {

std::vector<double> cornerArrays(Space const& space) {
  auto const count = std::size_t(space.triangles());
  std::vector<double> corners(9 * count);
  for (std::size_t e = 0; e < count; ++e) {
    Corners<double> const c = space.corners(int(e));
    for (int k = 0; k < 3; ++k) {
      corners[k * count + e] = c.x[k];
      corners[(3 + k) * count + e] = c.y[k];
      corners[(6 + k) * count + e] = c.k[k];
    }
  }
  return corners;
}

std::vector<int> nodeArrays(Space const& space) {
  auto const count = std::size_t(space.triangles());
  std::vector<int> node(space.node.size());
  for (std::size_t e = 0; e < count; ++e)
    for (int i = 0; i < space.width; ++i) {
      int const dof = space.node[e * space.width + i];
      node[i * count + e] = space.isFixed[dof] ? -1 : dof;
    }
  return node;
}

}  // namespace osi_cuda::response
