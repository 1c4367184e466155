// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/drift_watch.hpp"

#include <algorithm>

namespace osi_cuda {

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
