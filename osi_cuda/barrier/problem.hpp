// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/barrier/barrier.hpp"

/// What the interior point method sees of a StandardForm.
namespace osi_cuda::barrier {

/// Bounds that each variable has (view.hpp), length n + m. Bounds that cross make it fixed: that
/// there is no feasible point is for others to find.
std::vector<unsigned char> boundKinds(StandardForm const& form);

/// The largest finite bound, and the largest cost.
double boundSize(StandardForm const& form);
double costSize(StandardForm const& form);

/// How many of Gondzio's correctors pay: more where the normal matrix and its factor take long
/// beside a solve with it.
int correctorsFor(double factorSeconds, double solveSeconds);

}  // namespace osi_cuda::barrier
