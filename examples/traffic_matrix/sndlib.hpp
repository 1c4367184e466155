// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/traffic_matrix/network.hpp"

namespace osi_cuda::examples::traffic {

/// How a network file is to be understood where the format leaves it open.
struct NetworkOptions {
  enum class Directions { both, asWritten };
  enum class Weights { hops, routingCost, distance, inverseCapacity };
  /// SNDlib's backbones list a line once and mean both directions.
  Directions directions = Directions::both;
  Weights weights = Weights::routingCost;
};

/// A network and the traffic that its file demands.
struct NetworkFile {
  Network network;
  std::vector<double> demands;  ///< one number a pair (see Pairs); several demands of a pair add up
};

/// Reads SNDlib's native format (sndlib.zib.de): sections NODES, LINKS and DEMANDS; others are
/// passed over. A link's capacity is what is pre-installed or, without that, its largest module. If
/// weights are wanted by routing cost and every cost is 0, each link counts 1; nodes at the same
/// place are 1 km apart. Throws readers::ReadError and readers::OpenError; Failure (badInput) if an
/// inverse capacity is wanted of a link without capacity.
NetworkFile readNetwork(std::string const& path, NetworkOptions const& options);

/// The text of such a file. Links 2k and 2k + 1 of `network` must be the two directions of a line,
/// equal in name, weight and capacity, as generateNetwork() makes them; a line is written once. The
/// weight becomes its routing cost. Empty `demands`: without that section.
std::string sndlibText(Network const& network, std::vector<double> const& demands);

}  // namespace osi_cuda::examples::traffic
