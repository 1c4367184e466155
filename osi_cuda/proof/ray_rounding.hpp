// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::proof {

/// Sets to zero the entries of a ray, of length n, that approach a finite bound of their column by
/// no more than `share` of the largest entry: rounding of solves, which verifyRay does not excuse.
/// `rayLow` is empty or of the same length.
void clearRounding(LinearProgram const& lp, double share, std::vector<double>& ray,
                   std::vector<double>& rayLow);

}  // namespace osi_cuda::proof
