// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/search/node_proof.hpp"

namespace osi_cuda::search {

/// Of the search's memory: for bases that nodes begin at.
inline constexpr double shareOfStarts = 0.5;

/// Nodes that are solved together: the changes of each, and where it begins (BatchResults::start).
struct NodeList {
  std::vector<std::size_t> starts{0};
  std::vector<BoundChange> changes;
  std::vector<std::int64_t> begins;

  std::size_t size() const { return starts.size() - 1; }
  std::span<BoundChange const> operator[](std::size_t k) const {
    return std::span(changes).subspan(starts[k], starts[k + 1] - starts[k]);
  }
  void add(std::span<BoundChange const> node, std::int64_t begin) {
    begins.push_back(begin);
    changes.insert(changes.end(), node.begin(), node.end());
    starts.push_back(changes.size());
  }
  void append(NodeList const& other) {
    for (std::size_t k = 1; k <= other.size(); ++k)
      starts.push_back(changes.size() + other.starts[k]);
    changes.insert(changes.end(), other.changes.begin(), other.changes.end());
    begins.insert(begins.end(), other.begins.begin(), other.begins.end());
  }
  void clear() {
    starts.assign(1, 0);
    changes.clear();
    begins.clear();
  }
};

/// Nodes as a call of the variants' solver.
struct NodeCall {
  PackedVariants variants;
  std::vector<std::int64_t> begins;
  VariantOptions options;
};

/// The linear programs of nodes, as variants of one problem: the given one with the bounds that
/// hold everywhere, without the columns that these fix, and without many of those whose reduced
/// costs at the root keep them far from its basis (sifting: Bixby, Gregory, Lustig, Marsten and
/// Shanno 1992). These rest on their bounds. So a point of a node is one, its objective is no
/// bound: what its multipliers prove of the whole problem is. missing() has the columns that it
/// lacks.
class NodeLps {
 public:
  /// `problem` outlives the object. `options`: those of all linear programs.
  NodeLps(LinearProgram const& problem, Basis basis, Options const& options, bool onDevice);

  /// From now on these are the bounds of columns everywhere. Solves the problem that is left;
  /// false: that has no optimum or was interrupted, and all is as before.
  bool begin(std::vector<double> const& lower, std::vector<double> const& upper,
             std::function<bool()> const& interrupted);
  /// A bound that holds everywhere from now on.
  void tighten(BoundChange const& change);
  /// Columns of the problem that variants are of.
  int columns() const { return static_cast<int>(kept_.size()); }
  bool has(int column) const { return position_[static_cast<std::size_t>(column)] >= 0; }
  /// A column that it lacks may not rest where it does any more: begin() has to follow.
  bool isStale() const { return stale_; }
  /// Columns left out that would better move from their bounds at these multipliers, or that the
  /// node moves. `withCosts` false: of Farkas multipliers.
  std::vector<int> missing(std::span<double const> y, std::span<BoundChange const> node,
                           bool withCosts) const;
  /// The next begin() has these columns, and a few more beside them.
  void add(std::span<int const> columns);

  /// Answers keep the numbers of the nodes. Pivots end beyond `cutoff`. `iterationLimit`: of each;
  /// 0: bases are kept for children, and on a device `pivotsOfRound` are made, so that no round
  /// waits for its longest linear program; what is not through then has `iterationLimit`.
  void solve(NodeList const& nodes, double cutoff, std::int64_t iterationLimit,
             std::function<bool()> const& interrupted, BatchResults& answers);
  /// The same in three steps, of which the second may run on another thread: until it has ended,
  /// begin() and solve() must not be called. The last one counts.
  void list(NodeList const& nodes, double cutoff, std::int64_t iterationLimit,
            NodeCall& call) const;
  void run(NodeCall const& call, std::function<bool()> const& interrupted, BatchResults& answers);
  void count(BatchResults const& answers);

  /// The point of an answer in the given problem.
  void pointOf(BatchResults const& answers, std::size_t k, std::vector<double>& x) const;
  /// Its row multipliers: of the last basis, or those that prove that there is no point.
  std::vector<double> multipliersOf(BatchResults const& answers, std::size_t k) const;

  /// One node by the ordinary solver and rational arithmetic.
  Solution solveAlone(std::span<BoundChange const> node,
                      std::function<bool()> const& interrupted) const;

  /// Whether columns may be left out: only where multipliers prove a bound of every node.
  bool leavesOut = false;
  /// Of nodes on a device: as many as it has room for behind any start (2 usualFactors).
  std::int64_t pivotsOfRound = 256;
  std::int64_t iterations = 0, solves = 0;  ///< of all calls that were counted

 private:
  bool moves(BoundChange const& change) const;
  void rank(std::vector<int> const& columns, std::vector<double> const& reducedCosts);

  LinearProgram const& problem_;
  Options const options_;
  bool const onDevice_;
  Basis basis_;                        ///< of all columns
  std::vector<double> distance_;       ///< of columns from the root's basis; empty: not known
  double farthest_ = infinity;         ///< of columns that are not left out
  std::vector<double> fixedAt_;        ///< where columns rest that the smaller problem lacks
  std::vector<double> lower_, upper_;  ///< of all columns, everywhere
  std::vector<BoundChange> since_;     ///< those that the smaller problem lacks
  std::vector<int> kept_;              ///< columns, by their numbers in the smaller problem
  std::vector<int> position_;          ///< the other way; -1: not there
  bool stale_ = false;
  std::optional<VariantSolver> variants_;
};

}  // namespace osi_cuda::search
