// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <utility>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/tolerances.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/pivot_runs.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/simplex/refinement.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda {

/// Of the points that were taken for optimal, the nearest to it: one of doubles that stands up to
/// the verifier goes before one in two parts; else the one that was nearer to being optimal before
/// it was rounded.
class BestPoint {
 public:
  /// `residual`: the point's largest, before it was rounded; `plain`: its doubles stand up.
  void offer(Solution&& solution, double residual, bool plain) {
    if (point_ && plain == plain_ && residual_ <= residual) return;
    if (point_ && plain_ && !plain) return;
    point_ = std::move(solution);
    residual_ = residual;
    plain_ = plain;
  }

  bool found() const { return point_.has_value(); }
  /// Whether it may be claimed to be optimal.
  bool good() const { return point_ && (plain_ || residual_ <= Verifier::target); }
  bool plain() const { return plain_; }
  double residual() const { return residual_; }
  Solution& point() { return *point_; }

 private:
  std::optional<Solution> point_;
  bool plain_ = false;
  double residual_ = infinity;
};

/// The link from what an algorithm claims to what the verifier accepts. The point or the
/// certificate is computed anew from the original data and verified on the original problem
/// (proof.hpp, verifier.hpp). What falls short of a proof is kept: it may be the best that is to be
/// had.
class Prover : SharedParts {
 public:
  Prover(SharedParts const& parts, PivotRuns const& runs)
      : SharedParts(parts), runs_(runs), verifier_(task_.lp, task_.options) {}

  /// Tries to prove what the last phase claimed; where that fails, tolerances it rested on are
  /// tightened.
  Outcome prove(Claim claim) {
    auto const traced = [&](char const* name, Outcome outcome) {
      tracer_.proof(name, outcome == Outcome::proved, std::nullopt);
      return outcome;
    };
    switch (claim) {
      case Claim::infeasible:
        return traced("infeasible", proveInfeasible());
      case Claim::unbounded:
        return traced("unbounded", proveUnbounded());
      case Claim::cutoff:
        return traced("objective_limit", proveCutoff());
      case Claim::settled:
      case Claim::limit:
      case Claim::stuck:
        break;
    }
    return proveOptimal();
  }
  /// Bounds that cross need no multipliers: they are their own certificate. Whether they do.
  bool proveCrossedBounds() {
    if (!boundsCross(problem_.bounds())) return false;
    Solution crossed = presentSolution();
    crossed.farkas.assign(at(task_.form.rows()), 0.0);
    if (!verifier_.claimInfeasible(crossed)) return false;
    proved_ = std::move(crossed);
    return true;
  }

  /// The point that the engine is at, with true bounds and costs, and its residuals.
  Solution presentSolution() {
    if (*problem_.altered() != '\0') problem_.restore();
    Solution solution = presentPoint(task_.lp, task_.form, task_.engine.snapshot());
    verifier_.assess(solution);
    return solution;
  }
  /// What the solve has come to: what was proved, or the best point, with its status.
  Solution conclude() {
    if (proved_) return std::move(*proved_);
    quality_.residual = best_.residual();
    if (best_.good() && verifier_.claimOptimal(best_.point())) {
      quality_.loose = !(best_.residual() <= tolerances_.goal());
      quality_.twoParts = !best_.plain();
      return std::move(best_.point());
    }
    if (weak_) return std::move(*weak_);
    Solution solution = best_.found() ? std::move(best_.point()) : presentSolution();
    verifier_.admitFailure(solution);
    if (task_.effort == Effort::whole)  // nobody goes on from here
      solution.message += "; the last basis has a condition number of about " +
                          brief(conditionEstimate(task_.form, task_.engine));
    return solution;
  }

  /// How near the optimum of conclude() is to being one.
  struct Quality {
    /// Within the options' tolerances only: the basis is not optimal, and a solve with more digits
    /// may find another one.
    bool loose = false;
    /// No doubles come near it: they stand up in two parts only.
    bool twoParts = false;
    double residual = infinity;  ///< the largest of the point, before it was rounded to doubles
  };
  Quality const& quality() const { return quality_; }
  /// The last dual ray, where there was one: what doubles do not prove, rationals may.
  std::optional<InverseRow>& dualRay() { return dualRay_; }

 private:
  // The basic point as an engine that verifies itself has refined and assessed it; `whole`: before
  // it was rounded.
  std::optional<Solution> verifiedByEngine(Residuals& whole) {
    auto* const engine = task_.engine.as<VerifiesPoints>();
    std::optional<VerifiedPoint> point = engine ? engine->verifiedPoint(task_.lp) : std::nullopt;
    if (!point) return std::nullopt;
    proof::Assessment const rounded = proof::assessmentOf(task_.lp.sense, point->rounded);
    whole = proof::assessmentOf(task_.lp.sense, point->exact).residuals;
    Solution solution;
    solution.basis = basisOf(task_.form, kept_.take(SnapshotContent::point));
    solution.columnValues = std::move(point->columnValues);
    solution.rowDuals = std::move(point->rowDuals);
    solution.rowActivity = std::move(point->rowActivity);
    solution.reducedCosts = std::move(point->reducedCosts);
    solution.objective = point->rounded.objective.value.hi;
    solution.residuals = rounded.residuals;
    solution.objectiveEnclosure = rounded.enclosure;
    return solution;
  }
  // Where pivots are missing, the refined point tells; where else no proof is made, the longer way.
  std::optional<Outcome> proveByEngine() {
    Residuals whole;
    std::optional<Solution> point = verifiedByEngine(whole);
    if (!point) return std::nullopt;
    double const goal = tolerances_.goal(), plain = point->residuals.largest();
    if (plain <= goal) whole = point->residuals;
    if (whole.largest() <= goal && plain <= Verifier::nearlyPlain &&
        verifier_.claimAssessed(*point)) {
      tracer_.proof("optimal", true, whole);
      quality_.residual = whole.largest();
      proved_ = std::move(*point);
      return Outcome::proved;
    }
    bool const misses = whole.primal > goal || whole.dual > goal;
    if (task_.effort == Effort::brief || !misses || !tighten(whole)) return std::nullopt;
    return unproved(std::move(*point), whole);
  }
  // What to do about a point that misses the goal within tolerances that were tightened since.
  Outcome unproved(Solution&& point, Residuals const& whole) {
    offer(std::move(point), whole.largest());
    tracer_.proof("optimal", false, whole);
    Measure const present = measure();
    return present.primalCount + present.dualCount > 0 ? Outcome::seen : Outcome::refused;
  }
  // A basis that is optimal within the working tolerances, but whose point misses the goal, is no
  // reason to pivot on: the point is refined first. If the refined one meets it, only rounding to
  // doubles was in the way. If it does not, the basis is not optimal.
  Outcome proveOptimal() {
    // A basis that small pivots led to has small residuals also where the point itself is far off.
    constexpr double suspectPivot = 1e-6;
    if (std::optional<Outcome> const outcome = proveByEngine()) return *outcome;
    Solution candidate = basicSolution(task_.lp, task_.form, task_.engine,
                                       kept_.take(SnapshotContent::point), task_.form.cost);
    verifier_.assess(candidate);
    Residuals whole = candidate.residuals;
    double const goal = tolerances_.goal();
    bool const smallPivots = counts_.worstPivot < suspectPivot;
    bool const misses = !(whole.largest() <= goal), suspect = smallPivots || misses;
    bool const hopeless = misses && beyondDoubles();
    bool nearlyPlain = true;
    if (hopeless || (misses && missesBeyondRounding(candidate) && tighten(whole))) {
      Outcome const outcome = unproved(std::move(candidate), whole);
      return hopeless ? Outcome::hopeless : outcome;
    }
    if (suspect && task_.form.nonzeros() <= worthRefining) {
      offer(Solution(candidate), whole.largest());
      // Multipliers that meet the goal stay as they are.
      bool const goodDuals = !smallPivots && std::max(whole.dual, whole.complementarity) <= goal &&
                             !tolerances_.precise();
      candidate = refinedSolution(task_.lp, task_.form, task_.engine, kept_.point(),
                                  task_.form.cost, candidate, goodDuals);
      // Mostly the rounded point will do, and is as good as the refined one.
      Solution rounded = verifier_.rounded(candidate);
      nearlyPlain = rounded.residuals.largest() <= Verifier::nearlyPlain;
      whole = rounded.residuals;
      if (goodDuals && verifier_.accepts(whole)) {
        whole.primal = std::min(whole.primal, primalOfParts(candidate));
      } else if (!(whole.largest() <= goal) || !verifier_.accepts(whole)) {
        verifier_.assess(candidate);
        whole = candidate.residuals;
      }
      if (verifier_.accepts(rounded.residuals))
        candidate = std::move(rounded);
      else
        candidate.message = std::move(rounded.message);
    }
    bool const optimal = whole.largest() <= goal;
    bool const proved = optimal && nearlyPlain && verifier_.claimAssessed(candidate);
    tracer_.proof("optimal", proved, whole);
    if (proved) {
      proved_ = std::move(candidate);
      quality_.residual = whole.largest();
      return Outcome::proved;
    }
    offer(std::move(candidate), whole.largest());
    return !optimal && tighten(whole) ? Outcome::refused : Outcome::hopeless;
  }
  // Whether pivots in doubles would follow rounding rather than the problem, and an engine with
  // more digits goes on: its solves lose as many digits as the condition number has.
  bool beyondDoubles() const {
    constexpr double limit = 1e11;
    return task_.effort == Effort::brief && conditionEstimate(task_.form, task_.engine) > limit;
  }
  // The primal residual of a refined point before it is rounded, by its own activities: what the
  // control asks for; the verifier assesses the doubles that are handed out.
  double primalOfParts(Solution const& refined) const {
    proof::BoundedVector const activity{{refined.rowActivity.begin(), refined.rowActivity.end()},
                                        {0.0}};
    return proof::primalResidual(task_.lp, {refined.columnValues, refined.columnValuesLow},
                                 activity);
  }
  // Whether a bound or a reduced cost misses the goal by more than the rounding of the point to
  // doubles explains, so that the refined point would miss it as well.
  bool missesBeyondRounding(Solution const& point) const {
    Residuals const rounding = roundingOf(task_.lp, point);
    return point.residuals.primal - rounding.primal > tolerances_.goal() ||
           point.residuals.dual - rounding.dual > tolerances_.goal();
  }
  // Candidates: the phase-1 multipliers of the present point, or the dual ray's row.
  Outcome proveInfeasible() {
    StandardForm const& form = task_.form;
    BoundsView const bounds = problem_.bounds();
    Snapshot const& point = kept_.take(SnapshotContent::point);
    ExtendedVector costs(point.basicVariable.size());
    if (runs_.running() == Algorithm::dual) {
      costs[at(runs_.last().position)] = 1.0;
    } else {
      for (std::size_t i = 0; i < costs.size(); ++i) {
        auto const v = at(point.basicVariable[i]);
        costs[i] = rules::phase1Cost(point.value[v], bounds.lower[v], bounds.upper[v],
                                     tolerances_.primal());
      }
    }
    RefinedVector y = refinedBtran(form, task_.engine, point.basicVariable, costs);
    dropRounding(y.value);
    Solution certificate = presentSolution();
    if (runs_.running() == Algorithm::dual)
      dualRay_ = {certificate.basis, point.basicVariable[at(runs_.last().position)]};
    for (double const sign : {1.0, -1.0}) {
      SplitVector parts = split(y.value, [&](std::size_t i) { return sign * form.rowScale[i]; });
      certificate.farkas = std::move(parts.high);
      certificate.farkasLow = std::move(parts.low);
      if (verifier_.claimInfeasible(certificate)) return settle(std::move(certificate));
    }
    rounds_.proofFailed();
    tolerances_.distrustMultipliers();
    return Outcome::refused;
  }
  Outcome proveUnbounded() {
    StandardForm const& form = task_.form;
    Snapshot const& point = kept_.take(SnapshotContent::point);
    auto const n = at(form.columns());
    PivotReport const& last = runs_.last();
    int const entering = point.nonbasicVariable[at(last.position)];
    auto const q = at(entering);
    ExtendedVector column(point.basicVariable.size()), ray(n);
    if (q < n) {
      ray[q] = last.direction;
      for (auto const [row, a] : form.matrix().column(entering)) column[at(row)] = a;
    } else {
      column[q - n] = 1.0;
    }
    RefinedVector const u = refinedFtran(form, task_.engine, point.basicVariable, column);
    for (std::size_t i = 0; i < column.size(); ++i) {
      auto const v = at(point.basicVariable[i]);
      if (v < n) ray[v] = u.value[i] * -static_cast<double>(last.direction);
    }
    Solution certificate = basicSolution(task_.lp, form, task_.engine, point, form.cost);
    verifier_.assess(certificate);
    if (!(certificate.residuals.primal <= task_.options.primalTolerance)) {
      certificate = refinedSolution(task_.lp, form, task_.engine, point, form.cost);
      verifier_.assess(certificate);
    }
    dropRounding(ray);
    SplitVector parts = split(ray, [&](std::size_t j) { return form.columnScale[j]; });
    certificate.ray = std::move(parts.high);
    certificate.rayLow = std::move(parts.low);
    proof::clearRounding(task_.lp, proof::extendedZero, certificate.ray, certificate.rayLow);
    if (verifier_.claimUnbounded(certificate)) return settle(std::move(certificate));
    rounds_.proofFailed();
    tolerances_.countSmallerPivots();
    return Outcome::refused;
  }
  // The multipliers of the present basis have to bound the optimum beyond the limit.
  Outcome proveCutoff() {
    Residuals whole;
    std::optional<Solution> const verified = verifiedByEngine(whole);
    Solution certificate = verified
                               ? *verified
                               : basicSolution(task_.lp, task_.form, task_.engine,
                                               kept_.take(SnapshotContent::point), task_.form.cost);
    if (!verified) verifier_.assess(certificate);
    if (verifier_.claimObjectiveLimit(certificate)) {
      proved_ = std::move(certificate);
      return Outcome::proved;
    }
    rounds_.cutoffFailed();
    return Outcome::refused;
  }
  // A certificate with room to spare ends the solve. With less than tolerances allow, points may be
  // found that pass for optimal: if that has been so, they are the better answer.
  Outcome settle(Solution&& certificate) {
    if (verifier_.isCertain(certificate)) {
      proved_ = std::move(certificate);
      return Outcome::proved;
    }
    weak_ = std::move(certificate);
    return Outcome::hopeless;
  }
  // Tolerances within which the basis is still optimal would prove the same point once more.
  bool tighten(Residuals const& residuals) {
    if (residuals.largest() <= Verifier::target && verifier_.accepts(residuals))
      rounds_.reachedTarget();
    bool tightened = false;
    while (tolerances_.tighten(residuals)) {
      tightened = true;
      Measure const present = measure();
      if (present.primalCount + present.dualCount > 0) break;
    }
    return tightened;
  }
  void offer(Solution&& candidate, double residual) {
    bool const plain = candidate.columnValuesLow.empty() && verifier_.accepts(candidate.residuals);
    best_.offer(std::move(candidate), residual, plain);
  }

  PivotRuns const& runs_;
  Verifier const verifier_;
  BestPoint best_;
  std::optional<Solution> proved_;  ///< what the verifier has accepted
  std::optional<Solution> weak_;    ///< a certificate whose margin is less than tolerances
  Quality quality_;
  std::optional<InverseRow> dualRay_;
};

}  // namespace osi_cuda
