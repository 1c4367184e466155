// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace osi_cuda::examples::traffic {
namespace {

class Growth {
 public:
  Growth(int nodes, Random& random) : random_(random), nodes_(nodes) {}

  Network grow() {
    place();
    join(0, 1);
    join(1, 2);
    join(2, 0);
    for (int node = 3; node < nodes_; ++node) {
      int const first = draw(node, -1);
      join(node, first);
      join(node, draw(node, first));
    }
    return std::move(network_);
  }

 private:
  /// Random places, none much nearer to another than they would be on a grid: each is the
  /// farthest from its neighbours among several candidates (Mitchell 1991).
  void place() {
    constexpr int candidates = 6;
    for (int i = 0; i < nodes_; ++i) {
      Node best;
      double bestGap = -1.0;
      for (int k = 0; k < candidates; ++k) {
        Node node{"N" + std::to_string(i + 1), random_.uniform(), random_.uniform()};
        double gap = 2.0;
        for (Node const& other : network_.nodes) gap = std::min(gap, distance(node, other));
        if (gap > bestGap) bestGap = gap, best = node;
      }
      network_.nodes.push_back(best);
    }
    // Four decimals are enough, and the file then says exactly what the network is.
    for (Node& node : network_.nodes) {
      node.x = std::round(node.x * 1e4) / 1e4;
      node.y = std::round(node.y * 1e4) / 1e4;
    }
    degrees_.assign(nodes_, 0);
  }

  static double distance(Node const& a, Node const& b) { return std::hypot(a.x - b.x, a.y - b.y); }

  void join(int a, int b) {
    Link link;
    link.name = "L" + std::to_string(network_.links.size() / 2 + 1);
    constexpr double unit = 0.1;
    link.weight = std::max(1.0, std::round(distance(network_.nodes[a], network_.nodes[b]) / unit));
    link.source = a;
    link.target = b;
    network_.links.push_back(link);
    std::swap(link.source, link.target);
    network_.links.push_back(link);
    ++degrees_[a];
    ++degrees_[b];
  }

  /// One of the nodes before `node`, but not `excluded`.
  int draw(int node, int excluded) {
    constexpr double reach = 0.2;
    std::vector<double> weights(node);
    double total = 0.0;
    for (int k = 0; k < node; ++k) {
      if (k == excluded) continue;
      weights[k] =
          degrees_[k] * std::exp(-distance(network_.nodes[k], network_.nodes[node]) / reach);
      total += weights[k];
    }
    double at = random_.uniform() * total;
    int drawn = excluded == 0 ? 1 : 0;
    for (int k = 0; k < node; ++k) {
      if (weights[k] == 0.0) continue;
      drawn = k;
      at -= weights[k];
      if (at < 0.0) break;
    }
    return drawn;
  }

  Random& random_;
  int nodes_;
  Network network_;
  std::vector<int> degrees_;
};

double capacityFor(double load) {
  constexpr double highestUse = 0.8;
  constexpr std::array<double, 6> sizes{1.0, 2.5, 10.0, 40.0, 100.0, 400.0};
  if (load <= 0.0) return sizes.front();
  double const needed = load / highestUse;
  double unit = 1.0;
  while (sizes.front() * unit > needed && unit > 1e-12) unit /= 1000.0;
  for (;; unit *= 1000.0)
    for (double const size : sizes)
      if (size * unit >= needed) return size * unit;
}

}  // namespace

Network generateNetwork(int nodes, Random& random) {
  return Growth(nodes, random).grow();
}

std::vector<double> generateTruth(Pairs const& pairs, double mean, double spread, Random& random) {
  constexpr double massDeviation = 0.8;
  std::vector<double> out(pairs.nodes()), in(pairs.nodes());
  for (int node = 0; node < pairs.nodes(); ++node) {
    double const size = massDeviation * random.normal();
    // What a place sends and what it receives is alike, not the same.
    constexpr double difference = 0.3;
    out[node] = std::exp(size + difference * random.normal());
    in[node] = std::exp(size + difference * random.normal());
  }
  std::vector<double> matrix(pairs.count());
  for (int j = 0; j < pairs.count(); ++j)
    matrix[j] = out[pairs.source(j)] * in[pairs.target(j)] * std::exp(spread * random.normal());
  double const scale = mean * pairs.count() / sum(matrix);
  for (double& value : matrix) value *= scale;
  return matrix;
}

std::vector<double> noisyMatrix(std::vector<double> const& truth, double sigma, Random& random) {
  std::vector<double> noisy(truth.size());
  for (std::size_t j = 0; j < truth.size(); ++j) {
    double factor = 0.0;
    do {
      factor = 1.0 + sigma * random.normal();
    } while (factor <= 0.0 || factor >= 2.0);
    noisy[j] = truth[j] * factor;
  }
  return noisy;
}

void setCapacities(Network& network, std::vector<double> const& loads) {
  for (std::size_t i = 0; i < network.links.size(); i += 2) {
    double const capacity = capacityFor(std::max(loads[i], loads[i + 1]));
    network.links[i].capacity = network.links[i + 1].capacity = capacity;
  }
}

}  // namespace osi_cuda::examples::traffic
