// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/direction_rules.hpp"
#include "osi_cuda/barrier/gradient_rules.hpp"
#include "osi_cuda/barrier/iterate_rules.hpp"
#include "osi_cuda/barrier/problem.hpp"
#include "osi_cuda/barrier/start_rules.hpp"
#include "osi_cuda/barrier/stop_rule.hpp"

namespace osi_cuda::barrier {

/// The interior point method, written once on an Algebra that executes it:
///
///     View const& view()                    arrays of the problem, in the Algebra's memory
///     bool byColumns(), int order()         which normal equations
///     each(count, f)                        f(k) for k < count
///     reduce(count, f)                      f.finish(the sum of all f(k))
///     multiply(x, out)                      out = A x
///     multiplyTransposed(y, out)            out = A'y
///     form(w, d, digits)                    by rows M = A diag(w) A' + diag(d), w of length n;
///                                           by columns M = A' diag(w) A + diag(d), w of length m
///     double roughSteps()                   how many steps of conjugate gradients in every solve a
///                                           matrix of few digits may ask for and still be the
///                                           quicker one; less than 0: there is no such matrix
///     factor(share)                         Cholesky of M with its diagonal larger by that share;
///                                           sets Scalars::failed where there is none
///     solve(x)                              x <- M^-1 x by the factor
///     copy(from, to, count)
///     double* work(i)                       arrays of length order(), i < 5
///     Scalars fetch()                       the one wait of an iteration
///     BarrierPoint point()                  the iterate, in the caller's memory
///
/// In an iteration the Newton equations
///
///     A dx + ds + delta dy = rp        A'dy - dx / Theta = h,  dy - ds / Theta = h for slacks
///
/// are solved for targets of the products of distances and multipliers; Theta is the flexibility
/// of a variable. Eliminating dx gives (A Theta A' + E) dy, by rows, and eliminating dy gives
/// (1 / Theta + A' E^-1 A) dx, by columns, with E = Theta of the slacks + delta. Theta is kept from
/// growing by a proximal term, and delta is another one: both vanish at a fixed point, so that the
/// solution is that of the problem (Friedlander and Orban 2012).
template <class Algebra>
class InteriorPoint {
 public:
  InteriorPoint(Algebra& algebra, BarrierRequest const& request, StandardForm const& form)
      : algebra_(algebra),
        view_(algebra.view()),
        request_(request),
        form_(form),
        boundSize_(boundSize(form)),
        costSize_(costSize(form)),
        all_(view_.n + view_.m),
        digits_(algebra.roughSteps() >= 0.0 ? Digits::few : Digits::all) {}

  BarrierPoint run(double iterationSeconds) {
    BarrierEnd end = BarrierEnd::stopped;
    BarrierState state;
    std::optional<BarrierPoint> point;  // the iterate, where it has been asked for
    auto const present = [&]() -> BarrierPoint const& {
      return point ? *point : point.emplace(algebra_.point());
    };
    StopRule rule(request_, form_, iterationSeconds, boundSize_, costSize_, present);
    if (!start()) end = BarrierEnd::stalled;
    for (int iteration = 0; end != BarrierEnd::stalled; ++iteration) {
      point.reset();
      lookAtPoint();
      Scalars const s = algebra_.fetch();
      if (s.failed != 0.0) {  // once more, from more digits, refinement or a larger diagonal
        if (!takeAllDigits() && !(s.failed == directionMissed ? refineMost() : regularise())) {
          end = BarrierEnd::stalled;
          break;
        }
        --iteration;
      } else {
        state = stateOf(s, iteration);
        state.work = iteration * iterationSeconds;
        if (request_.report) request_.report(state);
        adaptRefinement(state);
        std::optional<BarrierEnd> const decided = rule.look(state);
        if (decided || (request_.stop && request_.stop())) {
          end = decided.value_or(BarrierEnd::stopped);
          break;
        }
      }
      iterate();
    }
    present();
    point->end = end;
    point->state = state;
    return std::move(*point);
  }

 private:
  /// What a solve with the normal matrix is for: what only steers, a part of the direction, or its
  /// main part, whose residual is formed whatever the refinement.
  enum class Check { none, adds, residual };

  // Mehrotra's start: the points of least norm that satisfy A x + s = 0 and come near to the dual
  // equations, shifted until all distances and multipliers are positive and of one size.
  bool start() {
    for (;;) {
      algebra_.each(1, ResetScalars{view_.s});
      algebra_.each(all_, PlaceAtBounds{view_});
      algebra_.multiply(view_.x, view_.ax);
      algebra_.each(view_.m, PrimalRight{view_});
      factorise();
      solveDirection(view_.chosen, Check::none);
      algebra_.each(all_, TakeStartPoint{view_});
      solveDirection(view_.chosen, Check::none);
      algebra_.reduce(all_, StartShift{view_});
      algebra_.reduce(all_, StartProducts{view_});
      algebra_.each(all_, StartInterior{view_});
      if (algebra_.fetch().failed == 0.0) return true;
      if (!takeAllDigits() && !regularise()) return false;
    }
  }

  void lookAtPoint() {
    algebra_.multiply(view_.x, view_.ax);
    algebra_.multiplyTransposed(view_.y, view_.aty);
    algebra_.reduce(all_, Residuals{view_});
  }

  void iterate() {
    algebra_.each(1, ResetScalars{view_.s});
    algebra_.each(all_, Flexibility{view_});
    factorise();
    // The predictor: all products to zero.
    algebra_.each(all_, RightHandSides{view_});
    solveDirection(view_.chosen, Check::none);
    algebra_.reduce(all_, Complete{view_, view_.chosen, Purpose::affine});
    algebra_.reduce(all_, Centring{view_});
    // The corrector, from the same factor.
    algebra_.each(all_, CorrectorTargets{view_});
    algebra_.each(all_, RightHandSides{view_});
    solveDirection(view_.chosen, Check::residual);
    algebra_.reduce(all_, Complete{view_, view_.chosen, Purpose::chosen});
    for (int k = 0; k < algebra_.correctors(); ++k) {
      algebra_.each(all_, CentralityTargets{view_});
      algebra_.each(all_, CorrectionSides{view_});
      solveDirection(view_.trial, Check::adds);
      algebra_.each(all_, CompleteCorrection{view_});
      algebra_.reduce(all_, WeighCorrection{view_});
      algebra_.each(all_, TakeCorrection{view_});
    }
    algebra_.reduce(all_, Move{view_, shareOfWay});
  }

  void factorise() {
    if (algebra_.byColumns()) {
      algebra_.each(all_, ColumnWeights{view_});
      algebra_.form(view_.rowWork, view_.columnWork, digits_);
    } else {
      algebra_.form(view_.flexibility, view_.rowTerm, digits_);
    }
    algebra_.factor(regularisation_);
  }

  void solveDirection(Direction const& d, Check check) {
    double* const right = algebra_.work(0);
    if (algebra_.byColumns()) {
      algebra_.each(view_.m, Divide{view_.g, view_.rowTerm, view_.rowWork});
      algebra_.multiplyTransposed(view_.rowWork, right);
      algebra_.each(view_.n, Add{view_.h, -1.0, right});
      solveNormal(right, d.x, check);
      algebra_.multiply(d.x, view_.rowWork);
      algebra_.each(view_.m, RowStep{view_, d});
    } else {
      algebra_.each(view_.n, Multiply{view_.flexibility, view_.h, view_.columnWork});
      algebra_.multiply(view_.columnWork, right);
      algebra_.each(view_.m, Add{view_.g, 1.0, right});
      solveNormal(right, d.y, check);
      algebra_.multiplyTransposed(d.y, view_.columnWork);
      algebra_.each(view_.n, ColumnStep{view_, d});
    }
    algebra_.each(all_, SlackStep{view_, d});
  }

  // x = M^-1 b by the factor, then conjugate gradients on the matrix as it is with the factor for a
  // preconditioner: what rounding and regularisation took comes back. b becomes the residual.
  void solveNormal(double* b, double* x, Check check) {
    int const order = algebra_.order();
    double *const z = algebra_.work(1), *const p = algebra_.work(2), *const q = algebra_.work(3);
    algebra_.copy(b, x, order);
    algebra_.solve(x);
    // From a matrix of few digits a predictor that is a little off leads to no worse a direction,
    // and so do corrections, unless what they miss adds up.
    bool const followed = check == Check::residual || (check == Check::adds && refineAll_);
    if (check != Check::residual && refinements_ == 0) return;
    if (digits_ == Digits::few && !followed) return;
    bool const tells = check == Check::residual;
    if (tells) algebra_.reduce(order, DotProduct{b, b, view_.s, Dot::right});
    applyNormal(x, q);
    algebra_.each(order, Add{q, -1.0, b});
    algebra_.each(1, ResetSearch{view_.s});
    for (int k = 0; k < refinements_; ++k) {
      algebra_.copy(b, z, order);
      algebra_.solve(z);
      algebra_.reduce(order, DotProduct{b, z, view_.s, Dot::rho});
      if (k == 0)
        algebra_.copy(z, p, order);
      else
        algebra_.each(order, NextSearch{view_.s, z, p});
      applyNormal(p, q);
      algebra_.reduce(order, DotProduct{p, q, view_.s, Dot::curvature});
      algebra_.each(order, FollowSearch{view_.s, p, q, x, b});
    }
    if (tells) algebra_.reduce(order, DotProduct{b, b, view_.s, Dot::residual});
  }

  // out = M in, by products with A.
  void applyNormal(double const* in, double* out) {
    if (algebra_.byColumns()) {
      algebra_.multiply(in, view_.rowWork);
      algebra_.each(view_.m, Divide{view_.rowWork, view_.rowTerm, view_.rowWork});
      algebra_.multiplyTransposed(view_.rowWork, out);
      algebra_.each(view_.n, AddDiagonal{view_, in, out});
    } else {
      algebra_.multiplyTransposed(in, view_.columnWork);
      algebra_.each(view_.n, Multiply{view_.columnWork, view_.flexibility, view_.columnWork});
      algebra_.multiply(view_.columnWork, out);
      algebra_.each(view_.m, AddProduct{view_.rowTerm, in, out});
    }
  }

  bool regularise() {
    constexpr double largest = 1e-4;
    if (regularisation_ >= largest) return false;
    regularisation_ *= 100.0;
    refinements_ = std::max(refinements_, 2);
    return true;
  }

  bool refineMost() {
    refineAll_ = true;
    return std::exchange(refinements_, mostRefinements) < mostRefinements;
  }

  bool takeAllDigits() {
    if (digits_ == Digits::all) return false;
    digits_ = Digits::all;
    refinements_ = 0;
    return true;
  }

  // Digits that the next iteration needs are asked for, and no more: what a direction misses the
  // next one makes good, so that a digit beyond what is reached is enough.
  void adaptRefinement(BarrierState const& state) {
    constexpr double loosest = 1e-3, tightest = 1e-8, beyond = 0.1, far = 1e-2, plenty = 1e-4;
    constexpr double near = 0.05, closer = 1e-2;
    if (state.iteration == 0) return;
    // Residuals that come near the gap are what solves have missed.
    bool const behind = std::max(state.primalResidual, state.dualResidual) > near * state.gap;
    refineAll_ = refineAll_ || behind;
    double const enough =
        (behind ? closer : 1.0) * std::clamp(beyond * distanceOf(state), tightest, loosest);
    if (!(state.solveResidual <= enough))
      refinements_ = std::min(mostRefinements,
                              state.solveResidual < far ? refinements_ + 1 : 2 * refinements_ + 1);
    else if (state.solveResidual < plenty * enough && refinements_ > 0)
      --refinements_;
    // Weights that differ too much, as those of free columns, leave nothing of the others in a
    // rough matrix: that shows at once.
    bool const useless = !(state.solveResidual <= far);
    if (digits_ == Digits::few && (useless || refinements_ > algebra_.roughSteps()))
      takeAllDigits();
  }

  BarrierState stateOf(Scalars const& s, int iteration) const {
    BarrierState state;
    state.iteration = iteration;
    state.mu = s.mu;
    state.primalResidual = s.primalResidual / (1.0 + boundSize_);
    state.dualResidual = s.dualResidual / (1.0 + costSize_);
    state.primalObjective = s.primalObjective;
    state.dualObjective = s.dualObjective;
    state.gap =
        std::fabs(s.primalObjective - s.dualObjective) / (1.0 + std::fabs(s.primalObjective));
    state.largestPoint = s.largestPoint;
    state.largestMultiplier = s.largestMultiplier;
    if (iteration > 0) {
      state.primalStep = std::min(1.0, shareOfWay * s.primalStep);
      state.dualStep = std::min(1.0, shareOfWay * s.dualStep);
      state.sigma = s.sigma;
      state.undecided = static_cast<int>(s.undecided);
      state.solveResidual = s.rightNorm > 0.0 ? std::sqrt(s.residualNorm / s.rightNorm) : 0.0;
    }
    return state;
  }

  /// How much of the way to the boundary a step may be.
  static constexpr double shareOfWay = 0.995;
  static constexpr int mostRefinements = 7;

  Algebra& algebra_;
  View const view_;
  BarrierRequest const& request_;
  StandardForm const& form_;
  double const boundSize_, costSize_;
  int const all_;
  Digits digits_;
  double regularisation_ = 1e-14;
  int refinements_ = 0;
  bool refineAll_ = false;  ///< corrections of directions, too
};

}  // namespace osi_cuda::barrier
