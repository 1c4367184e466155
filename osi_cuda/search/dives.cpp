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
/// Entries that the local search may look at before the first branch: so many, and passes over the
/// matrix. It begins anew after some more passes.
constexpr double firstJumps = 1e7, firstPasses = 400.0, passesOfStart = 2000.0;
/// Then some entries for each that pivots change in their tableaus: the share grows while better
/// points come, and falls else. Entries of a device cost less. In a round at most so many.
constexpr double leastJumps = 1.0 / 4096.0, mostJumps = 1.0 / 16.0, deviceJumps = 1.0 / 64.0;
constexpr double mostInRound = 1e7;
constexpr double growth = 2.0, decay = 0.9;
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

/// All choices made as `x` makes them, or nearly; integers rounded to the nearest or by locks.
std::vector<BoundChange> decidedAt(SearchState const& search, std::vector<double> x, bool byLocks) {
  LinearProgram const& problem = search.problem;
  for (int j = 0; byLocks && j < problem.columns(); ++j)
    if (problem.integer[at(j)]) x[at(j)] = search.incumbent.points().roundedByLocks(j, x[at(j)]);
  decide(problem, x);
  std::vector<BoundChange> node;
  eachChoice(problem, x, [&](double, auto const& bounds) {
    bounds([&](auto... change) { node.push_back({change...}); });
  });
  return node;
}

}  // namespace

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
    if (!goDeeper(search, x, probe)) {
      if (allIntegers) return;
      probe.bounds = decidedAt(search, x, false);
      probe.completes = true;
    }
    probes.push_back(std::move(probe));
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
    for (bool const byLocks : {false, true}) {
      Probe probe;
      probe.bounds = decidedAt(search, x, byLocks);
      probe.start = round.answers.start[k];
      probe.completes = true;
      probes.push_back(std::move(probe));
    }
  }
}

void jumpToPoints(SearchState& search, Round const& round, NodeAnswers const& answers,
                  std::vector<Probe>& probes) {
  if (!search.problem.choices.empty()) return;  // it knows whole numbers alone
  Jumps& jumps = search.jumps;
  double const entries = double(search.problem.matrix.nonzeros()) + search.problem.columns();
  bool const isFirst = !jumps.hasBegun();
  double const changed = double(search.lps.iterations - search.pivotsOfJumps) *
                         search.problem.rows() * search.problem.columns();
  double const share = search.shareOfJumps * (search.request.onDevice ? deviceJumps : 1.0);
  search.jumpCredit += isFirst ? std::min(firstJumps, entries * firstPasses)
                               : std::min(mostInRound, changed * share);
  search.pivotsOfJumps = search.lps.iterations;
  std::vector<double> x;
  auto const begin = [&] {
    std::size_t const count = round.nodes.size();
    std::size_t best = count;
    for (std::size_t k = 0; k < count; ++k)
      if (answers.promising[k] &&
          (best == count || answers.found[k].objective < answers.found[best].objective))
        best = k;
    if (best == count) return;
    search.lps.pointOf(round.answers, best, x);
    jumps.beginAt(x, search.lower, search.upper);
  };
  if (isFirst || jumps.spent() > passesOfStart * entries) begin();
  if (!jumps.hasBegun()) return;
  PointMaker const& points = search.incumbent.points();
  double const first = search.incumbent.objective();
  while (search.jumpCredit > 0.0) {
    jumps.setCutoff(search.incumbent.cutoff());
    double const before = jumps.spent();
    bool const found = jumps.work(search.jumpCredit);
    search.jumpCredit -= jumps.spent() - before;
    if (!found) break;
    x = jumps.values();
    double const last = search.incumbent.objective();
    if (points.allIntegers()) points.round(x, true);
    search.incumbent.offer(x);
    if (!points.allIntegers()) {
      Probe probe;
      probe.bounds = decidedAt(search, x, false);
      probe.completes = true;
      probes.push_back(std::move(probe));
    }
    if (!(search.incumbent.objective() < last)) break;
  }
  bool const gained = search.incumbent.objective() < first;
  search.shareOfJumps =
      std::clamp(search.shareOfJumps * (gained ? growth : decay), leastJumps, mostJumps);
}

}  // namespace osi_cuda::search
