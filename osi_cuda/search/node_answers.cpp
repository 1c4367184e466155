// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/node_answers.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/model/choice_points.hpp"

namespace osi_cuda::search {
namespace {

/// A linear program that goes on for more rounds goes in circles.
constexpr int mostPauses = 64;

}  // namespace

NodeAnswers::NodeAnswers(SearchState& search, Round const& round)
    : found(round.list.size()), promising(found.size(), 0), search_(search), round_(round) {
  choosePromising();
  std::vector<Scratch> scratch(at(search.threads));
  batch::runWorkers(static_cast<int>(std::min<std::size_t>(at(search.threads), found.size())),
                    found.size(), [&](std::size_t k, int worker) {
                      omp_set_num_threads(1);
                      evaluate(k, search_.provers[at(worker)], scratch[at(worker)]);
                    });
}

void NodeAnswers::choosePromising() {
  std::size_t const count = round_.nodes.size();
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < count; ++k)
    if (round_.answers.status[k] == BatchStatus::optimal)
      order.emplace_back(round_.answers.objective[k], k);
  std::size_t const some = std::min(order.size(), std::max<std::size_t>(4, count / 16));
  std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(some));
  for (std::size_t k = 0; k < some; ++k) promising[order[k].second] = 1;
}

void NodeAnswers::evaluate(std::size_t k, NodeProver& prover, Scratch& own) {
  using End = Evaluated::End;
  bool const isProbe = k >= round_.nodes.size();
  Evaluated& one = found[k];
  BatchStatus const status = round_.answers.status[k];
  if (status == BatchStatus::interrupted || status == BatchStatus::timeLimit) {
    one.end = End::stopped;
  } else if (status == BatchStatus::iterationLimit) {
    if (pausesOf(k) < mostPauses) one.end = End::paused;
  } else if (status == BatchStatus::infeasible) {
    if (isProbe) {
      one.end = End::empty;
      return;
    }
    std::vector<double> const y = search_.multipliersOf(round_.answers, k);
    if (search_.trusts || prover.isEmpty(y, round_.list[k]))
      one.end = End::empty;
    else
      one.missing = search_.lps.missing(y, round_.list[k], false);
  } else if (status == BatchStatus::objectiveLimit && !isProbe) {
    one.objective = round_.answers.objective[k];
    bound(k, prover);
    if (one.bound >= search_.incumbent.cutoff()) one.end = End::open;
    if (one.end == End::unknown) lookForMissing(k, one);
  } else if (status == BatchStatus::optimal) {
    one.end = End::open;
    one.objective = round_.answers.objective[k];
    if (!isProbe) bound(k, prover);
    double const rounding = sameNumber * (1.0 + std::fabs(one.objective));
    if (!isProbe && one.bound < std::min(search_.incumbent.cutoff(), one.objective - rounding))
      lookForMissing(k, one);
    search_.lps.pointOf(round_.answers, k, own.x);
    // Bounds that hold everywhere may have come since.
    if (!search_.chooseBranch(prover, round_.list[k], own.x, one.branch)) one.end = End::empty;
    if (!one.branch.isFractional) keepBest(own, one, true, false);
    if (one.end == End::open && !one.branch.isFractional && !one.missing.empty())
      one.end = End::unknown;
    if (promising[k] && !isProbe) {
      keepBest(own, one, false, true);
      keepBest(own, one, true, true);
    }
  }
  // Where a column is all that it wants, it waits for that.
  if (one.end == End::unknown && !one.missing.empty() && !isProbe && pausesOf(k) < mostPauses)
    one.end = End::paused;
}

int NodeAnswers::pausesOf(std::size_t k) const {
  std::size_t const nodes = round_.nodes.size();
  return k < nodes ? search_.pool[round_.nodes[k]].pauses : round_.probes[k - nodes].pauses;
}

void NodeAnswers::lookForMissing(std::size_t k, Evaluated& one) const {
  one.missing = search_.lps.missing(search_.multipliersOf(round_.answers, k), round_.list[k], true);
}

void NodeAnswers::bound(std::size_t k, NodeProver& prover) {
  Evaluated& one = found[k];
  one.bound = search_.trusts ? one.objective - sameNumber * (1.0 + std::fabs(one.objective))
                             : prover.boundOf(search_.multipliersOf(round_.answers, k),
                                              round_.list[k], search_.incumbent.cutoff());
}

void NodeAnswers::keepBest(Scratch& own, Evaluated& one, bool nearest, bool moves) const {
  LinearProgram const& problem = search_.problem;
  PointMaker const& points = search_.incumbent.points();
  own.rounded = own.x;
  if (moves) {
    if (!points.round(own.rounded, nearest)) return;
  } else {
    decide(problem, own.rounded);
  }
  double objective = problem.objectiveOffset;
  for (int j = 0; j < problem.columns(); ++j)
    objective += problem.objective[at(j)] * own.rounded[at(j)];
  if (!(objective < std::min(one.value, search_.incumbent.objective()))) return;
  std::optional<double> const value = points.valueOf(own.rounded);
  if (!value || !(*value < one.value)) return;
  one.value = *value;
  one.point = own.rounded;
}

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

std::size_t Rounds::roomOf(std::size_t underWay) {
  SearchState& s = search_;
  s.boundNow = std::max(s.boundNow, boundOfAll());
  std::int64_t const nodes = s.nodes + static_cast<std::int64_t>(underWay);
  s.limited = nodes >= s.options.nodeLimit || s.lps.iterations >= s.options.iterationLimit;
  if (s.watch() || s.stopped || s.limited) return 0;
  auto const left = static_cast<std::uint64_t>(s.options.nodeLimit - nodes);
  return static_cast<std::size_t>(std::min<std::uint64_t>(s.batch, left));
}

double Rounds::boundOfAll() const {
  double lowest = std::min(search_.pool.lowestBound(), search_.closed);
  for (Round const& round : rounds_)
    for (int const node : round.nodes) lowest = std::min(lowest, search_.pool[node].bound);
  return std::min(search_.incumbent.raised(lowest), search_.incumbent.objective());
}

Round* Rounds::next(std::size_t underWay, std::vector<Probe>& probes) {
  NodePool& pool = search_.pool;
  std::size_t const room = roomOf(underWay);
  if (room == 0) return nullptr;
  double closed = infinity;
  std::vector<int> nodes = pool.take(room, search_.incumbent.cutoff(), closed);
  search_.close(closed);
  if (nodes.empty()) return nullptr;
  Round& round = rounds_[rounds_[0].nodes.empty() ? 0 : 1];
  round.nodes = std::move(nodes);
  round.probes = std::exchange(probes, {});
  round.list.clear();
  constexpr std::size_t worthThread = 256;
  std::size_t const count = round.nodes.size();
  std::vector<NodeList> parts(std::clamp<std::size_t>(count / worthThread, 1, at(search_.threads)));
  batch::runWorkers(search_.threads, parts.size(), [&](std::size_t p, int) {
    std::vector<BoundChange> changes;
    for (std::size_t k = count * p / parts.size(); k < count * (p + 1) / parts.size(); ++k) {
      search_.changesOf(round.nodes[k], changes);
      parts[p].add(changes, pool[round.nodes[k]].start);
    }
  });
  for (NodeList const& part : parts) round.list.append(part);
  for (Probe const& probe : round.probes) round.list.add(probe.bounds, probe.start);
  search_.lps.list(round.list, search_.incumbent.cutoff(), 0, round.call);
  return &round;
}

void Rounds::begin(Round& round) {
  NodeLps& lps = search_.lps;
  if (!search_.request.onDevice) {
    lps.run(round.call, search_.interrupted, round.answers);
    return lps.count(round.answers);
  }
  stops_ = search_.interruptedNow;
  round.done = std::async(std::launch::async, [this, &lps, &round] {
    lps.run(
        round.call, [this] { return stops_.load(); }, round.answers);
  });
}

void Rounds::wait(Round& round) {
  if (!round.done.valid()) return;
  constexpr std::chrono::milliseconds pause(20);
  while (round.done.wait_for(pause) != std::future_status::ready) stops_ = search_.watch();
  round.done.get();
  search_.lps.count(round.answers);
}

}  // namespace osi_cuda::search
