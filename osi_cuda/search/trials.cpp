// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/trials.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::search {
namespace {

/// Columns count as known for branching after so many branches; pivots of a trial.
constexpr int enoughBranches = 4;
constexpr std::int64_t trialPivots = 30;

/// Both sides of a branch of a node are a pair of variants.
struct Trial {
  std::size_t node;
  Branch branch;
};

}  // namespace

void learn(SearchState& search, Round const& round, NodeAnswers const& answers) {
  for (std::size_t k = 0; k < round.nodes.size(); ++k) {
    NodePool::Node const& node = search.pool[round.nodes[k]];
    Evaluated const& found = answers.found[k];
    if (found.end == Evaluated::End::open && node.parent >= 0)
      search.costs.learn(node.change.column, !node.change.upper, node.distance,
                         found.objective - node.bound);
  }
}

void tryBranches(SearchState& search, Round const& round, NodeAnswers& answers) {
  PseudoCosts& costs = search.costs;
  double const cutoff = search.incumbent.cutoff();
  bool const isRoot = search.nodes == 0;
  std::size_t const count = round.nodes.size();
  std::size_t const room = isRoot ? std::max<std::size_t>(2 * search.batch, 64)
                                  : std::max<std::size_t>(2, search.batch / 2);
  std::vector<Trial> trials;
  std::vector<double> x;
  NodeList list;
  for (std::size_t k = 0; k < count && list.size() + 2 <= room; ++k) {
    Evaluated const& found = answers.found[k];
    if (found.end != Evaluated::End::open || !found.branch.isFractional) continue;
    if (found.bound >= cutoff) continue;
    search.lps.pointOf(round.answers, k, x);
    std::size_t const share = (room - list.size()) / (2 * (count - k));
    std::size_t const most = isRoot ? room / 2 : std::min<std::size_t>(share, 8);
    proof::ImpliedBounds const& box = search.provers.front().bounds();
    for (Branch const& branch : costs.unknown(x, box, most, enoughBranches)) {
      for (bool const up : {false, true}) {
        std::vector<BoundChange> side(round.list[k].begin(), round.list[k].end());
        side.push_back({branch.column, !up, up ? branch.next : branch.value});
        spreadSets(search.problem, side);
        list.add(side, round.answers.start[k]);
      }
      trials.push_back({k, branch});
    }
  }
  if (trials.empty() || search.watch()) return;
  BatchResults results;
  search.lps.solve(list, cutoff, trialPivots, search.interrupted, results);
  for (std::size_t t = 0; t < trials.size(); ++t) {
    Branch const& branch = trials[t].branch;
    double const before = answers.found[trials[t].node].objective;
    for (std::size_t side = 0; side < 2; ++side) {
      BatchStatus const status = results.status[2 * t + side];
      double const distance = side == 0 ? branch.below : branch.above;
      if (status == BatchStatus::optimal || status == BatchStatus::iterationLimit ||
          status == BatchStatus::objectiveLimit)
        costs.learn(branch.column, side == 1, distance, results.objective[2 * t + side] - before);
      else if (status == BatchStatus::infeasible && std::isfinite(cutoff))
        costs.learn(branch.column, side == 1, distance, cutoff - before);
    }
  }
  for (std::size_t t = 0; t < trials.size(); ++t) {
    std::size_t const k = trials[t].node;
    if (t > 0 && trials[t - 1].node == k) continue;
    search.lps.pointOf(round.answers, k, x);
    search.chooseBranch(search.provers.front(), round.list[k], x, answers.found[k].branch);
  }
}

}  // namespace osi_cuda::search
