// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/search_state.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/base/concat.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/workers.hpp"

namespace osi_cuda::search {
namespace {

/// Nodes of a round: on the processor few enough that most are needed, on a device many enough to
/// fill it, as far as their points fit in `mostNumbers`.
constexpr int hostBatch = 32, deviceBatch = 8192;
constexpr double mostNumbers = 3e7;

int batchOf(SearchRequest const& request) {
  if (request.options.searchBatch > 0) return request.options.searchBatch;
  if (!request.onDevice) return hostBatch;
  double const numbers = request.problem.columns() + request.problem.rows() + 1.0;
  return static_cast<int>(std::clamp(mostNumbers / numbers, 256.0, double{deviceBatch}));
}

Options lpOptions(Options options) {
  options.objectiveLimit = infinity;
  options.timeLimit = Options().timeLimit;
  options.iterationLimit = Options().iterationLimit;
  options.oneOfMany = true;
  return options;
}

}  // namespace

SearchState::SearchState(SearchRequest const& request)
    : request(request),
      problem(request.problem),
      options(request.options),
      batch(at(batchOf(request))),
      threads(std::min(options.threads > 0 ? options.threads : batch::allThreads(),
                       static_cast<int>(batch))),
      lower(problem.columnLower),
      upper(problem.columnUpper),
      incumbent(problem, options),
      costs(problem),
      lps(problem, request.basis, lpOptions(options), request.onDevice),
      pool(static_cast<std::size_t>(options.searchMemory * 1e6 * (1.0 - shareOfStarts))),
      tree(request.callbacks.tree, request.rows) {
  NodeProver const prover(problem);
  provers.assign(at(threads), prover);
  interrupted = [this] { return watch(); };
  incumbent.whenTaken = [this] {
    improved = true;
    if (this->request.callbacks.incumbent)
      this->request.callbacks.incumbent(progress(), incumbent.values());
  };
  tree.begin(problem.columns(), request.givenRows);
  lps.leavesOut = true;
  for (int j = 0; j < problem.columns(); ++j) {
    double const least = prover.bounds().columnLower[at(j)];
    double const most = prover.bounds().columnUpper[at(j)];
    if (least != lower[at(j)]) tree.implied({j, false, least});
    if (most != upper[at(j)]) tree.implied({j, true, most});
    lps.leavesOut = lps.leavesOut && most - least < infinity;
  }
}

bool SearchState::watch() {
  constexpr double pause = 0.1;
  if (request.callbacks.search && watch_.seconds() > told_ + pause) {
    told_ = watch_.seconds();
    request.callbacks.search(progress());
  }
  if (!interruptedNow) interruptedNow = request.interrupted && request.interrupted();
  return interruptedNow;
}

SearchProgress SearchState::progress() const {
  SearchProgress now{.seconds = watch_.seconds(), .nodes = nodes};
  if (!incumbent.empty()) now.objective = incumbent.objective();
  now.bound = boundNow;
  return now;
}

SavedSearch SearchState::saved() const {
  SavedSearch now;
  now.nodes = nodes;
  now.iterations = iterationsBefore_ + lps.iterations;
  now.solves = lps.solves;
  now.doubts = doubts;
  now.seconds = secondsBefore_ + watch_.seconds();
  now.closed = closed;
  now.absoluteGap = options.absoluteGap;
  now.relativeGap = options.relativeGap;
  now.trusts = trusts;
  now.point = incumbent.values();
  for (int j = 0; j < problem.columns(); ++j) {
    double const low = lower[at(j)], high = upper[at(j)];
    if (low != problem.columnLower[at(j)]) now.everywhere.push_back({j, false, low});
    if (high != problem.columnUpper[at(j)]) now.everywhere.push_back({j, true, high});
  }
  costs.save(now);
  pool.save(now);
  return now;
}

void SearchState::resume(SavedSearch const& before) {
  if (!pool.restore(before))
    throw std::invalid_argument(concat("the checkpoint has ", before.tree.size(),
                                       " nodes, too many for this search-memory"));
  if (before.absoluteGap != options.absoluteGap || before.relativeGap != options.relativeGap)
    throw std::invalid_argument(concat("the checkpoint is of a search with absolute-gap ",
                                       before.absoluteGap, " and relative-gap ",
                                       before.relativeGap));
  nodes = before.nodes;
  doubts = before.doubts;
  lps.solves = before.solves;
  closed = before.closed;
  trusts = before.trusts;
  lps.leavesOut = lps.leavesOut && !trusts;
  iterationsBefore_ = before.iterations;
  secondsBefore_ = before.seconds;
  costs.restore(before);
  if (!before.point.empty()) incumbent.offer(before.point);
  if (!before.point.empty() && incumbent.empty())
    throw std::invalid_argument("the checkpoint's point misses bounds by more than is allowed now");
  for (SavedSearch::Change const& change : before.everywhere)
    tighten({change.column, change.upper, change.value});
  improved = true;
}

void SearchState::tighten(BoundChange const& change) {
  for (NodeProver& prover : provers) prover.tighten(change);
  lps.tighten(change);
  (change.upper ? upper : lower)[at(change.column)] = change.value;
  fixed += lower[at(change.column)] == upper[at(change.column)] && lps.has(change.column);
}

void SearchState::fixColumns(std::vector<double> const& y) {
  double const cutoff = incumbent.cutoff();
  if (incumbent.empty() || y.empty() || !std::isfinite(cutoff)) return;
  std::vector<BoundChange> const found = provers.front().boundsBelow(cutoff, y);
  if (found.empty()) return;
  std::int64_t const multipliers = tree.multipliers(y);
  close(cutoff);
  for (BoundChange const& change : found) {
    tree.fix(change, multipliers);
    tighten(change);
  }
}

std::vector<double> SearchState::multipliersOf(BatchResults const& answers, std::size_t k) const {
  std::vector<double> y = lps.multipliersOf(answers, k);
  provers.front().clean(y);
  return y;
}

bool SearchState::chooseBranch(NodeProver& prover, std::span<BoundChange const> node,
                               std::span<double const> x, Branch& branch) const {
  bool const open = prover.enter(node);
  if (open) branch = costs.choose(x, prover.bounds());
  prover.leave();
  return open;
}

}  // namespace osi_cuda::search
