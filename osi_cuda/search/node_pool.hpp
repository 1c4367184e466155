// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "osi_cuda/search/node_proof.hpp"
#include "osi_cuda/search/saved_search.hpp"

namespace osi_cuda::search {

/// The nodes of a tree that are open, and those above them: each is its parent with one bound
/// changed, of a column or a set (Branch). Memory is taken as they come, up to a number of nodes.
class NodePool {
 public:
  struct Node {
    std::int64_t name = 0;     ///< counted over the whole search; the root is 0
    double bound = 0.0;        ///< proved
    BoundChange change;        ///< beside the parent's
    double distance = 0.0;     ///< by so much the change moved the parent's value
    std::int64_t start = -1;   ///< where its linear program begins
    std::int32_t parent = -1;  ///< of the root -1
    std::int32_t depth = 0;
    std::int32_t children = 0;  ///< that are not closed
    std::int32_t pauses = 0;    ///< rounds that its linear program has not ended in
  };

  /// At least room for a few nodes.
  explicit NodePool(std::size_t bytes);

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return nodes_.size() - free_.size(); }
  std::size_t open() const { return open_.size() + fresh_.size(); }
  /// What room is left is for plunging.
  bool isNearlyFull() const { return size() >= capacity_ / 2; }

  Node const& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  /// Its changes from the root down, each side of a column once.
  void changesOf(int node, std::vector<BoundChange>& changes) const;

  /// The root, or a child of a node that was taken; it is open. -1: there is no room.
  int add(int parent, BoundChange const& change, double bound, double distance,
          std::int64_t start = -1);
  /// A node that was taken is open again, unsolved.
  void putBack(int node);
  /// The same of a node whose linear program goes on from there.
  void pause(int node, std::int64_t start);
  /// The node has a proof, or children: it goes as soon as it has none.
  void close(int node);

  /// Takes up to `count` open nodes: half of them children of the last round, the others by their
  /// bounds, lowest first. Where the pool is nearly full, fewer, and the deepest. Nodes whose bound
  /// is at least `cutoff` are closed instead; `closed` becomes the lowest of their bounds.
  std::vector<int> take(std::size_t count, double cutoff, double& closed);

  /// All nodes, parents before their children, and names that were given; and the other way, into a
  /// pool without nodes. False: there is no room for them, or parents are missing.
  void save(SavedSearch& saved) const;
  bool restore(SavedSearch const& saved);

  /// The lowest bound of the open nodes; infinite without any.
  double lowestBound() const;

 private:
  bool before(int a, int b) const;  ///< in the order of the heap, which pops the last
  void order(bool byDepth);
  void release(int node);

  std::size_t const capacity_;
  std::vector<Node> nodes_;
  std::vector<int> free_;
  std::vector<int> open_;   ///< a heap by bound, or by depth
  std::vector<int> fresh_;  ///< open ones that came since the last take()
  bool byDepth_ = false;
  std::int64_t names_ = 0;
};

}  // namespace osi_cuda::search
