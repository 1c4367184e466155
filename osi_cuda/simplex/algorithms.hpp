// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/pivot_runs.hpp"

namespace osi_cuda {

/// The two algorithms as sequences of phases. A start that does not suit one is made feasible for
/// once by other bounds or costs, and the other one finishes. Where the options name an algorithm,
/// it has a phase 1 of its own instead.
class Algorithms : SharedParts {
 public:
  Algorithms(SharedParts const& parts, PivotRuns& runs) : SharedParts(parts), runs_(runs) {}

  /// Runs an algorithm from the engine's present point, with its measure, until it claims
  /// something.
  Claim run(Algorithm algorithm, Measure const& present) {
    return algorithm == Algorithm::primal ? runPrimal(present) : runDual(present);
  }

 private:
  // Where the start is not primal feasible, the violated bounds are relaxed for once: the primal
  // ends at a dual feasible basis, and the dual goes on from there with the true bounds. That takes
  // fewer and cheaper pivots than a phase 1 (docs/evidence/dense.md), which remains for what is
  // left and for who asked for the primal: from a dual feasible start all pivots would be the
  // dual's.
  Claim runPrimal(Measure present) {
    if (problem_.costsPerturbed() || problem_.startAltered()) present = restored();
    bool const infeasibleStart = present.primalCount > 0;
    bool const asked = task_.options.algorithm == AlgorithmChoice::primal;
    if (infeasibleStart && !asked && !relaxed_ && rounds_.failedProofs() == 0) {
      Claim const claim = runRelaxedPrimal();
      if (claim != Claim::stuck) return claim;
    }
    if (infeasibleStart) {
      Stop const stop = runs_.runPhase(Algorithm::primal, Phase::one, Stage::primal1);
      bool const infeasible = measure().primalCount > 0;
      task_.engine.setCosts(problem_.cost());
      if (stop == Stop::interrupted) return Claim::limit;
      // The sum of infeasibilities has no ray.
      if (stop != Stop::optimal) return asked && !relaxed_ ? runRelaxedPrimal() : Claim::stuck;
      if (infeasible) return Claim::infeasible;
    }
    Stop const stop = runs_.runPhase(Algorithm::primal, Phase::two, Stage::primal2);
    if (stop == Stop::interrupted) return Claim::limit;
    if (stop == Stop::ray) return Claim::unbounded;
    if (stop == Stop::unstable) return Claim::stuck;
    problem_.restore();
    return Claim::settled;
  }
  Claim runRelaxedPrimal() {
    relaxed_ = true;
    problem_.relaxStart();
    return runAltered(Algorithm::primal, Stage::primal1, Claim::stuck, &WorkingProblem::restore);
  }
  // The dual likewise: with modified costs it ends at a primal feasible basis, from which the
  // primal goes on with the true ones, or proves infeasibility, which no cost changes. Who asked
  // for the dual gets its phase 1 first; where that finds no dual feasible basis, there is no
  // optimum.
  Claim runDual(Measure present) {
    if (problem_.boundsPerturbed() || problem_.startAltered()) present = restored();
    auto const infeasible = [this](Measure const& point) {
      return point.dualCount > 0 && problem_.makeDualFeasible(WorkingProblem::Shifts::none) > 0;
    };
    bool modify = infeasible(present);
    if (modify && task_.options.algorithm == AlgorithmChoice::dual && !boxed_) {
      if (Claim const claim = runBoxedDual(); claim != Claim::settled) return claim;
      modify = infeasible(measure());
    }
    if (modify) return modified_ ? runPrimal(measure()) : runModifiedDual();
    Stop const stop = runs_.runPhase(Algorithm::dual, Phase::two, Stage::dual2);
    if (stop == Stop::interrupted) return Claim::limit;
    if (stop == Stop::ray) return Claim::infeasible;
    if (stop == Stop::unstable) return Claim::stuck;
    if (stop == Stop::cutoff) return Claim::cutoff;
    problem_.restoreAfterDual();
    return Claim::settled;
  }
  Claim runModifiedDual() {
    modified_ = true;
    problem_.modifyStart();
    return runAltered(Algorithm::dual, Stage::dual1, Claim::infeasible, &WorkingProblem::restore);
  }
  // Phase 1 of the dual as a problem of its own (Koberstein and Suhl 2007): its bounds make every
  // basis dual feasible, and its optimum is one with the true bounds, too, if there is any.
  Claim runBoxedDual() {
    boxed_ = true;
    problem_.boxStart();  // no ray: 0 satisfies all its bounds
    return runAltered(Algorithm::dual, Stage::dual1, Claim::stuck, &WorkingProblem::unbox);
  }
  /// From an altered start; `ofRay`: what a ray claims there, stuck where it proves nothing.
  Claim runAltered(Algorithm algorithm, Stage stage, Claim ofRay,
                   void (WorkingProblem::*restore)()) {
    Stop const stop = runs_.runPhase(algorithm, Phase::two, stage);
    if (stop == Stop::interrupted) return Claim::limit;
    if (stop == Stop::ray && ofRay != Claim::stuck) return ofRay;
    (problem_.*restore)();
    return stop == Stop::optimal ? Claim::settled : Claim::stuck;
  }
  /// With the problem's own bounds and costs.
  Measure restored() {
    problem_.restore();
    return measure();
  }

  PivotRuns& runs_;
  /// That was tried; once a solve each.
  bool relaxed_ = false, modified_ = false, boxed_ = false;
};

}  // namespace osi_cuda
