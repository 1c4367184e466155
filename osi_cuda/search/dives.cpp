// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/dives.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/choice_points.hpp"

namespace osi_cuda::search {
namespace {

/// One of so many nodes is a dive.
constexpr std::size_t shareOfDives = 8;

/// The node with some more choices decided, at least one. Empty: none is open.
std::vector<BoundChange> deeper(LinearProgram const& problem, std::span<BoundChange const> node,
                                std::span<double const> x) {
  std::vector<std::pair<double, int>> open;
  int count = 0, k = 0;
  eachChoice(problem, x, [&](double off, auto const&) {
    if (off > wholeTolerance) open.emplace_back(off, count);
    ++count;
  });
  if (open.empty()) return {};
  std::ranges::sort(open);
  std::vector<char> chosen(at(count));
  for (std::size_t i = 0; i < (open.size() + 3) / 4; ++i) chosen[at(open[i].second)] = 1;
  std::vector<BoundChange> next(node.begin(), node.end());
  eachChoice(problem, x, [&](double, auto const& bounds) {
    if (chosen[at(k++)]) bounds([&](auto... change) { next.push_back({change...}); });
  });
  return next;
}

/// All choices made as `x` makes them, or nearly.
std::vector<BoundChange> decidedAt(LinearProgram const& problem, std::vector<double> x) {
  decide(problem, x);
  std::vector<BoundChange> node;
  eachChoice(problem, x, [&](double, auto const& bounds) {
    bounds([&](auto... change) { node.push_back({change...}); });
  });
  return node;
}

}  // namespace

void addProbes(SearchState const& search, Round const& round, NodeAnswers const& answers,
               std::vector<Probe>& probes) {
  LinearProgram const& problem = search.problem;
  bool const allIntegers = search.incumbent.points().allIntegers();
  std::size_t const nodes = round.nodes.size();
  std::vector<double> x;
  auto const isWorth = [&](std::size_t k) {
    Evaluated const& found = answers.found[k];
    return found.end == Evaluated::End::open && found.objective < search.incumbent.cutoff();
  };
  auto const goOn = [&](std::size_t k) {
    if (!isWorth(k)) return;
    search.lps.pointOf(round.answers, k, x);
    std::vector<BoundChange> next = deeper(problem, round.list[k], x);
    bool const completes = next.empty() && !allIntegers;
    if (completes) next = decidedAt(problem, x);
    if (!next.empty()) probes.push_back({std::move(next), round.answers.start[k], completes, 0});
  };
  for (std::size_t p = 0; p < round.probes.size(); ++p) {
    Probe const& probe = round.probes[p];
    if (answers.found[nodes + p].end == Evaluated::End::paused)
      probes.push_back(
          {probe.bounds, round.answers.start[nodes + p], probe.completes, probe.pauses + 1});
    else if (!probe.completes)
      goOn(nodes + p);
  }
  std::size_t const most = std::max<std::size_t>(4, nodes / shareOfDives);
  for (std::size_t k = 0; k < nodes && probes.size() < most; ++k)
    if (answers.promising[k] && answers.found[k].branch.isFractional) goOn(k);
  if (allIntegers) return;
  std::size_t const completions = probes.size() + most;
  for (std::size_t k = 0; k < nodes && probes.size() < completions; ++k) {
    if (!answers.promising[k] || !isWorth(k)) continue;
    search.lps.pointOf(round.answers, k, x);
    probes.push_back({decidedAt(problem, x), round.answers.start[k], true, 0});
  }
}

}  // namespace osi_cuda::search
