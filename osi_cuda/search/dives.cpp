// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/dives.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::search {
namespace {

/// One of so many nodes is a dive.
constexpr std::size_t shareOfDives = 8;

void decideIn(std::vector<BoundChange>& node, LinearProgram const& problem, Choice const& choice,
              std::span<double const> x) {
  decideAsAt(problem, choice, x, [&](int column, bool upper, double value) {
    node.push_back({column, upper, value});
  });
}

/// The node with some more choices decided, at least one. Empty: none is open.
std::vector<BoundChange> deeper(LinearProgram const& problem, std::span<Choice const> choices,
                                std::span<BoundChange const> node, std::span<double const> x) {
  std::vector<std::pair<double, std::size_t>> open;
  for (std::size_t k = 0; k < choices.size(); ++k)
    if (double const off = offBy(problem, choices[k], x); off > wholeTolerance)
      open.emplace_back(off, k);
  if (open.empty()) return {};
  std::ranges::sort(open);
  std::vector<BoundChange> next(node.begin(), node.end());
  for (std::size_t k = 0; k < (open.size() + 3) / 4; ++k)
    decideIn(next, problem, choices[open[k].second], x);
  return next;
}

/// All choices made as `x` makes them, or nearly.
std::vector<BoundChange> decidedAt(LinearProgram const& problem, std::span<Choice const> choices,
                                   std::vector<double> x) {
  decide(problem, choices, x);
  std::vector<BoundChange> node;
  for (Choice const& choice : choices) decideIn(node, problem, choice, x);
  return node;
}

}  // namespace

void addProbes(SearchState const& search, Round const& round, NodeAnswers const& answers,
               std::vector<Probe>& probes) {
  LinearProgram const& problem = search.problem;
  bool const allIntegers = search.incumbent.points().allIntegers();
  std::vector<Choice> const& choices = search.incumbent.points().choices();
  std::size_t const nodes = round.nodes.size();
  std::vector<double> x;
  auto const isWorth = [&](std::size_t k) {
    Evaluated const& found = answers.found[k];
    return found.end == Evaluated::End::open && found.objective < search.incumbent.cutoff();
  };
  auto const goOn = [&](std::size_t k) {
    if (!isWorth(k)) return;
    search.lps.pointOf(round.answers, k, x);
    std::vector<BoundChange> next = deeper(problem, choices, round.list[k], x);
    bool const completes = next.empty() && !allIntegers;
    if (completes) next = decidedAt(problem, choices, x);
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
    probes.push_back({decidedAt(problem, choices, x), round.answers.start[k], true, 0});
  }
}

}  // namespace osi_cuda::search
