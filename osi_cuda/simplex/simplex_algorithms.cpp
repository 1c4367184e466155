// SPDX-License-Identifier: EPL-2.0
// The two algorithms as sequences of phases, and the proofs of what they claim.
#include <algorithm>
#include <cmath>

#include "osi_cuda/model/residuals.hpp"
#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/simplex/refinement.hpp"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {

// Where the start is not primal feasible, the violated bounds are relaxed for once: the primal ends
// at a dual feasible basis, and the dual goes on from there with the true bounds. That takes fewer
// and cheaper pivots than a phase 1 (docs/performance.md), which remains for what is left.
Simplex::Claim Simplex::runPrimal() {
  if (costsPerturbed_ || startAltered_) removePerturbation();
  bool const infeasibleStart = engine_.measure(primalTolerance_, dualTolerance_).primalCount > 0;
  if (infeasibleStart && !relaxed_ && failedProofs_ == 0) {
    Claim const claim = runRelaxedPrimal();
    if (claim != Claim::stuck) return claim;
  }
  if (infeasibleStart) {
    Stop const stop = iterate(Algorithm::primal, Phase::one, "primal 1");
    bool const infeasible = engine_.measure(primalTolerance_, dualTolerance_).primalCount > 0;
    if (stop != Stop::optimal || infeasible) engine_.setCosts(cost_);
    if (stop == Stop::interrupted) return Claim::limit;
    if (stop != Stop::optimal) return Claim::stuck;  // the sum of infeasibilities has no ray
    if (infeasible) return Claim::infeasible;
    engine_.setCosts(cost_);
  }
  Stop const stop = iterate(Algorithm::primal, Phase::two, "primal 2");
  if (stop == Stop::interrupted) return Claim::limit;
  if (stop == Stop::ray) return Claim::unbounded;
  if (stop == Stop::unstable) return Claim::stuck;
  removePerturbation();
  return Claim::settled;
}

Simplex::Claim Simplex::runRelaxedPrimal() {
  relaxed_ = startAltered_ = true;
  relaxBounds(lower_, upper_, engine_.snapshot(), primalTolerance_, options_.seed);
  engine_.setBounds(lower_, upper_);
  tracer_.change("relax_bounds");
  Stop const stop = iterate(Algorithm::primal, Phase::two, "primal 1");
  if (stop == Stop::interrupted) return Claim::limit;
  removePerturbation();
  return stop == Stop::optimal ? Claim::settled : Claim::stuck;  // a ray proves nothing here
}

// The dual likewise: with modified costs it ends at a primal feasible basis, from which the primal
// goes on with the true ones, or proves infeasibility, which no cost changes.
Simplex::Claim Simplex::runDual() {
  if (boundsPerturbed_ || startAltered_) removePerturbation();
  if (makeDualFeasible(false) > 0) return modified_ ? runPrimal() : runModifiedDual();
  Stop const stop = iterate(Algorithm::dual, Phase::two, "dual 2");
  if (stop == Stop::interrupted) return Claim::limit;
  if (stop == Stop::ray) return Claim::infeasible;
  if (stop == Stop::unstable) return Claim::stuck;
  if (stop == Stop::cutoff) return Claim::cutoff;
  restoreCosts();
  return Claim::settled;
}

Simplex::Claim Simplex::runModifiedDual() {
  modified_ = startAltered_ = true;
  cost_ = modifyCosts(engine_.costs(), lower_, upper_, engine_.snapshot(), dualTolerance_,
                      options_.seed);
  engine_.setCosts(cost_);
  tracer_.change("modify_costs");
  Stop const stop = iterate(Algorithm::dual, Phase::two, "dual 1");
  if (stop == Stop::interrupted) return Claim::limit;
  if (stop == Stop::ray) return Claim::infeasible;
  removePerturbation();
  return stop == Stop::optimal ? Claim::settled : Claim::stuck;
}

Simplex::Outcome Simplex::prove(Claim claim) {
  auto const told = [&](char const* name, Outcome outcome) {
    tracer_.proof(name, outcome == Outcome::proved, std::nullopt);
    return outcome;
  };
  switch (claim) {
    case Claim::infeasible:
      return told("infeasible", proveInfeasible());
    case Claim::unbounded:
      return told("unbounded", proveUnbounded());
    case Claim::cutoff:
      return told("objective_limit", proveCutoff());
    default:
      return proveOptimal();
  }
}

// A basis that is optimal within the working tolerances, but whose point misses the goal, is no
// reason to pivot on: the point is refined first. If the refined one meets it, only rounding to
// doubles was in the way. If it does not, the basis is not optimal.
Simplex::Outcome Simplex::proveOptimal() {
  constexpr std::int64_t worthRefining = 5'000'000;  // nonzeros: half a second of sums
  // A basis that small pivots led to has small residuals also where the point itself is far off.
  constexpr double suspectPivot = 1e-6;
  keepPoint(SnapshotContent::point);
  Solution candidate = basicSolution(lp_, form_, engine_, lastPoint_, form_.cost);
  judge_.assess(candidate);
  Residuals whole = candidate.residuals;
  bool const suspect = worstPivot_ < suspectPivot || !(whole.largest() <= goal_);
  bool nearlyPlain = true;
  if (!(whole.largest() <= goal_) && missesBeyondRounding(candidate) && tightenTolerances(whole)) {
    keepBest(std::move(candidate), whole.largest());
    tracer_.proof("optimal", false, whole);
    Measure const measure = engine_.measure(primalTolerance_, dualTolerance_);
    return measure.primalCount + measure.dualCount > 0 ? Outcome::seen : Outcome::refused;
  }
  if (suspect && form_.matrix().nonzeros() <= worthRefining) {
    keepBest(Solution(candidate), whole.largest());
    candidate = refinedSolution(lp_, form_, engine_, lastPoint_, form_.cost, candidate);
    judge_.assess(candidate);
    whole = candidate.residuals;
    // Mostly the rounded point will do.
    Solution rounded = candidate;
    rounded.columnValuesLow.clear();
    rounded.rowDualsLow.clear();
    judge_.assess(rounded);
    nearlyPlain = rounded.residuals.largest() <= Judge::nearlyPlain;
    if (judge_.accepts(rounded.residuals))
      candidate = std::move(rounded);
    else
      candidate.message =
          "the point is the sum of two parts: the first alone, rounded to doubles, "
          "has residuals of " +
          Judge::text(rounded.residuals.largest());
  }
  bool const optimal = whole.largest() <= goal_;
  bool const proved = optimal && nearlyPlain && judge_.claimAssessed(candidate);
  tracer_.proof("optimal", proved, whole);
  if (proved) {
    proved_ = std::move(candidate);
    bestResidual_ = whole.largest();
    return Outcome::proved;
  }
  keepBest(std::move(candidate), whole.largest());
  return !optimal && tightenTolerances(whole) ? Outcome::refused : Outcome::hopeless;
}

// A point of doubles that stands up to the judge goes before one in two parts; else the one that
// was nearer to being optimal before it was rounded.
void Simplex::keepBest(Solution&& solution, double residual) {
  bool const plain = solution.columnValuesLow.empty() && judge_.accepts(solution.residuals);
  if (best_ && plain == plainBest_ && bestResidual_ <= residual) return;
  if (best_ && plainBest_ && !plain) return;
  best_ = std::move(solution);
  bestResidual_ = residual;
  plainBest_ = plain;
}

// A certificate with room to spare ends the solve. With less than tolerances allow, points may be
// found that pass for optimal: if that has been so, they are the better answer.
Simplex::Outcome Simplex::settle(Solution&& certificate) {
  if (certificate.margin > Judge::target) {
    proved_ = std::move(certificate);
    return Outcome::proved;
  }
  weak_ = std::move(certificate);
  return Outcome::hopeless;
}

// Candidates: the phase-1 multipliers of the present point, or the dual ray's row.
Simplex::Outcome Simplex::proveInfeasible() {
  Snapshot const& point = keepPoint(SnapshotContent::point);
  ExtendedVector costs(point.basicVariable.size());
  if (running_ == Algorithm::dual) {
    costs[static_cast<std::size_t>(last_.position)] = 1.0;
  } else {
    for (std::size_t i = 0; i < costs.size(); ++i) {
      auto const v = static_cast<std::size_t>(point.basicVariable[i]);
      costs[i] = rules::phase1Cost(point.value[v], lower_[v], upper_[v], primalTolerance_);
    }
  }
  RefinedVector y = refinedBtran(form_, engine_, point.basicVariable, costs);
  dropRounding(y.value);
  Solution certificate = presentSolution();
  for (double const sign : {1.0, -1.0}) {
    SplitVector parts = split(y.value, [&](std::size_t i) { return sign * form_.rowScale[i]; });
    certificate.farkas = std::move(parts.high);
    certificate.farkasLow = std::move(parts.low);
    if (judge_.claimInfeasible(certificate)) return settle(std::move(certificate));
  }
  // What keeps it from being one are entries that counted as zero, or wrong signs within
  // tolerances.
  ++failedProofs_;
  dualTolerance_ = std::max(precise_ ? 1e-24 : 1e-13, 1e-2 * dualTolerance_);
  lowerPivotTolerance();
  return Outcome::refused;
}

// Entries that counted as zero and void a certificate have to count.
void Simplex::lowerPivotTolerance() {
  pivotTolerance_ =
      precise_ ? std::max(1e-25, 1e-2 * pivotTolerance_) : std::max(1e-11, 1e-1 * pivotTolerance_);
}

Simplex::Outcome Simplex::proveUnbounded() {
  Snapshot const& point = keepPoint(SnapshotContent::point);
  auto const n = static_cast<std::size_t>(form_.columns());
  int const entering = point.nonbasicVariable[static_cast<std::size_t>(last_.position)];
  auto const q = static_cast<std::size_t>(entering);
  ExtendedVector column(point.basicVariable.size()), ray(n);
  if (q < n) {
    ray[q] = last_.direction;
    auto const indices = form_.matrix().columnIndices(entering);
    auto const values = form_.matrix().columnValues(entering);
    for (std::size_t e = 0; e < indices.size(); ++e)
      column[static_cast<std::size_t>(indices[e])] = values[e];
  } else {
    column[q - n] = 1.0;
  }
  RefinedVector const u = refinedFtran(form_, engine_, point.basicVariable, column);
  for (std::size_t i = 0; i < column.size(); ++i) {
    auto const v = static_cast<std::size_t>(point.basicVariable[i]);
    if (v < n) ray[v] = u.value[i] * -static_cast<double>(last_.direction);
  }
  Solution certificate = basicSolution(lp_, form_, engine_, point, form_.cost);
  judge_.assess(certificate);
  if (!(certificate.residuals.primal <= options_.primalTolerance)) {
    certificate = refinedSolution(lp_, form_, engine_, point, form_.cost);
    judge_.assess(certificate);
  }
  dropRounding(ray);
  SplitVector parts = split(ray, [&](std::size_t j) { return form_.columnScale[j]; });
  certificate.ray = std::move(parts.high);
  certificate.rayLow = std::move(parts.low);
  if (judge_.claimUnbounded(certificate)) return settle(std::move(certificate));
  ++failedProofs_;
  lowerPivotTolerance();
  return Outcome::refused;
}

// The multipliers of the present basis have to bound the optimum beyond the limit.
Simplex::Outcome Simplex::proveCutoff() {
  keepPoint(SnapshotContent::point);
  Solution certificate = basicSolution(lp_, form_, engine_, lastPoint_, form_.cost);
  judge_.assess(certificate);
  if (judge_.claimObjectiveLimit(certificate)) {
    proved_ = std::move(certificate);
    return Outcome::proved;
  }
  ++failedCutoffs_;
  return Outcome::refused;
}

// Whether a bound or a reduced cost misses the goal by more than the rounding of the point to
// doubles explains, so that the refined point would miss it as well.
bool Simplex::missesBeyondRounding(Solution const& point) const {
  Residuals const rounding = roundingOf(lp_, point);
  return point.residuals.primal - rounding.primal > goal_ ||
         point.residuals.dual - rounding.dual > goal_;
}

/// False: they are as tight already as arithmetic allows.
bool Simplex::tightenTolerances(Residuals const& residuals) {
  double const smallest = precise_ ? 1e-20 : 1e-12;
  auto tighten = [&](double& tolerance, double residual) {
    if (tolerance <= 1.01 * smallest || (residual <= goal_ && tolerance <= Judge::target))
      return false;
    tolerance = tolerance > Judge::target ? Judge::target : std::max(smallest, 1e-3 * tolerance);
    return true;
  };
  bool const primal = tighten(primalTolerance_, residuals.primal);
  bool const dual = tighten(dualTolerance_, residuals.dual);
  return primal || dual;
}

/// The point that the engine is at, with true bounds and costs.
Solution Simplex::presentSolution() {
  if (boundsPerturbed_ || costsPerturbed_ || startAltered_) removePerturbation();
  Solution solution = presentPoint(lp_, form_, engine_, engine_.snapshot());
  judge_.assess(solution);
  return solution;
}

Solution Simplex::finish(Solution solution) const {
  solution.iterations = iterations_;
  solution.phase1Iterations = phase1Iterations_;
  solution.engine = engine_.name();
  solution.device = engine_.device();
  solution.algorithm = algorithm_ == Algorithm::primal ? "primal" : "dual";
  switch (choosePricing(algorithm_)) {
    case Pricing::steepest:
      solution.pricing = "steepest";
      break;
    case Pricing::sketched:
      solution.pricing = "sketched";
      break;
    case Pricing::devex:
      solution.pricing = "devex";
      break;
    case Pricing::dantzig:
      solution.pricing = "dantzig";
      break;
    case Pricing::greatest:
      solution.pricing = "greatest";
      break;
  }
  solution.seconds = seconds();
  tracer_.end(solution);
  return solution;
}

}  // namespace osi_cuda
