// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/stop_rule.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "osi_cuda/barrier/crossover.hpp"

namespace osi_cuda {

double distanceOf(BarrierState const& state) {
  return std::max({state.primalResidual, state.dualResidual, state.gap});
}

char const* toString(BarrierEnd end) {
  constexpr char const* words[] = {"converged", "handover", "diverged", "stalled", "stopped"};
  static_assert(std::size(words) == static_cast<std::size_t>(BarrierEnd::stopped) + 1);
  return words[static_cast<std::size_t>(end)];
}

std::optional<BarrierEnd> StopRule::look(BarrierState const& state) {
  if (distanceOf(state) <= request_.tolerance) return BarrierEnd::converged;
  if (state.iteration >= request_.iterationLimit) return BarrierEnd::stopped;
  if (request_.handover && finishesSoonerByPivots(state)) return BarrierEnd::handover;
  if (diverges(state)) return BarrierEnd::diverged;
  if (gainsNothing(state)) return BarrierEnd::stalled;
  return std::nullopt;
}

// Dense problems: pivots repair variables that the point has on the wrong side, which are the fewer
// the further the stiffness of basic and of nonbasic variables are apart. The gap is no measure of
// it: where all good points cost nearly the same, it is small before any side is known. Nor are
// residuals, which grow again where a direction is off by rounding, and change no side. Pivots were
// counted from every iteration in nine families of 900 to 7200 variables; three counts of four are
// within twice and half the law with 20 in place of 30 (docs/evidence/dense.md). An iteration too
// many takes less than pivots that are twice as many. Sparse problems are degenerate, and the sides
// of their variables show late: what is handed over too soon may wander among the bases of a vertex
// without an end. Where the next iteration saves less than it takes, pivots are next; it brings the
// distance to a sixth, or a tenth where the problem is sparse.
bool StopRule::finishesSoonerByPivots(BarrierState const& state) const {
  constexpr double near = 1e-2, usual = 7500.0;
  double distance = distanceOf(state);
  if (distance > near || state.iteration < 3) return false;
  if (dense_) {
    auto const [basic, nonbasic] = middleStiffness(point_().stiffness, rows_);
    distance = std::sqrt(basic / nonbasic);
  }
  auto const pivots = [&](double d) {
    return dense_ ? 30.0 * usual * std::pow(variables_ / usual, 1.6) * std::pow(d, 0.68)
                  : 300.0 * variables_ * std::sqrt(d);
  };
  double const nearer = dense_ ? 0.17 : 0.1;
  double const saved = pivots(distance) - pivots(nearer * distance);
  return saved * request_.pivotSeconds <= iterationSeconds_;
}

// The ray test. Multipliers y and z >= 0 of the bounds with the dual objective D say of every
// feasible point x that D <= (A'y + z)'x = (c - r)'x, r being the dual residual: so its sum of
// sizes is at least D / max |c - r|. Where that is 1e5 beyond twice what the bounds ask for
// anyway, (y, z) / D is nearly a proof that there is none; scaled numbers are near 1. In the same
// way a point whose objective -P is low beyond all bounds and residuals is nearly a ray, to which
// no dual feasible point smaller than that belongs. As long as the other side still gets feasible,
// an objective may just be large. A wrong guess costs pivots, no answer: the simplex method goes on
// from there and proves whatever is true.
bool StopRule::diverges(BarrierState const& state) const {
  constexpr double huge = 1e12, certain = 1e5, twice = 2.0, beyond = 10.0, infeasible = 1e-6;
  if (state.largestPoint > huge || state.largestMultiplier > huge) return true;
  double const primal = state.primalObjective, dual = state.dualObjective;
  double const aside = 1.0 + costSize_ + state.dualResidual * (1.0 + costSize_);
  double const outside = 1.0 + boundSize_ + state.primalResidual * (1.0 + boundSize_);
  bool const dualRay = state.primalResidual > infeasible &&
                       dual > (certain + twice * asked_) * aside &&
                       dual > beyond * std::fabs(primal);
  bool const primalRay = state.dualResidual > infeasible && -primal > certain * outside &&
                         -primal > beyond * std::fabs(dual);
  return dualRay || primalRay;
}

// Progress is whatever falls: a residual, or the complementarity, unless the gap is a hundred times
// that and so what residuals make of it; to wait then is worth a quarter.
bool StopRule::gainsNothing(BarrierState const& state) {
  constexpr int patience = 15, mostShort = 5;
  constexpr double shortStep = 1e-4;
  double const spread = 0.01 * state.gap * (1.0 + std::fabs(state.primalObjective)) / variables_;
  since_ += state.mu < spread ? 4 : 1;
  auto const falls = [this](double& best, double now) {
    if (!(now < 0.9 * best)) return;
    best = now;
    since_ = 0;
  };
  constexpr double smallestMu = 1e-14;  // below, it falls whatever the iterate is worth
  falls(bestMu_, std::max({state.mu, spread, smallestMu}));
  falls(bestPrimal_, std::max(state.primalResidual, request_.tolerance));
  falls(bestDual_, std::max(state.dualResidual, request_.tolerance));
  bool const moved = std::max(state.primalStep, state.dualStep) > shortStep;
  shortSteps_ = moved || state.iteration == 0 ? 0 : shortSteps_ + 1;
  return since_ >= patience || shortSteps_ >= mostShort || !std::isfinite(distanceOf(state));
}

}  // namespace osi_cuda
