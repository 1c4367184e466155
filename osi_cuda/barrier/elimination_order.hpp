// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace osi_cuda::barrier {

/// Which nodes of a symmetric matrix have a common entry, each pair both ways, without diagonal.
struct Neighbours {
  std::vector<std::int64_t> starts{0};  ///< nodes + 1 places in `nodes`
  std::vector<int> nodes;

  int count() const { return static_cast<int>(starts.size()) - 1; }
  std::span<int const> of(int node) const {
    auto const k = static_cast<std::size_t>(node);
    return {nodes.data() + starts[k], static_cast<std::size_t>(starts[k + 1] - starts[k])};
  }
};

/// An order of elimination, in groups of nodes that fill in alike.
struct EliminationOrder {
  std::vector<int> nodes;
  std::vector<int> starts{0};  ///< groups + 1 places in `nodes`
};

/// An order that fills in little: approximate minimum degree in a quotient graph (Amestoy, Davis
/// and Duff 1996), with mass elimination, indistinguishable nodes and aggressive absorption. Nodes
/// with more than 10 sqrt(nodes) neighbours come last. `kind` of each node: a group has one kind.
/// `pause` is called often; what it throws passes through.
EliminationOrder minimumDegree(Neighbours const& graph, std::vector<char> const& kind,
                               std::function<void()> const& pause);

}  // namespace osi_cuda::barrier
