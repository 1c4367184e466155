// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "examples/response/mesh.hpp"

namespace osi_cuda::response {

/// Items by parts; part k has member[start[k] .. start[k + 1]), in rising order.
struct Parts {
  std::vector<int> start{0}, member;
  int count() const { return int(start.size()) - 1; }
  std::span<int const> of(int part) const {
    return {member.data() + start[part], std::size_t(start[part + 1] - start[part])};
  }
};

/// A part for each of `shares`, as large among all items, by recursive coordinate bisection (Berger
/// and Bokhari 1987): the box of all places is cut across its longer side, and so are the pieces.
/// Neighbouring parts have neighbouring numbers.
Parts partsOf(std::vector<Point> const& places, std::vector<double> const& shares);

}  // namespace osi_cuda::response
