// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/watches.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {

void StallWatch::reset() {
  degenerateRun_ = 0;
  withoutGain_ = 0;
  bestMerit_ = infinity;
}

void StallWatch::observe(PivotReport const& report, double merit) {
  bool const mostlyDegenerate = report.iterations > 0 && 4 * report.degenerate > report.iterations;
  degenerateRun_ = mostlyDegenerate ? degenerateRun_ + report.iterations : 0;
  if (merit < bestMerit_ - 1e-12 * std::fabs(bestMerit_) || bestMerit_ == infinity) {
    bestMerit_ = merit;
    withoutGain_ = 0;
  } else {
    withoutGain_ += report.iterations;
  }
}

// Numbers that were enough for the problems of docs/evidence/netlib.md and
// docs/evidence/reliability.md. Brief: the precise engine takes about as long for a pivot as a
// tableau of some 100,000 entries.
bool RoundWatch::mayGoOn(int round) const {
  if (counts_.iterations > enough_) return false;
  bool const brief = task_.effort == Effort::brief || task_.effort == Effort::resumed;
  if (!brief) return round < 60 && stuck_ < 12 && fruitless_ < 16;
  std::int64_t const size = task_.form.variables();
  return round < 12 && stuck_ < 2 && fruitless_ < 2 && failedProofs_ < 2 &&
         counts_.iterations < 3000 + 30 * size;
}

// Primal and dual may take turns, each removing what the other left; but unless the point gets
// nearer to being optimal from turn to turn, they will do so for ever.
bool RoundWatch::gaining(Algorithm next, Measure const& measure) {
  double& smallest = smallestViolation_[next == Algorithm::primal ? 0 : 1];
  double const violation = measure.primalMax + measure.dualMax;
  if (violation < 0.5 * smallest) {
    smallest = violation;
    return true;
  }
  ++fruitless_;
  return mayGoOn();
}

// Two products with A are cheap beside the pivots of a launch, unless A is dense: then they wait
// for as many pivots as make them so. A matter of sizes, not of time: runs have to be repeatable.
// Launches of a single pivot are not looked at more often than others.
std::int64_t DriftWatch::interval() const {
  std::int64_t const cheap = std::min<std::int64_t>(task_.form.nonzeros() / 25000, 2000);
  bool const single = ruleOf(task_.options.pricing).wholeSteps;
  return single ? std::max<std::int64_t>(cheap, task_.engine.traits().blockSize) : cheap;
}

bool DriftWatch::look(std::int64_t iterations) {
  if (!dueBy(iterations)) return false;
  lastLook_ = iterations;
  return true;
}

// Sums of very many terms carry more rounding; and what a fresh tableau has, another one would have
// as well.
bool DriftWatch::tooFar(Drift const& drift, bool costsOfPhase1) const {
  double const smallest = std::max(1e-9, 2e-13 * task_.form.variables());
  auto const tolerated = [&](double fresh) {
    return std::max(smallest, std::min(5.0 * fresh, 1e-7));
  };
  return drift.primal > tolerated(fresh_.primal) ||
         (!costsOfPhase1 && drift.dual > tolerated(fresh_.dual));
}

}  // namespace osi_cuda
