// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/elimination_order.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::barrier {
namespace {

/// The quotient graph. A node that is eliminated becomes an element: the clique of the nodes that
/// it met. The list of a node begins with its elements; nodes that no element of it has follow.
class QuotientGraph {
 public:
  QuotientGraph(Neighbours const& graph, std::vector<char> const& kind)
      : kind_(kind),
        count_(graph.count()),
        left_(count_),
        list_(graph.nodes),
        start_(graph.starts.begin(), graph.starts.end() - 1),
        length_(at(count_)),
        elements_(at(count_), 0),
        weight_(at(count_), 1),
        degree_(at(count_)),
        nextAlike_(at(count_), -1),
        lastAlike_(at(count_)),
        next_(at(count_), -1),
        previous_(at(count_), -1),
        first_(at(count_) + 1, -1),
        clique_(at(count_)),
        cliqueWeight_(at(count_), 0),
        outside_(at(count_), 0),
        seen_(at(count_), -1) {
    double const many = std::max(16.0, 10.0 * std::sqrt(1.0 * count_));
    for (int i = 0; i < count_; ++i) {
      lastAlike_[at(i)] = i;
      length_[at(i)] = degree_[at(i)] = static_cast<int>(graph.of(i).size());
      if (degree_[at(i)] > many) {
        late_.push_back(i);
        weight_[at(i)] = 0;
        --left_;
      }
    }
    for (int i = 0; i < count_; ++i)
      if (weight_[at(i)] > 0) link(i);
  }

  EliminationOrder run(std::function<void()> const& pause) {
    while (left_ > 0) {
      pause();
      while (first_[at(least_)] < 0) ++least_;
      eliminate(first_[at(least_)]);
    }
    std::ranges::stable_sort(late_, [&](int a, int b) { return kind_[at(a)] < kind_[at(b)]; });
    addGroups(late_);
    return std::move(order_);
  }

 private:
  void link(int i) {
    int& first = first_[at(degree_[at(i)])];
    next_[at(i)] = first;
    previous_[at(i)] = -1;
    if (first >= 0) previous_[at(first)] = i;
    first = i;
    least_ = std::min(least_, degree_[at(i)]);
  }

  void unlink(int i) {
    int const before = previous_[at(i)], after = next_[at(i)];
    if (after >= 0) previous_[at(after)] = before;
    (before >= 0 ? next_[at(before)] : first_[at(degree_[at(i)])]) = after;
  }

  void addGroups(std::vector<int> const& nodes) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (k > 0 && kind_[at(nodes[k])] != kind_[at(nodes[k - 1])])
        order_.starts.push_back(static_cast<int>(order_.nodes.size()));
      for (int i = nodes[k]; i >= 0; i = nextAlike_[at(i)]) order_.nodes.push_back(i);
    }
    if (!nodes.empty()) order_.starts.push_back(static_cast<int>(order_.nodes.size()));
  }

  void absorb(int element) {
    cliqueWeight_[at(element)] = 0;
    std::vector<int>().swap(clique_[at(element)]);
  }

  // Weights of nodes of the pivot's clique are negative while it is formed.
  void take(int i) {
    if (weight_[at(i)] <= 0) return;
    unlink(i);
    members_.push_back(i);
    memberWeight_ += weight_[at(i)];
    weight_[at(i)] = -weight_[at(i)];
  }

  void eliminate(int pivot) {
    unlink(pivot);
    left_ -= weight_[at(pivot)];
    weight_[at(pivot)] = 0;
    members_.clear();
    memberWeight_ = 0;
    int* const list = list_.data() + start_[at(pivot)];
    for (int k = 0; k < length_[at(pivot)]; ++k) {
      if (k >= elements_[at(pivot)]) {
        take(list[k]);
        continue;
      }
      for (int const i : clique_[at(list[k])]) take(i);
      absorb(list[k]);
    }
    pivots_.assign(1, pivot);
    countOutside();
    alike_.clear();
    for (int const i : members_) shorten(i, pivot);
    std::stable_partition(pivots_.begin() + 1, pivots_.end(),
                          [&](int i) { return kind_[at(i)] == kind_[at(pivot)]; });
    addGroups(pivots_);
    joinAlike();
    for (int const i : members_) {
      if (weight_[at(i)] == 0) continue;
      weight_[at(i)] = -weight_[at(i)];
      int const others = memberWeight_ - weight_[at(i)];
      degree_[at(i)] = std::min(degree_[at(i)] + others, left_ - weight_[at(i)]);
      link(i);
      clique_[at(pivot)].push_back(i);
    }
    cliqueWeight_[at(pivot)] = memberWeight_;
  }

  // outside_[e] - mark_: the weight of what the clique of e has beyond that of the pivot.
  void countOutside() {
    mark_ += count_ + 1;
    for (int const i : members_) {
      int const* const list = list_.data() + start_[at(i)];
      for (int k = 0; k < elements_[at(i)]; ++k) {
        auto const e = at(list[k]);
        if (cliqueWeight_[e] == 0) continue;
        if (outside_[e] < mark_) outside_[e] = cliqueWeight_[e] + mark_;
        outside_[e] += weight_[at(i)];
      }
    }
  }

  // Leaves out of the list of a member what the pivot's clique has, and puts the pivot into it.
  void shorten(int i, int pivot) {
    int* const list = list_.data() + start_[at(i)];
    int kept = 0, degree = 0;
    std::uint64_t sum = 0;
    for (int k = 0; k < elements_[at(i)]; ++k) {
      int const e = list[k];
      if (cliqueWeight_[at(e)] == 0) continue;
      auto const outside = static_cast<int>(outside_[at(e)] - mark_);
      if (outside == 0) {
        absorb(e);
        continue;
      }
      degree += outside;
      sum += static_cast<std::uint64_t>(e);
      list[kept++] = e;
    }
    int const elements = kept;
    for (int k = elements_[at(i)]; k < length_[at(i)]; ++k) {
      int const j = list[k];
      if (weight_[at(j)] <= 0) continue;
      degree += weight_[at(j)];
      sum += static_cast<std::uint64_t>(j);
      list[kept++] = j;
    }
    if (degree == 0) {  // nothing but the pivot's clique: it is eliminated with the pivot
      pivots_.push_back(i);
      left_ += weight_[at(i)];
      memberWeight_ += weight_[at(i)];
      weight_[at(i)] = 0;
      return;
    }
    // There is room: the pivot was in the list, or an element that is absorbed.
    list[kept] = list[elements];
    list[elements] = pivot;
    elements_[at(i)] = elements + 1;
    length_[at(i)] = kept + 1;
    degree_[at(i)] = std::min(degree_[at(i)], degree);
    alike_.emplace_back(sum, i);
  }

  // Members with equal lists are one node from now on.
  void joinAlike() {
    std::ranges::sort(alike_);
    for (std::size_t first = 0; first < alike_.size(); ++first) {
      int const i = alike_[first].second;
      if (weight_[at(i)] == 0) continue;
      bool marked = false;
      for (std::size_t k = first + 1; k < alike_.size() && alike_[k].first == alike_[first].first;
           ++k) {
        int const j = alike_[k].second;
        if (weight_[at(j)] == 0 || length_[at(j)] != length_[at(i)] ||
            elements_[at(j)] != elements_[at(i)] || kind_[at(j)] != kind_[at(i)])
          continue;
        if (!marked)
          for (int const v : listOf(i)) seen_[at(v)] = i;
        marked = true;
        auto const list = listOf(j);
        if (!std::ranges::all_of(list, [&](int v) { return seen_[at(v)] == i; })) continue;
        weight_[at(i)] += weight_[at(j)];
        weight_[at(j)] = 0;
        nextAlike_[at(lastAlike_[at(i)])] = j;
        lastAlike_[at(i)] = lastAlike_[at(j)];
      }
      if (marked)
        for (int const v : listOf(i)) seen_[at(v)] = -1;
    }
  }

  std::span<int const> listOf(int i) const {
    return {list_.data() + start_[at(i)], at(length_[at(i)])};
  }

  std::vector<char> const& kind_;
  int const count_;
  int left_;  ///< nodes that are to be eliminated
  std::vector<int> list_;
  std::vector<std::int64_t> start_;
  std::vector<int> length_, elements_;  ///< of the list of a node; of them elements
  std::vector<int> weight_;             ///< how many nodes it stands for; 0: gone
  std::vector<int> degree_;             ///< at most so many nodes are met
  std::vector<int> nextAlike_, lastAlike_;
  std::vector<int> next_, previous_, first_;  ///< nodes by degree
  std::vector<std::vector<int>> clique_;      ///< by element
  std::vector<int> cliqueWeight_;             ///< 0: absorbed
  std::vector<std::int64_t> outside_;
  std::vector<int> seen_;
  std::int64_t mark_ = 0;
  int least_ = 0;  ///< no degree is less
  std::vector<int> late_;
  std::vector<int> members_, pivots_;
  int memberWeight_ = 0;
  std::vector<std::pair<std::uint64_t, int>> alike_;
  EliminationOrder order_;
};

}  // namespace

EliminationOrder minimumDegree(Neighbours const& graph, std::vector<char> const& kind,
                               std::function<void()> const& pause) {
  return QuotientGraph(graph, kind).run(pause);
}

}  // namespace osi_cuda::barrier
