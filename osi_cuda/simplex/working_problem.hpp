// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/task.hpp"
#include "osi_cuda/simplex/tolerances.hpp"
#include "osi_cuda/simplex/tracer.hpp"

namespace osi_cuda {

/// By variable, scaled; kept by somebody else.
struct BoundsView {
  std::span<double const> lower, upper;
};
struct Bounds {
  std::vector<double> lower, upper;
  operator BoundsView() const { return {lower, upper}; }  // NOLINT: the same numbers
};
/// Whether a variable has no value: bounds cross, or are infinite on the wrong side.
inline bool boundsCross(BoundsView const& bounds) {
  for (std::size_t v = 0; v < bounds.lower.size(); ++v)
    if (bounds.lower[v] > bounds.upper[v] || bounds.lower[v] == infinity ||
        bounds.upper[v] == -infinity)
      return true;
  return false;
}

/// The bounds and costs that the engine works with, and how they differ for a while from the
/// problem's: perturbed against stalling, relaxed or modified so that a start is feasible.
/// Whatever changes here is sent to the engine, and restore() takes all of it back.
class WorkingProblem {
 public:
  /// All must outlive the object. Bounds and costs are the form's.
  WorkingProblem(Task const& task, Tolerances const& tolerances, Tracer const& tracer)
      : task_(task), tolerances_(tolerances), tracer_(tracer) {}

  BoundsView bounds() const { return bounds_ ? BoundsView(*bounds_) : trueBounds(); }
  BoundsView trueBounds() const { return {task_.form.lower, task_.form.upper}; }
  std::vector<double> const& cost() const { return cost_ ? *cost_ : task_.form.cost; }

  /// Gives the engine the present bounds and costs.
  void send() const {
    sendBounds();
    task_.engine.setCosts(cost());
  }
  /// Gives the engine the problem's own bounds and costs again; nonbasic variables go to them.
  void restore() {
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
  /// The same after a run of the dual, which leaves every nonbasic variable on a bound: where
  /// bounds and costs are the problem's, there is nothing to be done.
  void restoreAfterDual() {
    if (*altered() != '\0' || !task_.engine.costsAre(task_.form.cost)) restore();
  }

  /// Perturbs what the algorithm needs not be true: the primal's bounds, the dual's costs. More
  /// from time to time within a phase, less from phase to phase.
  void perturb(Algorithm algorithm) {
    bool const again = algorithm == Algorithm::primal ? boundsPerturbed_ : costsPerturbed_;
    repetitions_ = again ? repetitions_ + 1 : 0;
    double const size = firstSize *
                        std::pow(nextPhase, std::min(perturbations_, mostPerturbations)) *
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
  /// Whether a phase of mostly degenerate steps is a reason for the first perturbation of it.
  bool mayPerturb(Algorithm algorithm) const {
    bool const perturbed = algorithm == Algorithm::primal ? boundsPerturbed_ : costsPerturbed_;
    return !perturbed && perturbations_ < mostPerturbations;
  }
  bool neverPerturbed() const { return perturbations_ == 0; }
  /// Whether a phase that stalls has been perturbed so often that it is of no use.
  bool perturbedInVain() const { return repetitions_ >= mostRepetitions; }

  /// Bounds that the point violates move beyond it: it is primal feasible then.
  void relaxStart() {
    start_ = Start::relaxed;
    auto& [lower, upper] = ownBounds();
    relaxBounds(lower, upper, task_.engine.snapshot(), tolerances_.primal(), task_.options.seed);
    sendBounds();
    tracer_.change("relax_bounds");
  }
  /// Reduced costs of the wrong sign change it with their costs: the point is dual feasible then.
  void modifyStart() {
    start_ = Start::modified;
    auto const& [lower, upper] = ownBounds();
    cost_ = modifyCosts(task_.engine.costs(), lower, upper, task_.engine.snapshot(),
                        tolerances_.dual(), task_.options.seed);
    task_.engine.setCosts(*cost_);
    tracer_.change("modify_costs");
  }
  /// Bounds [0, 0] for variables with two, [0, 1] and [-1, 0] for those with one, and wide ones for
  /// free variables, which have to become basic: every basis is dual feasible then.
  void boxStart() {
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
  /// Bounds are the problem's again; perturbed costs stay.
  void unbox() {
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
  /// What follows until restore() is on the way from a point that is no vertex.
  void beginPushes() { start_ = Start::pushed; }
  /// Bounds and costs of the next pushes.
  void setPushes(Bounds&& bounds, std::vector<double>&& cost) {
    bounds_ = std::move(bounds);
    cost_ = std::move(cost);
    send();
  }

  enum class Shifts { none, allowed };
  /// Nonbasic variables go to the bound that their reduced cost asks for. Where that bound is
  /// infinite the cost is shifted, if allowed, so that the reduced cost is zero. Returns how many
  /// are left.
  int makeDualFeasible(Shifts shifts) {
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
  /// Every nonbasic variable to its nearer bound; free ones stay where they are.
  void snapToBounds() {
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

  bool startAltered() const { return start_ != Start::asIs; }
  bool boundsPerturbed() const { return boundsPerturbed_; }
  bool costsPerturbed() const { return costsPerturbed_; }
  /// Which numbers are not the problem's, in words; "" where all are.
  char const* altered() const {
    bool const ofBounds = start_ == Start::relaxed || start_ == Start::boxed;
    if (startAltered()) return ofBounds ? "start bounds" : "start costs";
    if (boundsPerturbed_ && costsPerturbed_) return "bounds and costs";
    return boundsPerturbed_ ? "bounds" : costsPerturbed_ ? "costs" : "";
  }

 private:
  /// Sizes of perturbations, relative to 1 + |number|: the first one's, smaller from phase to phase
  /// so that clean-ups end, larger where a perturbation stalls too.
  static constexpr double firstSize = 5e-6, nextPhase = 0.3, nextRepetition = 4.0;
  static constexpr int mostPerturbations = 8;
  /// A phase that still stalls after so many repetitions is left to the other algorithm.
  static constexpr int mostRepetitions = 6;

  /// What was done for the start to be feasible.
  enum class Start { asIs, relaxed, modified, boxed, pushed };

  /// The present ones, to be changed.
  Bounds& ownBounds() {
    auto const [lower, upper] = bounds();
    if (!bounds_) bounds_ = Bounds{{lower.begin(), lower.end()}, {upper.begin(), upper.end()}};
    return *bounds_;
  }
  void sendBounds() const { task_.engine.setBounds(bounds().lower, bounds().upper); }

  Task const& task_;
  Tolerances const& tolerances_;
  Tracer const& tracer_;
  std::optional<Bounds> bounds_;  ///< nothing: they are the form's
  std::optional<std::vector<double>> cost_;
  Start start_ = Start::asIs;
  bool boundsPerturbed_ = false;
  bool costsPerturbed_ = false;
  int perturbations_ = 0;  ///< first ones of a phase
  int repetitions_ = 0;    ///< of the present phase's perturbation
};

}  // namespace osi_cuda
