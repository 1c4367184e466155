// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace osi_cuda::examples::traffic {

struct Node {
  std::string name;
  double x = 0.0, y = 0.0;  ///< where it is drawn; degrees east and north in SNDlib's files
};

/// One direction of a line between two nodes.
struct Link {
  std::string name;  ///< the two directions of a line share it
  int source = 0, target = 0;
  double weight = 1.0;    ///< > 0; routes are shortest in the sum of weights
  double capacity = 0.0;  ///< in units of traffic; 0: unknown
};

struct Network {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Link> links;

  int nodeCount() const { return static_cast<int>(nodes.size()); }
  int linkCount() const { return static_cast<int>(links.size()); }
  std::optional<int> findNode(std::string const& nodeName) const;
  /// "L3 (Berlin -> Hamburg)"
  std::string describe(int link) const;
};

/// Numbers the ordered pairs of different nodes: the pairs of source 0 first, targets ascending.
/// A traffic matrix is a vector of length count() in that order, everywhere in this example.
class Pairs {
 public:
  explicit Pairs(int nodes) : nodes_(nodes) {}
  int count() const { return nodes_ * (nodes_ - 1); }
  int nodes() const { return nodes_; }
  int operator()(int source, int target) const {
    return source * (nodes_ - 1) + target - (target > source ? 1 : 0);
  }
  int source(int pair) const { return pair / (nodes_ - 1); }
  int target(int pair) const {
    int const place = pair % (nodes_ - 1);
    return place + (place >= source(pair) ? 1 : 0);
  }

 private:
  int nodes_;
};

/// What each node sends and receives, from counters on its access lines. Length: nodes.
struct Totals {
  std::vector<double> out, in;
};

/// The row and column sums of a traffic matrix.
Totals totalsOf(std::vector<double> const& matrix, Pairs const& pairs);

double sum(std::vector<double> const& values);

}  // namespace osi_cuda::examples::traffic
