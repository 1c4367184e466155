// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/watches.hpp"

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

}  // namespace osi_cuda
