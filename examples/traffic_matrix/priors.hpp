// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "examples/traffic_matrix/network.hpp"

namespace osi_cuda::examples::traffic {

/// The gravity model: E_ij = out_i in_j / total. `friction` (a number > 0 a pair, or empty: none)
/// divides that, as distance does in the classic model; then E is scaled so that its sum is that
/// without friction.
std::vector<double> gravity(Totals const& totals, Pairs const& pairs,
                            std::vector<double> const& friction);

/// Scales rows and columns of `matrix` in turn until they sum to the totals (Kruithof 1937), which
/// the gravity model misses where pairs i -> i are left out. Stops when both are met to 1e-9 of the
/// total or after 1000 rounds. The totals of `in` are scaled to the sum of `out` first.
void balance(std::vector<double>& matrix, Totals totals, Pairs const& pairs);

}  // namespace osi_cuda::examples::traffic
