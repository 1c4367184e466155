// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "examples/common/random.hpp"
#include "examples/traffic_matrix/network.hpp"

namespace osi_cuda::examples::traffic {

/// A network like a backbone, of `nodes` >= 3 nodes and 2 nodes - 3 lines of two directions each.
/// Nodes lie at random in a square; each new one is linked to two old ones, which are drawn with
/// probability proportional to degree times exp(-distance / 0.2): preferential attachment (Barabasi
/// and Albert 1999), so that degrees have a heavy tail, among neighbours (Waxman 1988). Growth from
/// a triangle by nodes of two links keeps the graph 2-connected. Weights are distances in whole
/// tenths of the side, at least 1, so that some routes are equally short. Capacities are 0.
Network generateNetwork(int nodes, Random& random);

/// A traffic matrix: gravity between log-normal masses of deviation 0.8, times a log-normal factor
/// of deviation `spread` for each pair; scaled to `mean` a pair. spread 0 is pure gravity.
std::vector<double> generateTruth(Pairs const& pairs, double mean, double spread, Random& random);

/// An estimate of a known matrix: every entry times a normal(1, sigma) factor, truncated to (0, 2).
std::vector<double> noisyMatrix(std::vector<double> const& truth, double sigma, Random& random);

/// Gives each line the smallest capacity of 1, 2.5, 10, 40, 100, 400 and so on, times a power of
/// 1000, that neither direction uses more than 80 %. `loads`: by link; two directions of a line
/// are neighbours, as generateNetwork() makes them.
void setCapacities(Network& network, std::vector<double> const& loads);

}  // namespace osi_cuda::examples::traffic
