// SPDX-License-Identifier: EPL-2.0
// What the runs of host and device begin and end with; part of the module of kernels as well.
#include <algorithm>
#include <cmath>

#include "examples/textbook/first_tableau.hpp"

namespace osi_cuda::textbook {

Settings settingsOf(FirstTableau const& t, Variant const& variant, Limits const& limits) {
  // Far above the rounding errors of the precision, far below what counts.
  bool const doubles = variant.precision == Precision::doubles;
  double const small = doubles ? 1e-9 : 1e-5;
  Settings s;
  s.seed = limits.seed;
  s.pivotLimit = limits.pivots;
  constexpr double aYear = 3e7;
  s.nanoseconds = std::int64_t(1e9 * std::min(limits.seconds, aYear));
  s.firstArtificial = t.n + t.m;
  s.pivotTolerance = small * t.largestEntry;
  s.phase1Tolerance = small * t.largestPhase1Cost;
  s.phase2Tolerance = small * t.largestCost;
  s.feasibility = 10.0 * small * (1.0 + std::abs(t.at(t.m + 1, 0)));
  s.greatest = variant.rule != Rule::largest;
  s.twoBuffers = variant.buffers == Buffers::two;
  return s;
}

State stateOf(FirstTableau const& t) {
  State s;
  s.columns = t.columns;
  s.artificials = t.artificials;
  s.phase = t.artificials > 0 ? 1 : 2;
  return s;
}

std::vector<double> valuesOf(FirstTableau const& t, std::vector<int> const& basic,
                             std::vector<double> const& value) {
  std::vector<double> x(std::size_t(t.n), 0.0);
  for (int i = 1; i <= t.m; ++i)
    if (basic[i] < t.n) x[basic[i]] = value[i];
  return x;
}

}  // namespace osi_cuda::textbook
