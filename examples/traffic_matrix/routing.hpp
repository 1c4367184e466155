// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CoinPackedMatrix.hpp>
#include <vector>

#include "examples/traffic_matrix/network.hpp"

namespace osi_cuda::examples::traffic {

/// The routing matrix R, links x pairs, by columns: R[i, j] is the share of pair j's traffic that
/// link i carries. Routes are shortest in the sum of link weights; where several are equally short,
/// every node on the way splits evenly over its next hops (equal-cost multipath), so that shares
/// are fractions. Throws Failure (badInput) if a pair has no route.
CoinPackedMatrix routingMatrix(Network const& network);

/// R with 2 n more rows: what each of the n nodes sends, then what each receives. The counters of
/// access lines then are equations like those of links.
CoinPackedMatrix withAccessRows(CoinPackedMatrix const& routing, Pairs const& pairs);

/// R X: the load of each link under traffic matrix X.
std::vector<double> linkLoads(CoinPackedMatrix const& routing, std::vector<double> const& matrix);

}  // namespace osi_cuda::examples::traffic
