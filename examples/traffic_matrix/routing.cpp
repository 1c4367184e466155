// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/routing.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>
#include <numeric>

#include "examples/common/failure.hpp"

namespace osi_cuda::examples::traffic {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, double>>;
constexpr double unreachable = std::numeric_limits<double>::max();

/// All routes to one target: the next hops of every node, and an order in which traffic flows.
class Destination {
 public:
  /// `backwards`: the network's links, turned round.
  Destination(Network const& network, Graph const& backwards, int target)
      : distance_(network.nodes.size()), nextHops_(network.nodes.size()) {
    boost::dijkstra_shortest_paths(backwards, static_cast<std::size_t>(target),
                                   boost::distance_map(distance_.data()));
    for (int i = 0; i < network.linkCount(); ++i) {
      Link const& link = network.links[i];
      if (distance_[link.source] == unreachable || distance_[link.target] == unreachable) continue;
      double const detour = link.weight + distance_[link.target] - distance_[link.source];
      // Sums of the same weights in another order may differ in the last digits.
      constexpr double equal = 1e-9;
      if (detour <= equal * distance_[link.source]) nextHops_[link.source].push_back(i);
    }
    outside_.resize(network.nodes.size());
    std::iota(outside_.begin(), outside_.end(), 0);
    std::ranges::sort(outside_, [&](int a, int b) { return distance_[a] > distance_[b]; });
  }

  bool reachableFrom(int node) const { return distance_[node] != unreachable; }

  /// Calls use(link, share) for every link that carries traffic of `source`.
  template <class Use>
  void route(Network const& network, int source, Use use) const {
    std::vector<double> arriving(network.nodes.size());  // share of the traffic that passes a node
    arriving[source] = 1.0;
    for (int const node : outside_) {  // farthest first: all that arrives here has arrived
      if (arriving[node] == 0.0 || nextHops_[node].empty()) continue;
      double const share = arriving[node] / static_cast<double>(nextHops_[node].size());
      for (int const link : nextHops_[node]) {
        use(link, share);
        arriving[network.links[link].target] += share;
      }
    }
  }

 private:
  std::vector<double> distance_;            ///< to the target
  std::vector<std::vector<int>> nextHops_;  ///< links of each node on shortest routes
  std::vector<int> outside_;                ///< all nodes, the farthest first
};

}  // namespace

CoinPackedMatrix routingMatrix(Network const& network) {
  Graph backwards(network.nodes.size());
  for (Link const& link : network.links)
    boost::add_edge(link.target, link.source, link.weight, backwards);

  Pairs const pairs(network.nodeCount());
  std::vector<std::vector<int>> links(pairs.count());
  std::vector<std::vector<double>> shares(pairs.count());
  for (int target = 0; target < network.nodeCount(); ++target) {
    Destination const destination(network, backwards, target);
    for (int source = 0; source < network.nodeCount(); ++source) {
      if (source == target) continue;
      if (!destination.reachableFrom(source))
        throw Failure(ExitStatus::badInput, "there is no route from '" +
                                                network.nodes[source].name + "' to '" +
                                                network.nodes[target].name + "'");
      int const pair = pairs(source, target);
      destination.route(network, source, [&](int link, double share) {
        links[pair].push_back(link);
        shares[pair].push_back(share);
      });
    }
  }

  CoinPackedMatrix routing(true, 0.0, 0.0);
  routing.setDimensions(network.linkCount(), 0);
  for (int j = 0; j < pairs.count(); ++j)
    routing.appendCol(static_cast<int>(links[j].size()), links[j].data(), shares[j].data());
  return routing;
}

CoinPackedMatrix withAccessRows(CoinPackedMatrix const& routing, Pairs const& pairs) {
  CoinPackedMatrix result(true, 0.0, 0.0);
  result.setDimensions(routing.getNumRows() + 2 * pairs.nodes(), 0);
  for (int j = 0; j < pairs.count(); ++j) {
    CoinShallowPackedVector const links = routing.getVector(j);
    std::vector<int> rows(links.getIndices(), links.getIndices() + links.getNumElements());
    std::vector<double> shares(links.getElements(), links.getElements() + links.getNumElements());
    rows.push_back(routing.getNumRows() + pairs.source(j));
    rows.push_back(routing.getNumRows() + pairs.nodes() + pairs.target(j));
    shares.insert(shares.end(), 2, 1.0);
    result.appendCol(static_cast<int>(rows.size()), rows.data(), shares.data());
  }
  return result;
}

std::vector<double> linkLoads(CoinPackedMatrix const& routing, std::vector<double> const& matrix) {
  std::vector<double> loads(routing.getNumRows());
  routing.times(matrix.data(), loads.data());
  return loads;
}

}  // namespace osi_cuda::examples::traffic
