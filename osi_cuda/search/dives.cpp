// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/dives.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::search {
namespace {

/// One of so many nodes is a dive.
constexpr std::size_t shareOfDives = 8;

void fix(std::vector<BoundChange>& node, int column, double value) {
  node.push_back({column, false, value});
  node.push_back({column, true, value});
}

/// The node with some more integer columns fixed, at least one. Empty: none is fractional.
std::vector<BoundChange> deeper(LinearProgram const& problem, std::span<BoundChange const> node,
                                std::span<double const> x) {
  std::vector<std::pair<double, int>> fractional;
  for (int j = 0; j < problem.columns(); ++j) {
    double const off = std::fabs(x[at(j)] - std::round(x[at(j)]));
    if (problem.integer[at(j)] && off > wholeTolerance) fractional.emplace_back(off, j);
  }
  if (fractional.empty()) return {};
  std::ranges::sort(fractional);
  std::vector<BoundChange> next(node.begin(), node.end());
  for (std::size_t k = 0; k < (fractional.size() + 3) / 4; ++k)
    fix(next, fractional[k].second, std::round(x[at(fractional[k].second)]));
  return next;
}

/// All integer columns fixed at their values in `x`, rounded.
std::vector<BoundChange> fixedAt(LinearProgram const& problem, std::span<double const> x) {
  std::vector<BoundChange> node;
  for (int j = 0; j < problem.columns(); ++j)
    if (problem.integer[at(j)]) fix(node, j, std::round(x[at(j)]));
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
    if (completes) next = fixedAt(problem, x);
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
    probes.push_back({fixedAt(problem, x), round.answers.start[k], true, 0});
  }
}

}  // namespace osi_cuda::search
