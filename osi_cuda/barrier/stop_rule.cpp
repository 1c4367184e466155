// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/stop_rule.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {
namespace {

/// What is left to do, as one number.
double distanceOf(BarrierState const& state) {
  return std::max({state.primalResidual, state.dualResidual, state.gap});
}

}  // namespace

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

// A basis that is read off the iterate is wrong in about as many variables as still change sides
// from one iterate to the next, and each of them is a pivot: where these take less time than one
// more iteration, that iteration does not pay.
bool StopRule::finishesSoonerByPivots(BarrierState const& state) const {
  constexpr double near = 1e-2;  // farther off, variables keep their sides because steps are short
  if (distanceOf(state) > near || state.iteration < 3) return false;
  return state.changes * request_.pivotSeconds <= iterationSeconds_;
}

// Of a problem without a feasible point the multipliers grow along a direction in which the dual
// objective grows without end; of an unbounded one, the point.
bool StopRule::diverges(BarrierState const& state) const {
  constexpr double huge = 1e12, certain = 1e8, infeasible = 1e-5;
  if (state.largestPoint > huge || state.largestMultiplier > huge) return true;
  double const size = 1.0 + costSize_;
  bool const dualRay = state.primalResidual > infeasible && state.dualObjective > certain * size;
  bool const primalRay = state.dualResidual > infeasible && -state.primalObjective > certain * size;
  return state.iteration >= 5 && (dualRay || primalRay);
}

bool StopRule::gainsNothing(BarrierState const& state) {
  constexpr int patience = 20, mostShort = 5;
  constexpr double shortStep = 1e-4;
  double const distance = distanceOf(state);
  if (distance < 0.9 * best_) {
    best_ = distance;
    since_ = 0;
  } else {
    ++since_;
  }
  bool const moved = std::max(state.primalStep, state.dualStep) > shortStep;
  shortSteps_ = moved || state.iteration == 0 ? 0 : shortSteps_ + 1;
  return since_ >= patience || shortSteps_ >= mostShort || !std::isfinite(distance);
}

}  // namespace osi_cuda
