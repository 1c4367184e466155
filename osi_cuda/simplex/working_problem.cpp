// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/working_problem.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/simplex/perturbation.hpp"

namespace osi_cuda {
namespace {

/// Sizes of perturbations, relative to 1 + |number|: the first one's, smaller from phase to phase
/// so that clean-ups end, larger where a perturbation stalls too.
constexpr double firstSize = 5e-6, nextPhase = 0.3, nextRepetition = 4.0;
constexpr int mostPerturbations = 8;
/// A phase that still stalls after so many repetitions is left to the other algorithm.
constexpr int mostRepetitions = 6;

}  // namespace

bool boundsCross(BoundsView const& bounds) {
  for (std::size_t v = 0; v < bounds.lower.size(); ++v)
    if (bounds.lower[v] > bounds.upper[v] || bounds.lower[v] == infinity ||
        bounds.upper[v] == -infinity)
      return true;
  return false;
}

Bounds& WorkingProblem::ownBounds() {
  auto const [lower, upper] = bounds();
  if (!bounds_) bounds_ = Bounds{{lower.begin(), lower.end()}, {upper.begin(), upper.end()}};
  return *bounds_;
}

void WorkingProblem::send() const {
  sendBounds();
  task_.engine.setCosts(cost());
}

void WorkingProblem::restore() {
  cost_.reset();
  bounds_.reset();
  sendBounds();
  snapToBounds();  // before other costs outdate what the engine knows of the point
  task_.engine.setCosts(cost());
  if (*altered() != '\0') tracer_.change("restore");
  boundsPerturbed_ = costsPerturbed_ = false;
  start_ = Start::asIs;
  repetitions_ = 0;
}

void WorkingProblem::restoreAfterDual() {
  if (*altered() != '\0' || !task_.engine.costsAre(task_.form.cost)) restore();
}

void WorkingProblem::perturb(Algorithm algorithm) {
  bool const again = algorithm == Algorithm::primal ? boundsPerturbed_ : costsPerturbed_;
  repetitions_ = again ? repetitions_ + 1 : 0;
  double const size = firstSize * std::pow(nextPhase, std::min(perturbations_, mostPerturbations)) *
                      std::pow(nextRepetition, repetitions_);
  Snapshot const point = task_.engine.snapshot();
  std::uint64_t const seed =
      task_.options.seed + static_cast<std::uint64_t>(100 * perturbations_ + repetitions_);
  if (!again) ++perturbations_;
  tracer_.perturb(algorithm == Algorithm::dual ? "perturb_costs" : "perturb_bounds", size,
                  perturbations_);
  auto& [lower, upper] = ownBounds();
  if (algorithm == Algorithm::dual) {
    cost_ = perturbCosts(task_.engine.costs(), lower, upper, point, size, seed);
    task_.engine.setCosts(*cost_);
    costsPerturbed_ = true;
    makeDualFeasible(Shifts::allowed);
  } else {
    perturbBounds(lower, upper, point, size, seed);
    sendBounds();
    boundsPerturbed_ = true;
    snapToBounds();
    // Basic variables follow those that went to their new bounds, and would block steps of no
    // length.
    relaxBounds(lower, upper, task_.engine.snapshotOf(SnapshotContent::point), 0.0, seed);
    sendBounds();
  }
}

bool WorkingProblem::mayPerturb(Algorithm algorithm) const {
  bool const perturbed = algorithm == Algorithm::primal ? boundsPerturbed_ : costsPerturbed_;
  return !perturbed && perturbations_ < mostPerturbations;
}

bool WorkingProblem::perturbedInVain() const {
  return repetitions_ >= mostRepetitions;
}

void WorkingProblem::relaxStart() {
  start_ = Start::relaxed;
  auto& [lower, upper] = ownBounds();
  relaxBounds(lower, upper, task_.engine.snapshot(), tolerances_.primal(), task_.options.seed);
  sendBounds();
  tracer_.change("relax_bounds");
}

void WorkingProblem::modifyStart() {
  start_ = Start::modified;
  auto const& [lower, upper] = ownBounds();
  cost_ = modifyCosts(task_.engine.costs(), lower, upper, task_.engine.snapshot(),
                      tolerances_.dual(), task_.options.seed);
  task_.engine.setCosts(*cost_);
  tracer_.change("modify_costs");
}

void WorkingProblem::boxStart() {
  constexpr double wide = 1000.0;
  start_ = Start::boxed;
  Bounds& own = ownBounds();
  for (std::size_t v = 0; v < own.lower.size(); ++v) {
    double &lower = own.lower[v], &upper = own.upper[v];
    bool const below = std::isfinite(lower), above = std::isfinite(upper);
    lower = below ? 0.0 : above ? -1.0 : -wide;
    upper = above ? 0.0 : below ? 1.0 : wide;
  }
  sendBounds();
  snapToBounds();
  makeDualFeasible(Shifts::none);
  tracer_.change("box_bounds");
}

void WorkingProblem::unbox() {
  start_ = Start::asIs;
  bounds_.reset();
  sendBounds();
  Snapshot point = task_.engine.snapshotOf(SnapshotContent::point);
  for (int const variable : point.nonbasicVariable) {
    auto const v = at(variable);
    if (std::isinf(bounds().lower[v]) && std::isinf(bounds().upper[v])) point.value[v] = 0.0;
  }
  task_.engine.setValues(point.value);
  snapToBounds();
  tracer_.change("restore");
}

void WorkingProblem::setPushes(Bounds&& bounds, std::vector<double>&& cost) {
  bounds_ = std::move(bounds);
  cost_ = std::move(cost);
  send();
}

char const* WorkingProblem::altered() const {
  bool const ofBounds = start_ == Start::relaxed || start_ == Start::boxed;
  if (startAltered()) return ofBounds ? "start bounds" : "start costs";
  if (boundsPerturbed_ && costsPerturbed_) return "bounds and costs";
  return boundsPerturbed_ ? "bounds" : costsPerturbed_ ? "costs" : "";
}

// Rounded numbers can leave a problem without a feasible point that its author never doubted, where
// no certificate has room to spare. What is asked for is a point within tolerances: bounds are
// relaxed by a growing share of them, in the problem's own units, and the widened problem is solved
// instead. The verifier knows nothing of it.
bool WorkingProblem::widen() {
  StandardForm const& form = task_.form;
  double const most = 0.5 * task_.options.primalTolerance;
  if (widened_ >= most) return false;
  widened_ = std::min(most, widened_ == 0.0 ? 1e-2 * most : 10.0 * widened_);
  trueBounds_ = Bounds{form.lower, form.upper};
  for (std::size_t v = 0; v < form.lower.size(); ++v) {
    double const factor = std::fabs(form.factor(static_cast<int>(v)));
    auto const share = [&](double bound) { return widened_ * (1.0 / factor + std::fabs(bound)); };
    double const lower = form.lower[v], upper = form.upper[v];
    trueBounds_->lower[v] = std::isinf(lower) ? lower : lower - share(lower);
    trueBounds_->upper[v] = std::isinf(upper) ? upper : upper + share(upper);
  }
  restore();
  return true;
}

void WorkingProblem::snapToBounds() {
  Snapshot point = task_.engine.snapshotOf(SnapshotContent::point);
  BoundsView const present = bounds();
  for (int variable : point.nonbasicVariable) {
    auto const v = at(variable);
    double const lower = present.lower[v], upper = present.upper[v];
    double& x = point.value[v];
    if (std::isinf(lower) && std::isinf(upper)) continue;
    x = x - lower <= upper - x ? lower : upper;
  }
  task_.engine.setValues(point.value);
}

int WorkingProblem::makeDualFeasible(Shifts shifts) {
  Snapshot point = task_.engine.snapshotOf(SnapshotContent::point);
  auto const [lower, upper] = bounds();
  std::vector<double> shifted;
  bool moved = false;
  int left = 0;
  for (int variable : point.nonbasicVariable) {
    auto const v = at(variable);
    double const d = point.reducedCost[v];
    if (std::fabs(d) <= tolerances_.dual() || !(lower[v] < upper[v])) continue;
    double const wanted = d > 0.0 ? lower[v] : upper[v];
    if (std::isfinite(wanted)) {
      moved = moved || point.value[v] != wanted;
      point.value[v] = wanted;
    } else if (shifts == Shifts::allowed) {
      if (shifted.empty()) shifted = task_.engine.costs();
      shifted[v] -= d;
    } else {
      ++left;
    }
  }
  if (!shifted.empty()) {
    cost_ = std::move(shifted);
    costsPerturbed_ = true;
    task_.engine.setCosts(*cost_);
  }
  if (moved) task_.engine.setValues(point.value);
  return left;
}

}  // namespace osi_cuda
