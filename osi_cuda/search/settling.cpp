// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/settling.hpp"

#include <algorithm>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::search {

std::int64_t Settling::written(std::size_t k) {
  return search_.tree.multipliers(search_.multipliersOf(answers_, k));
}

void Settling::settle(int node, std::size_t k, Evaluated& found) {
  using End = Evaluated::End;
  SearchState& s = search_;
  if (found.end == End::stopped || s.interruptedNow) return s.pool.putBack(node);
  if (found.end == End::paused) return s.pool.pause(node, answers_.start[k]);
  ++s.nodes;
  std::int64_t const name = s.pool[node].name;
  if (found.end == End::unknown) solveAlone(node, k, found);
  if (found.end == End::stopped) return s.pool.putBack(node);
  BatchStatus const status = answers_.status[k];
  if (found.end == End::empty) {
    if (s.tree.isOpen() && status == BatchStatus::infeasible)
      s.tree.empty(name, s.problem.rows() == 0 ? -1 : written(k));
    return s.pool.close(node);
  }
  double bound = std::max(found.bound, s.pool[node].bound);
  bool const multiplied = status == BatchStatus::optimal || status == BatchStatus::objectiveLimit;
  if (s.tree.isOpen() && found.bound > -infinity && multiplied) s.tree.bound(name, written(k));
  if (!(bound >= s.incumbent.cutoff()) && found.branch.column < 0 && found.end == End::open) {
    solveAlone(node, k, found);  // all integers are fixed: a point, or none
    if (found.end == End::empty) return s.pool.close(node);
    bound = std::max(bound, found.bound);
  }
  if (bound >= s.incumbent.cutoff()) {
    s.close(bound);
    return s.pool.close(node);
  }
  split(node, bound, found, answers_.start[k]);
}

void Settling::split(int node, double bound, Evaluated const& found, std::int64_t start) {
  SearchState& s = search_;
  Branch branch = found.branch;
  if (branch.column < 0) {  // nothing is known of it: any column
    std::vector<BoundChange> changes;
    s.changesOf(node, changes);
    std::vector<double> middle(at(s.problem.columns()));
    proof::ImpliedBounds const& box = s.provers.front().bounds();
    for (std::size_t j = 0; j < middle.size(); ++j)
      middle[j] =
          std::clamp(0.0, box.columnLower[j], std::max(box.columnLower[j], box.columnUpper[j]));
    s.chooseBranch(s.provers.front(), changes, middle, branch);
  }
  if (branch.column < 0) {
    // Neither a proof nor a branch is left.
    ++s.doubts;
    s.close(bound);
    return s.pool.close(node);
  }
  for (bool const up : {false, true}) {
    BoundChange const change{branch.column, !up, up ? branch.next : branch.value};
    int const child = s.pool.add(node, change, bound, up ? branch.above : branch.below, start);
    if (child >= 0) {
      s.tree.node(s.pool[child], s.pool[node].name);
      continue;
    }
    s.close(bound);  // nobody looks at this side
    s.stopped = true;
  }
}

void Settling::solveAlone(int node, std::size_t k, Evaluated& found) {
  using End = Evaluated::End;
  SearchState& s = search_;
  std::vector<BoundChange> changes;
  s.changesOf(node, changes);
  Solution solution = s.lps.solveAlone(changes, s.interrupted);
  s.lps.iterations += solution.iterations;
  if (s.interruptedNow) {
    found.end = End::stopped;
    return;
  }
  NodeProver& prover = s.provers.front();
  std::int64_t const name = s.pool[node].name;
  if (solution.status == Status::infeasible) {
    prover.clean(solution.farkas);
    bool const proved = prover.isEmpty(solution.farkas, changes);
    bool const rational = solution.exact.proved && !s.tree.isOpen();
    if (!proved && !rational && !s.trusts) return;
    found.end = End::empty;
    if (proved && s.tree.isOpen()) s.tree.empty(name, s.tree.multipliers(solution.farkas));
    answers_.status[k] = BatchStatus::numerical;  // it has been written
  } else if (solution.status == Status::optimal) {
    found.end = End::open;
    found.objective = solution.objective;
    prover.clean(solution.rowDuals);
    double const plain = prover.boundOf(solution.rowDuals, changes);
    found.bound = s.tree.isOpen() ? plain : std::max(plain, solution.objectiveEnclosure.lower);
    if (s.tree.isOpen()) s.tree.bound(name, s.tree.multipliers(solution.rowDuals));
    s.incumbent.offer(solution.columnValues);
    if (!s.chooseBranch(prover, changes, solution.columnValues, found.branch))
      found.end = End::empty;
  }
}

}  // namespace osi_cuda::search
