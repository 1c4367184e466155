// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/node_pool.hpp"

#include <algorithm>
#include <limits>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::search {

NodePool::NodePool(std::size_t bytes)
    : capacity_(std::clamp<std::size_t>(bytes / (sizeof(Node) + 2 * sizeof(int)), 128,
                                        std::numeric_limits<int>::max())) {}

void NodePool::changesOf(int node, std::vector<BoundChange>& changes) const {
  changes.clear();
  for (; nodes_[at(node)].parent >= 0; node = nodes_[at(node)].parent) {
    BoundChange const& change = nodes_[at(node)].change;
    bool const known = std::ranges::any_of(changes, [&](BoundChange const& later) {
      return later.column == change.column && later.upper == change.upper;
    });
    if (!known) changes.push_back(change);  // a child's bound is the tighter one
  }
  std::ranges::reverse(changes);
}

int NodePool::add(int parent, BoundChange const& change, double bound, double distance,
                  std::int64_t start) {
  if (size() >= capacity_) return -1;
  int node = static_cast<int>(nodes_.size());
  if (free_.empty()) {
    nodes_.emplace_back();
  } else {
    node = free_.back();
    free_.pop_back();
  }
  nodes_[at(node)] = {0, bound, change, distance, start, parent, 0, 0, 0};
  if (parent >= 0) {
    Node& above = nodes_[at(parent)];
    ++above.children;
    nodes_[at(node)].depth = above.depth + 1;
  }
  nodes_[at(node)].name = names_++;
  fresh_.push_back(node);
  return node;
}

void NodePool::putBack(int node) {
  fresh_.push_back(node);
}

void NodePool::pause(int node, std::int64_t start) {
  nodes_[at(node)].start = start;
  ++nodes_[at(node)].pauses;
  putBack(node);
}

void NodePool::close(int node) {
  if (nodes_[at(node)].children == 0) release(node);
}

void NodePool::release(int node) {
  for (;;) {
    int const parent = nodes_[at(node)].parent;
    free_.push_back(node);
    if (parent < 0 || --nodes_[at(parent)].children > 0) return;
    node = parent;
  }
}

bool NodePool::before(int a, int b) const {
  Node const &x = nodes_[at(a)], &y = nodes_[at(b)];
  if (byDepth_ && x.depth != y.depth) return x.depth < y.depth;
  if (x.bound != y.bound) return x.bound > y.bound;
  return x.name > y.name;
}

void NodePool::order(bool byDepth) {
  if (byDepth == byDepth_) return;
  byDepth_ = byDepth;
  std::ranges::make_heap(open_, [this](int a, int b) { return before(a, b); });
}

std::vector<int> NodePool::take(std::size_t count, double cutoff, double& closed) {
  closed = infinity;
  auto const isClosed = [&](int node) {
    double const bound = nodes_[at(node)].bound;
    if (!(bound >= cutoff)) return false;
    closed = std::min(closed, bound);
    close(node);
    return true;
  };
  std::vector<int> fresh;
  fresh.swap(fresh_);
  std::erase_if(fresh, isClosed);
  bool const deep = isNearlyFull();
  if (deep) {
    std::erase_if(open_, isClosed);
    std::ranges::make_heap(open_, [this](int a, int b) { return before(a, b); });
    std::size_t const room = capacity_ - size();
    count = std::clamp<std::size_t>(room / 16, 1, count);
  }
  order(deep);
  std::vector<int> taken;
  auto const later = [this](int a, int b) { return before(b, a); };
  if (!deep) {
    std::size_t const plunging = std::min(fresh.size(), (count + 1) / 2);
    std::ranges::nth_element(fresh, fresh.begin() + std::ptrdiff_t(plunging), later);
    taken.assign(fresh.begin(), fresh.begin() + std::ptrdiff_t(plunging));
    fresh.erase(fresh.begin(), fresh.begin() + std::ptrdiff_t(plunging));
  }
  auto const heap = [this](int a, int b) { return before(a, b); };
  for (int const node : fresh) {
    open_.push_back(node);
    std::ranges::push_heap(open_, heap);
  }
  while (taken.size() < count && !open_.empty()) {
    std::ranges::pop_heap(open_, heap);
    int const node = open_.back();
    open_.pop_back();
    if (!isClosed(node)) taken.push_back(node);
  }
  std::ranges::sort(taken, later);
  return taken;
}

void NodePool::save(SavedSearch& saved) const {
  std::vector<char> isFree(nodes_.size(), 0);
  for (int const node : free_) isFree[at(node)] = 1;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    Node const& node = nodes_[k];
    if (isFree[k]) continue;
    std::int64_t const parent = node.parent < 0 ? -1 : nodes_[at(node.parent)].name;
    BoundChange const& change = node.change;
    saved.tree.push_back({node.name,
                          parent,
                          {change.column, change.upper, change.value},
                          node.bound,
                          node.distance});
  }
  std::ranges::sort(saved.tree, {}, &SavedSearch::Node::name);
  saved.names = names_;
}

bool NodePool::restore(SavedSearch const& saved) {
  if (saved.tree.size() > capacity_ / 2) return false;
  for (SavedSearch::Node const& node : saved.tree) {
    auto const above = std::ranges::lower_bound(nodes_, node.parent, {}, &Node::name);
    bool const isRoot = node.parent < 0;
    if (!isRoot && (above == nodes_.end() || above->name != node.parent)) return false;
    int const parent = isRoot ? -1 : static_cast<int>(above - nodes_.begin());
    names_ = node.name;
    add(parent, {node.change.column, node.change.upper, node.change.value}, node.bound,
        node.distance);
  }
  names_ = saved.names;
  std::erase_if(fresh_, [this](int node) { return nodes_[at(node)].children > 0; });
  return true;
}

double NodePool::lowestBound() const {
  double lowest = infinity;
  for (int const node : fresh_) lowest = std::min(lowest, nodes_[at(node)].bound);
  if (byDepth_) {
    for (int const node : open_) lowest = std::min(lowest, nodes_[at(node)].bound);
  } else if (!open_.empty()) {
    lowest = std::min(lowest, nodes_[at(open_.front())].bound);
  }
  return lowest;
}

}  // namespace osi_cuda::search
