// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

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
bool boundsCross(BoundsView const& bounds);

/// The bounds and costs that the engine works with, and how they differ for a while from the
/// problem's: perturbed against stalling, relaxed or modified so that a start is feasible, widened
/// where rounded numbers leave no feasible point. Whatever changes here is sent to the engine, and
/// restore() takes all of it back but the widening.
class WorkingProblem {
 public:
  /// All must outlive the object. Bounds and costs are the form's.
  WorkingProblem(Task const& task, Tolerances const& tolerances, Tracer const& tracer)
      : task_(task), tolerances_(tolerances), tracer_(tracer) {}

  BoundsView bounds() const { return bounds_ ? BoundsView(*bounds_) : trueBounds(); }
  /// The form's, unless widened.
  BoundsView trueBounds() const {
    return trueBounds_ ? BoundsView(*trueBounds_) : BoundsView{task_.form.lower, task_.form.upper};
  }
  std::vector<double> const& cost() const { return cost_ ? *cost_ : task_.form.cost; }

  /// Gives the engine the present bounds and costs.
  void send() const;
  /// Gives the engine the problem's own bounds and costs again; nonbasic variables go to them.
  void restore();
  /// The same after a run of the dual, which leaves every nonbasic variable on a bound: where
  /// bounds and costs are the problem's, there is nothing to be done.
  void restoreAfterDual();

  /// Perturbs what the algorithm needs not be true: the primal's bounds, the dual's costs. More
  /// from time to time within a phase, less from phase to phase.
  void perturb(Algorithm algorithm);
  /// Whether a phase of mostly degenerate steps is a reason for the first perturbation of it.
  bool mayPerturb(Algorithm algorithm) const;
  bool neverPerturbed() const { return perturbations_ == 0; }
  /// Whether a phase that stalls has been perturbed so often that it is of no use.
  bool perturbedInVain() const;

  /// Bounds that the point violates move beyond it: it is primal feasible then.
  void relaxStart();
  /// Reduced costs of the wrong sign change it with their costs: the point is dual feasible then.
  void modifyStart();
  /// Bounds [0, 0] for variables with two, [0, 1] and [-1, 0] for those with one, and wide ones for
  /// free variables, which have to become basic: every basis is dual feasible then.
  void boxStart();
  /// Bounds are the problem's again; perturbed costs stay.
  void unbox();
  /// What follows until restore() is on the way from a point that is no vertex.
  void beginPushes() { start_ = Start::pushed; }
  /// Bounds and costs of the next pushes.
  void setPushes(Bounds&& bounds, std::vector<double>&& cost);

  /// Bounds are relaxed by a growing share of the tolerance. False: they have been relaxed to the
  /// end; else the share, in the problem's own units, is widened().
  bool widen();
  double widened() const { return widened_; }

  enum class Shifts { none, allowed };
  /// Nonbasic variables go to the bound that their reduced cost asks for. Where that bound is
  /// infinite the cost is shifted, if allowed, so that the reduced cost is zero. Returns how many
  /// are left.
  int makeDualFeasible(Shifts shifts);
  /// Every nonbasic variable to its nearer bound; free ones stay where they are.
  void snapToBounds();

  bool startAltered() const { return start_ != Start::asIs; }
  bool boundsPerturbed() const { return boundsPerturbed_; }
  bool costsPerturbed() const { return costsPerturbed_; }
  /// Which numbers are not the problem's, in words; "" where all are.
  char const* altered() const;

 private:
  /// What was done for the start to be feasible.
  enum class Start { asIs, relaxed, modified, boxed, pushed };

  /// The present ones, to be changed.
  Bounds& ownBounds();
  void sendBounds() const { task_.engine.setBounds(bounds().lower, bounds().upper); }

  Task const& task_;
  Tolerances const& tolerances_;
  Tracer const& tracer_;
  std::optional<Bounds> bounds_, trueBounds_;  ///< nothing: they are the form's
  std::optional<std::vector<double>> cost_;
  double widened_ = 0.0;  ///< by what share of 1 + |bound|, in the problem's own units
  Start start_ = Start::asIs;
  bool boundsPerturbed_ = false;
  bool costsPerturbed_ = false;
  int perturbations_ = 0;  ///< first ones of a phase
  int repetitions_ = 0;    ///< of the present phase's perturbation
};

}  // namespace osi_cuda
