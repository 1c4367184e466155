// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/search/node_proof.hpp"

namespace osi_cuda::search {

/// The node with some more integer columns fixed: of those that are fractional in its point `x` the
/// quarter that is nearest to whole numbers, at least one, there. Empty: none is fractional.
std::vector<BoundChange> deeper(LinearProgram const& problem, std::span<BoundChange const> node,
                                std::span<double const> x);

/// All integer columns fixed at their values in `x`, rounded.
std::vector<BoundChange> fixedAt(LinearProgram const& problem, std::span<double const> x);

}  // namespace osi_cuda::search
