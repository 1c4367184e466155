// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/front_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::barrier {
namespace {

/// What a front takes beside its multiplications, in terms of them: calls, and each number of the
/// rest, which is written, added to the parent and read.
constexpr double frontWork = 2000.0, restWork = 10.0;

double workOf(double pivots, double rest) {
  return pivots * (pivots * pivots / 3.0 + rest * (pivots + rest)) + restWork * rest * rest +
         frontWork;
}

Neighbours neighboursOf(NormalLines const& normal, std::function<void()> const& pause) {
  int const order = normal.lines.rows, kept = static_cast<int>(normal.kept.size());
  std::vector<int> nodeOf(at(normal.lines.columns), -1);
  for (int k = 0; k < kept; ++k) nodeOf[at(normal.kept[at(k)])] = order + k;
  Neighbours graph;
  graph.starts.reserve(at(order) + at(kept) + 1);
  std::vector<int> seen(at(order), -1);
  for (int i = 0; i < order; ++i) {
    pause();
    seen[at(i)] = i;
    int left = order - 1;  // nodes that i is not known to meet
    for (int const line : normal.across.columnIndices(i)) {
      if (nodeOf[at(line)] >= 0) {
        graph.nodes.push_back(nodeOf[at(line)]);
        continue;
      }
      if (left == 0) continue;  // a few long lines meet all the others
      for (int const j : normal.lines.columnIndices(line)) {
        if (seen[at(j)] == i) continue;
        seen[at(j)] = i;
        graph.nodes.push_back(j);
        --left;
      }
    }
    graph.starts.push_back(static_cast<std::int64_t>(graph.nodes.size()));
  }
  for (int const line : normal.kept) {
    auto const nodes = normal.lines.columnIndices(line);
    graph.nodes.insert(graph.nodes.end(), nodes.begin(), nodes.end());
    graph.starts.push_back(static_cast<std::int64_t>(graph.nodes.size()));
  }
  return graph;
}

/// The nodes of a line as bits, where that is shorter than its list.
class LineBits {
 public:
  explicit LineBits(SparseMatrix const& lines)
      : lines_(lines), words_((at(lines.rows) + 63) / 64), start_(at(lines.columns), -1) {
    for (int line = 0; line < lines.columns; ++line) {
      auto const nodes = lines.columnIndices(line);
      if (nodes.size() < words_) continue;
      start_[at(line)] = static_cast<std::int64_t>(bits_.size());
      bits_.resize(bits_.size() + words_, 0);
      for (int const i : nodes) mark(bits_.data() + start_[at(line)], i);
    }
  }

  std::size_t words() const { return words_; }

  void unite(int line, std::uint64_t* met) const {
    if (start_[at(line)] < 0) {
      for (int const i : lines_.columnIndices(line)) mark(met, i);
      return;
    }
    std::uint64_t const* const bits = bits_.data() + start_[at(line)];
    for (std::size_t w = 0; w < words_; ++w) met[w] |= bits[w];
  }

 private:
  static void mark(std::uint64_t* bits, int i) {
    bits[at(i) / 64] |= std::uint64_t{1} << (at(i) % 64);
  }

  SparseMatrix const& lines_;
  std::size_t const words_;
  std::vector<std::int64_t> start_;  ///< by line: in bits_, or -1
  std::vector<std::uint64_t> bits_;
};

class Planting {
 public:
  Planting(NormalLines const& normal, std::function<void()> const& pause)
      : order_(normal.lines.rows),
        pause_(pause),
        graph_(neighboursOf(normal, pause)),
        nodes_(graph_.count()),
        groupOf_(at(nodes_)) {
    std::vector<char> kind(at(nodes_), 0);
    std::fill(kind.begin() + order_, kind.end(), 1);
    EliminationOrder const found = minimumDegree(graph_, kind, pause);
    auto const groups = found.starts.size() - 1;
    pivots_.resize(groups);
    rest_.resize(groups);
    parent_.assign(groups, -1);
    children_.resize(groups);
    for (std::size_t g = 0; g < groups; ++g) {
      pivots_[g].assign(found.nodes.begin() + found.starts[g],
                        found.nodes.begin() + found.starts[g + 1]);
      for (int const node : pivots_[g]) groupOf_[at(node)] = static_cast<int>(g);
    }
  }

  FrontTree run(double mostWork) {
    FrontTree tree;
    if (!findRests(mostWork)) return tree;
    joinFronts();
    layOut(tree);
    return tree;
  }

 private:
  // Each group meets what its nodes meet and what its children leave.
  bool findRests(double mostWork) {
    std::vector<int> seen(at(nodes_), -1);
    double work = 0.0;
    for (std::size_t g = 0; g < rest_.size(); ++g) {
      pause_();
      auto const group = static_cast<int>(g);
      auto& rest = rest_[g];
      auto const meet = [&](int node) {
        if (groupOf_[at(node)] <= group || seen[at(node)] == group) return;
        seen[at(node)] = group;
        rest.push_back(node);
      };
      for (int const pivot : pivots_[g]) {
        pause_();
        for (int const node : graph_.of(pivot)) meet(node);
      }
      for (int const child : children_[g])
        for (int const node : rest_[at(child)]) meet(node);
      for (int const node : rest) {
        int const other = groupOf_[at(node)];
        if (parent_[g] < 0 || other < parent_[g]) parent_[g] = other;
      }
      if (parent_[g] >= 0) children_[at(parent_[g])].push_back(group);
      auto const p = static_cast<double>(pivots_[g].size()), r = static_cast<double>(rest.size());
      work += p * (p * p / 3.0 + r * (p + r));
      if (work > mostWork) return false;
    }
    return true;
  }

  // A front is joined to its parent where the entries that this fills cost less than passing its
  // rest on (Ashcraft and Grimes 1989).
  void joinFronts() {
    for (std::size_t g = 0; g < rest_.size(); ++g) {
      pause_();
      if (parent_[g] < 0) continue;
      auto const p = at(parent_[g]);
      if ((pivots_[g][0] < order_) != (pivots_[p][0] < order_)) continue;
      auto const own = static_cast<double>(pivots_[g].size()),
                 upper = static_cast<double>(pivots_[p].size()),
                 left = static_cast<double>(rest_[p].size());
      if (workOf(own + upper, left) >
          workOf(own, static_cast<double>(rest_[g].size())) + workOf(upper, left))
        continue;
      pivots_[p].insert(pivots_[p].end(), pivots_[g].begin(), pivots_[g].end());
      pivots_[g].clear();
      for (int const child : children_[g]) {
        parent_[at(child)] = parent_[g];
        children_[p].push_back(child);
      }
    }
  }

  // Children that need most beyond what they leave come first: so the stack stays low (Liu 1986).
  void layOut(FrontTree& tree) {
    std::vector<double> peak(rest_.size(), 0.0);
    auto const squareOf = [&](int g) {
      auto const r = static_cast<double>(rest_[at(g)].size());
      return r * r;
    };
    std::vector<int> roots;
    for (std::size_t g = 0; g < rest_.size(); ++g) {
      if (pivots_[g].empty()) continue;
      auto const group = static_cast<int>(g);
      if (parent_[g] < 0) roots.push_back(group);
      auto& children = children_[g];
      std::erase_if(children, [&](int child) { return pivots_[at(child)].empty(); });
      std::ranges::stable_sort(children, [&](int a, int b) {
        return peak[at(a)] - squareOf(a) > peak[at(b)] - squareOf(b);
      });
      double below = 0.0;
      for (int const child : children) {
        peak[g] = std::max(peak[g], below + peak[at(child)]);
        below += squareOf(child);
      }
      peak[g] = std::max(peak[g], below + squareOf(group));
      tree.stack = std::max(tree.stack, static_cast<std::int64_t>(peak[g]));
    }
    std::vector<int> sequence;  // parents before children; then reversed
    std::vector<int> open(roots);
    while (!open.empty()) {
      int const g = open.back();
      open.pop_back();
      sequence.push_back(g);
      for (int const child : children_[at(g)]) open.push_back(child);
    }
    std::ranges::reverse(sequence);
    tree.placeOf.resize(at(nodes_));
    int place = 0;
    for (int const g : sequence)
      for (int const node : pivots_[at(g)]) tree.placeOf[at(node)] = place++;
    for (int const g : sequence) addFront(tree, g);
  }

  void addFront(FrontTree& tree, int g) {
    pause_();
    auto const& pivots = pivots_[at(g)];
    auto const& rest = rest_[at(g)];
    FrontTree::Front front;
    front.pivots = static_cast<int>(pivots.size());
    front.size = static_cast<int>(pivots.size() + rest.size());
    front.children = static_cast<int>(children_[at(g)].size());
    front.negative = pivots[0] >= order_;
    front.rows = static_cast<std::int64_t>(tree.rows.size());
    front.panel = tree.entries;
    for (auto const* part : {&pivots, &rest})
      for (int const node : *part) tree.rows.push_back(tree.placeOf[at(node)]);
    std::sort(tree.rows.begin() + front.rows + front.pivots, tree.rows.end());
    tree.entries += static_cast<std::int64_t>(front.size) * front.pivots;
    tree.operations += workOf(front.pivots, front.size - front.pivots);
    tree.fronts.push_back(front);
  }

  int const order_;
  std::function<void()> const& pause_;
  Neighbours const graph_;
  int const nodes_;
  std::vector<int> groupOf_;              ///< by node
  std::vector<std::vector<int>> pivots_;  ///< by group; empty where it was joined to its parent
  std::vector<std::vector<int>> rest_;    ///< nodes of later groups that it meets
  std::vector<int> parent_;               ///< the first of those groups, or -1
  std::vector<std::vector<int>> children_;
};

}  // namespace

// Lengths d of the columns of L sum up to the entries at least, and none is longer than what is
// left below it: the sum of d * d is least where they are all alike but for the last ones.
FactorBound factorBound(int order, double entries) {
  double const n = order,
               alike = n - std::sqrt(std::max(0.0, n * n - 2.0 * std::min(entries, 0.5 * n * n)));
  return {entries + n, alike * alike * (n - 2.0 / 3.0 * alike)};
}

double entriesOf(NormalLines const& normal, double enough, std::function<void()> const& pause) {
  constexpr std::size_t atATime = 8;  // lines, until it is seen whether a node meets all
  LineBits const bits(normal.lines);
  std::vector<char> kept(at(normal.lines.columns), 0);
  for (int const line : normal.kept) kept[at(line)] = 1;
  std::vector<std::uint64_t> met(bits.words());
  double twice = 0.0;
  for (int i = 0; i < normal.lines.rows && twice < 2.0 * enough; ++i) {
    pause();
    std::ranges::fill(met, 0);
    int count = 0;
    auto const lines = normal.across.columnIndices(i);
    for (std::size_t k = 0; k < lines.size() && count < normal.lines.rows; ++k) {
      if (!kept[at(lines[k])]) bits.unite(lines[k], met.data());
      if (k % atATime != 0 && k + 1 < lines.size()) continue;
      count = 0;
      for (std::uint64_t const word : met) count += std::popcount(word);
    }
    twice += std::max(0, count - 1);
  }
  return 0.5 * twice;
}

FrontTree plantFronts(NormalLines const& normal, double mostWork,
                      std::function<void()> const& pause) {
  return Planting(normal, pause).run(mostWork);
}

}  // namespace osi_cuda::barrier
