// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/network.hpp"

#include <algorithm>
#include <numeric>

namespace osi_cuda::examples::traffic {

std::optional<int> Network::findNode(std::string const& nodeName) const {
  auto const found =
      std::ranges::find_if(nodes, [&](Node const& node) { return node.name == nodeName; });
  if (found == nodes.end()) return std::nullopt;
  return static_cast<int>(found - nodes.begin());
}

std::string Network::describe(int link) const {
  Link const& which = links[link];
  return which.name + " (" + nodes[which.source].name + " -> " + nodes[which.target].name + ")";
}

Totals totalsOf(std::vector<double> const& matrix, Pairs const& pairs) {
  Totals totals{std::vector<double>(pairs.nodes()), std::vector<double>(pairs.nodes())};
  for (int j = 0; j < pairs.count(); ++j) {
    totals.out[pairs.source(j)] += matrix[j];
    totals.in[pairs.target(j)] += matrix[j];
  }
  return totals;
}

double sum(std::vector<double> const& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace osi_cuda::examples::traffic
