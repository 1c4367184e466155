// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/local_search.hpp"

#include <algorithm>

#include "osi_cuda/search/dives.hpp"

namespace osi_cuda::search {
namespace {

/// Entries that may be looked at before the first branch: so many, and passes over the matrix.
/// Jumps begin anew after some more passes.
constexpr double firstEntries = 1e7, firstPasses = 400.0, passesOfStart = 2000.0;
/// Then some entries for each that pivots change in their tableaus, in a round at most so many. The
/// share grows while better points come, and falls else. Entries of a device cost less.
constexpr double leastShare = 1.0 / 4096.0, mostShare = 1.0 / 16.0, deviceShare = 1.0 / 64.0;
constexpr double mostInRound = 1e7, growth = 2.0, decay = 0.9;

double entriesOf(LinearProgram const& problem) {
  return static_cast<double>(problem.matrix.nonzeros()) + problem.columns();
}

}  // namespace

double LocalSearch::earned(SearchState const& search) {
  double const pivots = static_cast<double>(search.lps.iterations - pivots_);
  pivots_ = search.lps.iterations;
  LinearProgram const& problem = search.problem;
  if (!jumps_) return std::min(firstEntries, firstPasses * entriesOf(problem));
  double const share = search.request.onDevice ? share_ * deviceShare : share_;
  return std::min(mostInRound, share * pivots * problem.rows() * problem.columns());
}

void LocalSearch::beginAt(SearchState& search, Round const& round, NodeAnswers const& answers) {
  std::size_t const none = round.nodes.size();
  std::size_t best = none;
  for (std::size_t k = 0; k < none; ++k)
    if (answers.promising[k] &&
        (best == none || answers.found[k].objective < answers.found[best].objective))
      best = k;
  if (best == none) return;
  if (!jumps_) jumps_.emplace(search.problem, search.options.seed);
  std::vector<double> x;
  search.lps.pointOf(round.answers, best, x);
  jumps_->beginAt(x, search.lower, search.upper);
}

void LocalSearch::afterRound(SearchState& search, Round const& round, NodeAnswers const& answers,
                             std::vector<Probe>& probes) {
  if (!search.problem.choices.empty()) return;
  credit_ += earned(search);
  if (!jumps_ || jumps_->spent() > passesOfStart * entriesOf(search.problem))
    beginAt(search, round, answers);
  if (!jumps_) return;
  PointMaker const& points = search.incumbent.points();
  double const first = search.incumbent.objective();
  bool better = true;
  while (better && credit_ > 0.0) {
    double const last = search.incumbent.objective();
    jumps_->setCutoff(search.incumbent.cutoff());
    double const before = jumps_->spent();
    bool const found = jumps_->work(credit_);
    credit_ -= jumps_->spent() - before;
    if (!found) break;
    std::vector<double> x = jumps_->values();
    if (points.allIntegers())
      points.round(x, true);
    else
      probes.push_back(completion(search, x, false, -1));
    search.incumbent.offer(std::move(x));
    better = search.incumbent.objective() < last;
  }
  bool const gained = search.incumbent.objective() < first;
  share_ = std::clamp(share_ * (gained ? growth : decay), leastShare, mostShare);
}

}  // namespace osi_cuda::search
