// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/dives.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/choice_points.hpp"

namespace osi_cuda::search {

namespace {

/// One of so many nodes is a dive, and at least so many are; half of it where less than one dive of
/// `rare` brings an incumbent.
constexpr std::size_t shareOfDives = 8, leastDives = 4;
constexpr double rare = 64.0;
/// Steps that a dive takes back before it ends.
constexpr int mostRetreats = 16;

void fix(std::vector<BoundChange>& node, int column, double value) {
  node.push_back({column, false, value});
  node.push_back({column, true, value});
}

/// Where a rule takes a column, and its place in the order: the lowest first.
std::tuple<double, double> stepOf(SearchState const& search, DiveRule rule, int j, double x) {
  PointMaker const& points = search.incumbent.points();
  double const down = std::floor(x), up = std::ceil(x), nearest = std::round(x);
  switch (rule) {
    case DiveRule::locks: {
      auto const [below, above] = points.locksOf(j);
      double const to = points.roundedByLocks(j, x);
      return {to, std::min(below, above) + std::fabs(x - to)};
    }
    case DiveRule::upwards:
      return {up, up - x};
    case DiveRule::guided: {
      double const best = search.incumbent.values()[at(j)];
      return {std::clamp(best, down, up), std::fabs(x - best)};
    }
    default:
      return {nearest, std::fabs(x - nearest)};
  }
}

/// Of a problem with sets or semicontinuous columns: the quarter of its open choices that is
/// nearest to being kept is decided. False: none is open.
bool decideMore(LinearProgram const& problem, std::span<double const> x,
                std::vector<BoundChange>& node) {
  std::vector<std::pair<double, int>> open;
  int count = 0, k = 0;
  eachChoice(problem, x, [&](double off, auto const&) {
    if (off > wholeTolerance) open.emplace_back(off, count);
    ++count;
  });
  if (open.empty()) return false;
  std::ranges::sort(open);
  std::vector<char> chosen(at(count));
  for (std::size_t i = 0; i < (open.size() + 3) / 4; ++i) chosen[at(open[i].second)] = 1;
  eachChoice(problem, x, [&](double, auto const& bounds) {
    if (chosen[at(k++)]) bounds([&](auto... change) { node.push_back({change...}); });
  });
  return true;
}

/// Some more integer columns of the node are fixed, at least one. False: none is fractional.
bool goDeeper(SearchState const& search, std::span<double const> x, Probe& probe) {
  if (!search.problem.choices.empty()) return decideMore(search.problem, x, probe.bounds);
  std::vector<std::tuple<double, int, double>> fractional;  // place, column, value
  for (int j = 0; j < search.problem.columns(); ++j) {
    double const value = x[at(j)];
    if (!search.problem.integer[at(j)] || std::fabs(value - std::round(value)) <= wholeTolerance)
      continue;
    auto const [to, place] = stepOf(search, probe.rule, j, value);
    fractional.emplace_back(place, j, to);
  }
  if (fractional.empty()) return false;
  std::ranges::sort(fractional);
  std::size_t const share = probe.rule == DiveRule::upwards ? 8 : 4;
  std::size_t const some = (fractional.size() + share - 1) / share;
  for (std::size_t k = 0; k < some; ++k)
    fix(probe.bounds, std::get<1>(fractional[k]), std::get<2>(fractional[k]));
  probe.tried = 2 * some;
  return true;
}

/// Takes back half of the last step, or has its only column on the other side. False: there is no
/// other side, or the dive has tried enough.
bool retreat(SearchState const& search, Probe& probe) {
  if (probe.tried == 0 || ++probe.retreats > mostRetreats) return false;
  if (probe.tried > 2) {
    std::size_t const left = std::max<std::size_t>(1, probe.tried / 4) * 2;
    probe.bounds.resize(probe.bounds.size() - (probe.tried - left));
    probe.tried = left;
    return true;
  }
  auto const [column, isUpper, value] = probe.bounds.back();
  probe.bounds.resize(probe.bounds.size() - 2);
  probe.tried = 0;
  double const lower = search.lower[at(column)], upper = search.upper[at(column)];
  bool const hasBelow = value - 1.0 >= lower, hasAbove = value + 1.0 <= upper;
  if (hasBelow == hasAbove) return false;  // Which side was left is known of two values only.
  probe.bounds.push_back({column, hasBelow, hasBelow ? value - 1.0 : value + 1.0});
  return true;
}

/// The rule that is behind: those by which incumbents came begin more dives.
DiveRule nextRule(SearchState& search) {
  constexpr double worthOfGain = 8.0;
  std::size_t const rules = search.incumbent.empty() ? diveRules - 1 : diveRules;
  std::size_t next = 0;
  auto const placeOf = [&](std::size_t rule) {
    return (search.dived[rule] + 1.0) / (1.0 + worthOfGain * search.divesGained[rule]);
  };
  for (std::size_t rule = 1; rule < rules; ++rule)
    if (placeOf(rule) < placeOf(next)) next = rule;
  ++search.dived[next];
  return static_cast<DiveRule>(next);
}

/// Columns count as known for branching after so many branches; pivots of a trial.
constexpr int enoughBranches = 4;
constexpr std::int64_t trialPivots = 30;

/// Both sides of a branch of a node are a pair of variants.
struct Trial {
  std::size_t node;
  Branch branch;
};

}  // namespace

Probe completion(SearchState const& search, std::vector<double> x, bool byLocks,
                 std::int64_t start) {
  LinearProgram const& problem = search.problem;
  for (int j = 0; byLocks && j < problem.columns(); ++j)
    if (problem.integer[at(j)]) x[at(j)] = search.incumbent.points().roundedByLocks(j, x[at(j)]);
  decide(problem, x);
  Probe probe;
  probe.start = start;
  probe.completes = true;
  eachChoice(problem, x, [&](double, auto const& bounds) {
    bounds([&](auto... change) { probe.bounds.push_back({change...}); });
  });
  return probe;
}

void addProbes(SearchState& search, Round const& round, NodeAnswers const& answers,
               std::vector<Probe>& probes) {
  bool const allIntegers = search.incumbent.points().allIntegers();
  std::size_t const nodes = round.nodes.size();
  std::vector<double> x;
  auto const isWorth = [&](std::size_t k) {
    Evaluated const& found = answers.found[k];
    return found.end == Evaluated::End::open && found.objective < search.incumbent.cutoff();
  };
  auto const goOn = [&](std::size_t k, Probe probe) {
    if (!isWorth(k)) return;
    search.lps.pointOf(round.answers, k, x);
    probe.bounds.assign(round.list[k].begin(), round.list[k].end());
    probe.start = round.answers.start[k];
    if (goDeeper(search, x, probe))
      probes.push_back(std::move(probe));
    else if (!allIntegers)
      probes.push_back(completion(search, x, false, probe.start));
  };
  for (std::size_t p = 0; p < round.probes.size(); ++p) {
    Probe probe = round.probes[p];
    using End = Evaluated::End;
    End const end = answers.found[nodes + p].end;
    if (end == End::paused) {
      probe.start = round.answers.start[nodes + p];
      ++probe.pauses;
      probes.push_back(std::move(probe));
    } else if (probe.completes) {
      continue;
    } else if (end == End::empty) {
      if (retreat(search, probe)) probes.push_back(std::move(probe));
    } else {
      probe.pauses = 0;
      goOn(nodes + p, std::move(probe));
    }
  }
  auto const sumOf = [](auto const& counts) {
    return std::accumulate(counts.begin(), counts.end(), 0.0);
  };
  bool const areRare = sumOf(search.dived) > rare * (1.0 + sumOf(search.divesGained));
  std::size_t const most = std::max(leastDives, nodes / shareOfDives) / (areRare ? 2 : 1);
  for (std::size_t k = 0; k < nodes && probes.size() < most; ++k) {
    if (!answers.promising[k] || !answers.found[k].branch.isFractional) continue;
    Probe probe;
    probe.rule = nextRule(search);
    goOn(k, std::move(probe));
  }
  if (allIntegers) return;
  std::size_t const completions = probes.size() + most;
  for (std::size_t k = 0; k < nodes && probes.size() < completions; ++k) {
    if (!answers.promising[k] || !isWorth(k)) continue;
    search.lps.pointOf(round.answers, k, x);
    for (bool const byLocks : {false, true})
      probes.push_back(completion(search, x, byLocks, round.answers.start[k]));
  }
}

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
