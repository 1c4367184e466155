// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/stop_rule.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {

double distanceOf(BarrierState const& state) {
  return std::max({state.primalResidual, state.dualResidual, state.gap});
}

char const* toString(BarrierEnd end) {
  switch (end) {
    case BarrierEnd::converged:
      return "converged";
    case BarrierEnd::handover:
      return "handover";
    case BarrierEnd::diverged:
      return "diverged";
    case BarrierEnd::stalled:
      return "stalled";
    case BarrierEnd::stopped:
      return "stopped";
  }
  return "stopped";
}

std::optional<BarrierEnd> StopRule::look(BarrierState const& state) {
  if (distanceOf(state) <= request_.tolerance) return BarrierEnd::converged;
  if (state.iteration >= request_.iterationLimit) return BarrierEnd::stopped;
  if (request_.handover && finishesSoonerByPivots(state)) return BarrierEnd::handover;
  if (diverges(state)) return BarrierEnd::diverged;
  if (gainsNothing(state)) return BarrierEnd::stalled;
  return std::nullopt;
}

// Dense problems: what was measured at 5000 x 2500 are 1938, 80 and 4 pivots at distances of 1e-2,
// 1e-4 and 1e-6 (docs/performance.md). Sparse ones are degenerate, and the sides of their variables
// show late. An iteration gains about a digit: where it saves less than it takes, pivots are next.
bool StopRule::finishesSoonerByPivots(BarrierState const& state) const {
  constexpr double near = 1e-2, digit = 0.1;
  double const distance = distanceOf(state);
  if (distance > near || state.iteration < 3) return false;
  auto const pivots = [&](double d) {
    return dense_ ? 6.0 * variables_ * std::pow(d, 0.68) : variables_ * std::pow(d, 0.25);
  };
  double const saved = pivots(distance) - pivots(digit * distance);
  return saved * request_.pivotSeconds <= iterationSeconds_;
}

// Of a problem without a feasible point the multipliers grow along a direction in which the dual
// objective grows without end, far beyond the primal one; of an unbounded problem, the point.
bool StopRule::diverges(BarrierState const& state) const {
  constexpr double huge = 1e12, certain = 1e8, beyond = 1e3, infeasible = 1e-6;
  if (state.largestPoint > huge || state.largestMultiplier > huge) return true;
  double const size = certain * (1.0 + costSize_);
  double const primal = state.primalObjective, dual = state.dualObjective;
  bool const dualRay =
      state.primalResidual > infeasible && dual > size && dual > beyond * std::fabs(primal);
  bool const primalRay =
      state.dualResidual > infeasible && -primal > size && -primal > beyond * std::fabs(dual);
  return dualRay || primalRay;
}

// Progress is whatever falls: a residual, or the complementarity.
bool StopRule::gainsNothing(BarrierState const& state) {
  constexpr int patience = 15, mostShort = 5;
  constexpr double shortStep = 1e-4;
  ++since_;
  auto const falls = [this](double& best, double now) {
    if (!(now < 0.9 * best)) return;
    best = now;
    since_ = 0;
  };
  constexpr double smallestMu = 1e-14;  // below, it falls whatever the iterate is worth
  falls(bestMu_, std::max(state.mu, smallestMu));
  falls(bestPrimal_, std::max(state.primalResidual, request_.tolerance));
  falls(bestDual_, std::max(state.dualResidual, request_.tolerance));
  bool const moved = std::max(state.primalStep, state.dualStep) > shortStep;
  shortSteps_ = moved || state.iteration == 0 ? 0 : shortSteps_ + 1;
  return since_ >= patience || shortSteps_ >= mostShort || !std::isfinite(distanceOf(state));
}

}  // namespace osi_cuda
