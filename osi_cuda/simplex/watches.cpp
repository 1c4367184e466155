// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/stall_watch.hpp"

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

}  // namespace osi_cuda
