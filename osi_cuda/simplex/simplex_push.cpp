// SPDX-License-Identifier: EPL-2.0
// From a point that is no vertex to one that is: what an interior point method leaves behind.
#include <algorithm>
#include <cmath>

#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {

// The primal pushes of Megiddo (1991) and Bixby and Saltzman (1994), by the ordinary primal pivots:
// each nonbasic variable that is strictly between its bounds gets a cost that draws it to the
// nearer one, nonbasic variables at a bound are held there, and the bounds of basic ones give way
// where the point violates them. Random costs leave no variable between its bounds at the end.
Stop Simplex::pushToBounds(std::vector<double> const& value) {
  Snapshot point = engine_.snapshot();
  std::vector<double> pulls(value.size(), 0.0);
  int between = 0;
  for (int variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    double const lower = lower_[v], upper = upper_[v], x = value[v];
    if (!(x > lower && x < upper)) continue;
    if (std::isinf(lower) && std::isinf(upper)) continue;  // has no bound to rest on
    point.value[v] = x;
    ++between;
    double const share = static_cast<double>(rules::randomTie(options_.seed, 0, variable)) * 0x1p-32;
    pulls[v] = (x - lower <= upper - x ? 1.0 : -1.0) * (0.5 + 0.5 * share);
  }
  if (between == 0) return Stop::optimal;
  engine_.setValues(point.value);
  point = engine_.snapshot();
  for (int variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    if (pulls[v] == 0.0) lower_[v] = upper_[v] = point.value[v];
  }
  relaxBounds(lower_, upper_, point, primalTolerance_, options_.seed);
  cost_ = std::move(pulls);
  startAltered_ = true;
  engine_.setBounds(lower_, upper_);
  engine_.setCosts(cost_);
  tracer_.change("push");
  Stop const stop = iterate(Algorithm::primal, Phase::two, "push");
  removePerturbation();
  return stop;
}

}  // namespace osi_cuda
