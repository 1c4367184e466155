// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/search/dives.hpp"
#include "osi_cuda/search/node_answers.hpp"

namespace osi_cuda::search {
namespace {

/// So large a part of a round is worth to be under way beside another.
constexpr std::size_t shareOfOverlap = 16;
/// A new common problem is made when so large a share of its columns has been fixed since.
constexpr double worthNewBase = 0.2;
/// One of so many nodes with a bound that is weak for want of columns is worth another, too.
constexpr std::size_t shareOfLacking = 16;

class TreeSearch {
 public:
  explicit TreeSearch(SearchRequest const& request) : state_(request), rounds_(state_) {}

  SearchOutcome run() {
    SearchState& s = state_;
    if (!s.request.start.empty()) s.incumbent.offer(s.request.start);
    if (s.request.resume)
      s.resume(*s.request.resume);
    else
      s.pool.add(-1, {}, -infinity, 0.0);
    // Of a search that had ended nothing is left to be done.
    if (s.pool.open() == 0) return outcome();
    if (s.lps.begin(s.lower, s.upper, s.interrupted)) {
      if (s.request.resume) takeMultipliers();
      rounds();
    } else {
      settleNodes();
    }
    return outcome();
  }

 private:
  /// No linear program is left that variants could be of: there is a proof that none is needed, or
  /// the search ends.
  void settleNodes() {
    SearchState& s = state_;
    BatchResults answers;
    while (!s.stopped && s.pool.open() > 0) {
      double closed = infinity;
      std::vector<int> const taken = s.pool.take(1, s.incumbent.cutoff(), closed);
      s.close(closed);
      if (taken.empty()) continue;
      answers.status.assign(1, BatchStatus::numerical);
      Evaluated found;
      if (!s.watch()) Settling(s, answers).solveAlone(taken.front(), 0, found);
      s.stopped = found.end != Evaluated::End::empty;
      s.stopped ? s.pool.putBack(taken.front()) : s.pool.close(taken.front());
    }
  }

  /// One round after the other; where a device solves them and there are nodes enough, the next one
  /// is under way while this processor looks at what came of the last.
  void rounds() {
    Round* last = nullptr;
    for (;;) {
      if (!last) renew();
      Round* next = nullptr;
      bool const overlaps = state_.request.onDevice && !state_.improved && !lacks_ &&
                            state_.pool.open() >= state_.batch / shareOfOverlap;
      if (!last || overlaps) next = rounds_.next(last ? last->nodes.size() : 0, probes_);
      if (!next && !last) return;
      if (last) rounds_.wait(*last);
      if (next) rounds_.begin(*next);
      if (last) finish(*last, next == nullptr);
      if (last && state_.request.callbacks.saveDue && state_.request.callbacks.saveDue()) save();
      last = next;
    }
  }

  /// Nodes that are under way are open for who goes on.
  void save() const { state_.request.callbacks.saved(state_.saved()); }

  /// Looks at what came of a round. `alone`: no other one is under way.
  void finish(Round& round, bool alone) {
    SearchState& s = state_;
    NodeAnswers answers(s, round);
    for (std::size_t k = 0; k < answers.found.size(); ++k) {
      Evaluated& one = answers.found[k];
      if (one.point.empty() || !(one.value < s.incumbent.objective())) continue;
      s.incumbent.take(std::move(one.point), one.value);
      if (k >= round.nodes.size())
        ++s.divesGained[at(static_cast<int>(round.probes[k - round.nodes.size()].rule))];
    }
    if (s.nodes == 0 && answers.found.front().end == Evaluated::End::open)
      beginAtRoot(round, answers);
    noteMissing(answers);
    learn(s, round, answers);
    addProbes(s, round, answers, probes_);
    s.localSearch.afterRound(s, round, answers, probes_);
    if (alone) tryBranches(s, round, answers);
    Settling settling(s, round.answers);
    for (std::size_t k = 0; k < round.nodes.size(); ++k)
      settling.settle(round.nodes[k], k, answers.found[k]);
    round.nodes.clear();
  }

  /// The root's multipliers are kept for fixing; a root without a bound says that no node has one.
  void beginAtRoot(Round const& round, NodeAnswers& answers) {
    rootMultipliers_ = state_.multipliersOf(round.answers, 0);
    state_.improved = true;
    if (std::isfinite(answers.found.front().bound)) return;
    state_.trusts = true;
    answers.bound(0, state_.provers.front());
  }

  /// What the common problem lacks, once a node waits for it or many would have better bounds.
  void noteMissing(NodeAnswers const& answers) {
    std::vector<int> columns;
    std::size_t lacking = 0;
    bool waits = false;
    for (Evaluated const& one : answers.found) {
      lacking += !one.missing.empty();
      waits |= !one.missing.empty() && one.end == Evaluated::End::paused;
      columns.insert(columns.end(), one.missing.begin(), one.missing.end());
    }
    if (!waits && lacking * shareOfLacking < answers.found.size()) return;
    if (columns.empty()) return;
    state_.lps.add(columns);
    lacks_ = true;
  }

  /// Another common problem, where there are better incumbents or it lacks columns.
  void renew() {
    SearchState& s = state_;
    if (std::exchange(s.improved, false)) s.fixColumns(rootMultipliers_);
    bool const many = s.fixed >= 8 && s.fixed >= worthNewBase * s.lps.columns();
    if (!std::exchange(lacks_, false) && !many && !s.lps.isStale()) return;
    do {
      s.fixed = 0;
      if (!s.lps.begin(s.lower, s.upper, s.interrupted)) return;
      takeMultipliers();
    } while (s.lps.isStale());
  }

  void takeMultipliers() {
    SearchState& s = state_;
    NodeList whole;
    whole.add({}, -1);
    BatchResults root;
    s.lps.solve(whole, infinity, 0, s.interrupted, root);
    if (root.status.front() != BatchStatus::optimal) return;
    rootMultipliers_ = s.multipliersOf(root, 0);
    s.fixColumns(rootMultipliers_);
  }

  SearchOutcome outcome() {
    SearchState& s = state_;
    bool const isEmpty = s.incumbent.empty();
    SearchOutcome outcome;
    bool const complete = s.pool.open() == 0 && !s.stopped && !s.interruptedNow;
    s.boundNow = std::max(s.boundNow, rounds_.boundOfAll());
    outcome.status = complete           ? isEmpty ? Status::infeasible : Status::optimal
                     : s.interruptedNow ? Status::interrupted
                     : s.limited        ? Status::iterationLimit
                                        : Status::numerical;
    // What neither a proof nor a branch closed may not matter in the end.
    bool const closedAll = complete && !isEmpty && s.boundNow >= s.incumbent.cutoff();
    if (!closedAll) outcome.doubts = s.doubts;
    outcome.proved = !s.trusts;
    outcome.values = s.incumbent.values();
    outcome.iterations = s.lps.iterations;
    outcome.solves = s.lps.solves;
    outcome.last = s.progress();
    if (complete && isEmpty && s.doubts == 0) outcome.last.bound = infinity;
    s.tree.end(outcome.values, s.trusts ? -infinity : outcome.last.bound);
    if (s.request.callbacks.saved) save();
    if (s.request.callbacks.search) s.request.callbacks.search(outcome.last);
    return outcome;
  }

  SearchState state_;
  Rounds rounds_;
  std::vector<double> rootMultipliers_;
  std::vector<Probe> probes_;  ///< of the next round
  bool lacks_ = false;         ///< the common problem has to have more columns
};

}  // namespace

SearchOutcome searchTree(SearchRequest const& request) {
  return TreeSearch(request).run();
}

}  // namespace osi_cuda::search
