// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/search/branching.hpp"
#include "osi_cuda/search/local_search.hpp"
#include "osi_cuda/search/node_lps.hpp"
#include "osi_cuda/search/node_pool.hpp"
#include "osi_cuda/search/points.hpp"
#include "osi_cuda/search/request.hpp"
#include "osi_cuda/search/tree_file.hpp"

namespace osi_cuda::search {

/// What a dive fixes next: the columns that are nearest to whole numbers; those with fewest rows in
/// the way, by locks; the largest, upwards; or those nearest to the incumbent, at its values.
enum class DiveRule { nearest, locks, upwards, guided };
inline constexpr int diveRules = 4;

/// What lasts as long as a search: its parts, its bounds, its counts and its limits. One thread
/// changes it.
struct SearchState {
  explicit SearchState(SearchRequest const& request);

  // ---- to go on in another process
  SavedSearch saved() const;
  /// Before the first round. Throws std::invalid_argument where the memory is too small for it, or
  /// other gaps or tolerances are asked for.
  void resume(SavedSearch const& before);

  // ---- limits and messages
  /// Tells progress from time to time; true: the caller interrupts.
  bool watch();
  SearchProgress progress() const;

  // ---- what is proved
  /// A leaf is closed by that bound.
  void close(double bound) { closed = std::min(closed, bound); }
  /// A bound that holds everywhere from now on.
  void tighten(BoundChange const& change);
  /// Columns that points better than the incumbent do not have beyond some bound, as these
  /// multipliers of the root prove.
  void fixColumns(std::vector<double> const& y);
  /// The bounds of a node's columns that are not the problem's.
  void changesOf(int node, std::vector<BoundChange>& changes) const {
    pool.changesOf(node, changes);
    spreadSets(problem, changes);
  }
  /// The row multipliers of an answer, as the prover takes them.
  std::vector<double> multipliersOf(BatchResults const& answers, std::size_t k) const;
  /// The branch of a node at a point; false: its bounds cross.
  bool chooseBranch(NodeProver& prover, std::span<BoundChange const> node,
                    std::span<double const> x, Branch& branch) const;

  SearchRequest const& request;
  LinearProgram const& problem;
  Options const options;
  std::size_t const batch;  ///< K
  int const threads;
  std::vector<double> lower, upper;  ///< of columns, everywhere
  Incumbent incumbent;
  LocalSearch localSearch;
  PseudoCosts costs;
  NodeLps lps;
  NodePool pool;
  TreeFile tree;
  std::vector<NodeProver> provers;  ///< by worker
  std::function<bool()> interrupted;

  double closed = infinity;  ///< the lowest bound of a leaf
  double boundNow = -infinity;
  /// A better incumbent or other multipliers of the root came: columns may be fixed by them.
  bool improved = false;
  bool trusts = false;  ///< bounds rest on objectives within tolerances
  int fixed = 0;        ///< columns, since the last common problem was made
  std::int64_t nodes = 0, doubts = 0;
  /// Dives that began and incumbents that came of them, by rule.
  std::array<double, diveRules> dived{}, divesGained{};
  bool stopped = false, limited = false, interruptedNow = false;

 private:
  Stopwatch const watch_;
  double told_ = 0.0;
  std::int64_t iterationsBefore_ = 0;  ///< in other processes
  double secondsBefore_ = 0.0;
};

}  // namespace osi_cuda::search
