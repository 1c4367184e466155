// SPDX-License-Identifier: EPL-2.0
// The two algorithms as sequences of phases, and the proofs of what they claim.
#include <algorithm>
#include <cmath>

#include "osi_cuda/model/residuals.hpp"
#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/proof.hpp"
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
  removePerturbation();
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

bool Simplex::proveOptimal(Solution& solution) {
  keepPoint();
  solution = basicSolution(lp_, form_, engine_, lastPoint_, form_.cost);
  solution.residuals = residualsOf(lp_, solution);
  constexpr double target = 1e-9;
  return solution.residuals.largest() <= target;
}

// Candidates: the phase-1 multipliers of the present point, or the dual ray's row.
bool Simplex::proveInfeasible(Solution& solution) {
  Snapshot const& point = keepPoint();
  std::vector<double> costs(point.basicVariable.size(), 0.0);
  if (running_ == Algorithm::dual) {
    costs[static_cast<std::size_t>(last_.position)] = 1.0;
  } else {
    for (std::size_t i = 0; i < costs.size(); ++i) {
      auto const v = static_cast<std::size_t>(point.basicVariable[i]);
      costs[i] = rules::phase1Cost(point.value[v], lower_[v], upper_[v], primalTolerance_);
    }
  }
  // Multipliers that should be zero carry rounding: try without the smallest ones as well.
  std::vector<double> const exact = engine_.btran(costs);
  double largest = 0.0;
  for (double value : exact) largest = std::max(largest, std::fabs(value));
  for (double const noise : {1e-14, 1e-12, 1e-10, 1e-8}) {
    for (double const sign : {1.0, -1.0}) {
      std::vector<double> y = exact;
      for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = std::fabs(y[i]) > noise * largest ? sign * y[i] * form_.rowScale[i] : 0.0;
      if (!verifyFarkas(lp_, y).proved) continue;
      solution = atLimit();
      solution.farkas = std::move(y);
      return true;
    }
  }
  // What keeps a certificate from being exact are wrong signs within the tolerances.
  dualTolerance_ = std::max(1e-13, 1e-2 * dualTolerance_);
  pivotTolerance_ = std::max(1e-11, 1e-1 * pivotTolerance_);
  return false;
}

bool Simplex::proveUnbounded(Solution& solution) {
  Snapshot const& point = keepPoint();
  int const entering = point.nonbasicVariable[static_cast<std::size_t>(last_.position)];
  std::vector<double> const exact =
      primalRay(form_, engine_, point, entering, last_.direction);  // scaled
  solution = basicSolution(lp_, form_, engine_, point, form_.cost);
  double largest = 0.0;
  for (double value : exact) largest = std::max(largest, std::fabs(value));
  for (double const noise : {1e-14, 1e-12, 1e-10, 1e-8}) {
    std::vector<double> ray = exact;
    for (std::size_t j = 0; j < ray.size(); ++j)
      ray[j] = std::fabs(ray[j]) > noise * largest ? ray[j] * form_.columnScale[j] : 0.0;
    if (!verifyRay(lp_, solution.columnValues, ray).proved) continue;
    solution.residuals = residualsOf(lp_, solution);
    solution.ray = std::move(ray);
    return true;
  }
  ++failedProofs_;
  pivotTolerance_ = std::max(1e-11, 1e-1 * pivotTolerance_);
  return false;
}

// Any multipliers y bound the optimum: min c'x >= min over the boxes of y'(A x) + (c - A'y)'x.
// Those of the present basis have to reach the limit, in the problem's own numbers.
bool Simplex::proveCutoff(Solution& solution) {
  keepPoint();
  solution = basicSolution(lp_, form_, engine_, lastPoint_, form_.cost);
  double const sign = lp_.sense == Sense::maximize ? -1.0 : 1.0;
  double bound = sign * lp_.objectiveOffset, size = std::fabs(bound);
  bool finite = true;
  auto const add = [&](double multiplier, double lower, double upper, double cost) {
    double const d = sign * multiplier, limit = d > 0.0 ? lower : upper;
    if (std::isfinite(limit)) {
      bound += d * limit;
      size += std::fabs(d * limit);
    } else if (std::fabs(d) > options_.dualTolerance * (1.0 + std::fabs(cost))) {
      finite = false;
    }
  };
  for (std::size_t j = 0; j < solution.reducedCosts.size(); ++j)
    add(solution.reducedCosts[j], lp_.columnLower[j], lp_.columnUpper[j], lp_.objective[j]);
  for (std::size_t i = 0; i < solution.rowDuals.size(); ++i)
    add(solution.rowDuals[i], lp_.rowLower[i], lp_.rowUpper[i], 0.0);
  solution.residuals = residualsOf(lp_, solution);
  return finite && bound >= sign * options_.objectiveLimit - 1e-9 * (1.0 + size);
}

void Simplex::tightenTolerances(Residuals const& residuals) {
  constexpr double smallest = 1e-12;
  auto tighten = [&](double& tolerance, double residual) {
    if (residual > 1e-9 || tolerance > 1e-9)
      tolerance = std::max(smallest, std::min(1e-9, 0.1 * tolerance));
  };
  tighten(primalTolerance_, residuals.primal);
  tighten(dualTolerance_, residuals.dual);
}

// Nothing more to gain: the tolerances are as tight as arithmetic allows and nothing moves.
bool Simplex::giveUp(Solution& solution, Residuals const& best) {
  bool const exhausted = primalTolerance_ <= 1.01e-12 && dualTolerance_ <= 1.01e-12;
  return exhausted && pivotsSinceRefactor_ == 0 && solution.residuals.largest() >= best.largest();
}

Solution Simplex::atLimit() {
  if (boundsPerturbed_ || costsPerturbed_ || startAltered_) removePerturbation();
  Solution solution = presentPoint(lp_, form_, engine_, engine_.snapshot());
  solution.residuals = residualsOf(lp_, solution);
  return solution;
}

Solution Simplex::finish(Solution solution, Status status) {
  solution.status = status;
  solution.iterations = iterations_;
  solution.phase1Iterations = phase1Iterations_;
  solution.engine = engine_.name();
  solution.device = engine_.device();
  solution.algorithm = algorithm_ == Algorithm::primal ? "primal" : "dual";
  switch (pricing_) {
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
  if (placed_ && callbacks_.checkpoint) {
    callbacks_.checkpoint(
        {solution.basis, iterations_, solution.seconds, algorithmAtWork(), toString(status)});
  }
  return solution;
}

}  // namespace osi_cuda
