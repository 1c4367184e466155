// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace osi_cuda::testing {

/// A tableau in plain sight. Basic variables by row, nonbasic ones by column.
struct PlainTableau {
  struct Variable {
    double value, lower, upper;
  };
  std::function<double(std::size_t, std::size_t)> entry;  ///< T_ij
  std::vector<Variable> basic, nonbasic;
  std::vector<double> reducedCost;
};

/// By column: what the objective gains when its variable moves until it or a basic variable comes
/// to a bound, basic ones relaxed by `harris`; 0 where it can't gain, infinite on a ray.
inline std::vector<double> plainImprovements(PlainTableau const& t, double tolerance,
                                             double harris) {
  std::vector<double> gain(t.nonbasic.size(), 0.0);
  for (std::size_t j = 0; j < gain.size(); ++j) {
    double const d = t.reducedCost[j], up = d < 0.0 ? 1.0 : -1.0;
    auto const& own = t.nonbasic[j];
    double const range = up > 0.0 ? own.upper - own.value : own.value - own.lower;
    if (std::fabs(d) <= tolerance || range <= 0.0 || own.lower == own.upper) continue;
    double step = range;
    for (std::size_t i = 0; i < t.basic.size(); ++i) {
      auto const& x = t.basic[i];
      double const speed = -up * t.entry(i, j);
      if (std::fabs(speed) <= 1e-9) continue;
      double const room = speed > 0.0 ? x.upper - x.value : x.value - x.lower;
      step = std::min(step, (std::max(room, 0.0) + harris) / std::fabs(speed));
    }
    gain[j] = std::fabs(d) * step;
  }
  return gain;
}

}  // namespace osi_cuda::testing
