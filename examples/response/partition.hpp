// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "examples/response/mesh.hpp"

namespace osi_cuda::response {

/// Items by parts; part k has member[start[k] .. start[k + 1]).
struct Parts {
  std::vector<int> start{0}, member;
  int count() const { return int(start.size()) - 1; }
  std::span<int const> of(int part) const {
    return {member.data() + start[part], std::size_t(start[part + 1] - start[part])};
  }
};

/// `count` parts of nearly equal size by recursive coordinate bisection (Berger and Bokhari 1987):
/// the box of all places is cut across its longer side, and so are the halves. Neighbouring parts
/// have neighbouring numbers.
Parts partsOf(std::vector<Point> const& places, int count);

/// Two parts by one cut; the first has `share` of all, 0 to 1.
Parts twoPartsOf(std::vector<Point> const& places, double share);

}  // namespace osi_cuda::response
