// SPDX-License-Identifier: EPL-2.0
// From a point that is no vertex to one that is: what an interior point method leaves behind.
#include <algorithm>
#include <cmath>

#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {
namespace {

bool between(double x, double lower, double upper) {
  return x > lower && x < upper && (std::isfinite(lower) || std::isfinite(upper));
}

/// A cost that draws x to the nearer bound; random, so that no two are alike.
double pullOf(double x, double lower, double upper, std::uint64_t seed, int variable) {
  double const share = static_cast<double>(rules::randomTie(seed, 0, variable)) * 0x1p-32;
  return (x - lower <= upper - x ? 1.0 : -1.0) * (0.5 + 0.5 * share);
}

}  // namespace

// The primal pushes of Megiddo (1991) and Bixby and Saltzman (1994), by the ordinary primal pivots:
// a nonbasic variable that is strictly between its bounds gets a cost that draws it to the nearer
// one; all others have none, so that only such variables enter, and each goes to its bound or into
// the basis. In the basis it needs to be drawn no more, and what left for it has to stay: so runs
// are short, and costs and bounds are set anew between them. Bounds of basic variables give way
// where the point violates them.
Stop Simplex::pushToBounds(std::vector<double> const& value) {
  Snapshot point = engine_.snapshot();
  for (int variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    if (between(value[v], lower_[v], upper_[v])) point.value[v] = value[v];
  }
  engine_.setValues(point.value);
  relaxBounds(lower_, upper_, engine_.snapshot(), primalTolerance_, options_.seed);
  Room const room{lower_, upper_};
  tracer_.change("push");
  startAltered_ = true;
  constexpr int shortest = 16, longest = 256, mostInVain = 3;
  int left = form_.variables() + 1, inVain = 0;
  Stop stop = Stop::optimal;
  for (;;) {
    if (limitReached()) {
      stop = Stop::interrupted;
      break;
    }
    int const before = left;
    left = pullBetween(room);
    inVain = left < before ? 0 : inVain + 1;
    if (left == 0 || inVain >= mostInVain) break;
    engine_.computeWeights(Algorithm::primal, Pricing::dantzig);
    PivotRequest request =
        makeRequest(Algorithm::primal, Phase::two, {pivotTolerance_, relativePivot_});
    request.pricing = Pricing::dantzig;
    request.budget = std::min(request.budget, std::clamp(left / 4, shortest, longest));
    running_ = Algorithm::primal;
    runningPhase_ = Phase::two;
    last_ = engine_.run(request);
    account(request, last_, "push");
    if (last_.stop == Stop::unstable && pivotsSinceRefactor_ > 0) refactor();
    if (dueForCheck() && tooFarFromData(false)) {
      refactor();
      freshDrift_ = engine_.drift();
    }
  }
  removePerturbation();
  return stop;
}

// Costs and bounds for the next pushes. Returns how many variables are left to be pushed.
int Simplex::pullBetween(Room const& room) {
  Snapshot const point = engine_.snapshot();
  lower_ = room.lower;
  upper_ = room.upper;
  std::fill(cost_.begin(), cost_.end(), 0.0);
  int left = 0;
  for (int variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    double const x = point.value[v];
    if (between(x, trueLower_[v], trueUpper_[v])) {
      cost_[v] = pullOf(x, lower_[v], upper_[v], options_.seed, variable);
      ++left;
    } else {
      lower_[v] = upper_[v] = x;
    }
  }
  if (left == 0) return 0;
  engine_.setBounds(lower_, upper_);
  engine_.setCosts(cost_);
  return left;
}

}  // namespace osi_cuda
