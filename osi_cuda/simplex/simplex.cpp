// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/simplex.hpp"

#include <algorithm>
#include <utility>

#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/simplex/pushes.hpp"

namespace osi_cuda {
namespace {

/// Nonbasic variables at the start's values; of the reduced costs nothing is known.
Snapshot pointOf(StartingBasis const& start) {
  Snapshot point;
  point.value = start.value;
  point.reducedCost.assign(start.value.size(), 0.0);
  for (std::size_t v = 0; v < start.value.size(); ++v)
    (start.basic[v] ? point.basicVariable : point.nonbasicVariable).push_back(static_cast<int>(v));
  return point;
}

}  // namespace

Simplex::Simplex(LinearProgram const& lp, StandardForm const& form, Engine& engine,
                 Options const& options, Run& run, Effort effort)
    : task_{lp, form, engine, options, run, effort},
      tracer_(run),
      limits_(task_),
      tolerances_(task_),
      problem_(task_, tolerances_, tracer_),
      kept_(task_, counts_, limits_, tracer_),
      rounds_(task_, counts_),
      parts_{task_, counts_, tracer_, limits_, tolerances_, problem_, kept_, rounds_},
      runs_(parts_),
      algorithms_(parts_, runs_),
      prover_(parts_, runs_) {}

Solution Simplex::solve(Basis const& start, InteriorStart const& inside) {
  EngineWatch const watch(task_.engine, [this] {
    // No pivots since then: what is kept is the present point.
    if (kept_.isPresent() && kept_.checkpointDue()) kept_.saveCheckpoint(runs_.running());
    return limits_.outOfTime();
  });
  try {
    return solveWatched(start, inside);
  } catch (Interrupted const&) {  // in the middle of a refactorisation: its starting point is left
    engineLost_ = true;
    Solution solution =
        presentPoint(task_.lp, task_.form, kept_.isTaken() ? kept_.point() : pointOf(start_));
    if (!placed_ && start.columns.size() == solution.basis.columns.size() &&
        start.rows.size() == solution.basis.rows.size())
      solution.basis = start;  // the engine's is an older one
    return stopped(std::move(solution));
  }
}

Solution Simplex::solveWatched(Basis const& start, InteriorStart const& inside) {
  if (auto* const verifier = task_.engine.as<VerifiesPoints>()) verifier->verifyOn(task_.lp);
  place(start);
  placed_ = true;
  if (!inside.value.empty()) {
    Pushes pushes(parts_, runs_);
    if (!pushes.run(inside.value)) return stopHere();
    DualPushes dualPushes(parts_, runs_);
    if (!dualPushes.run(inside.multiplier)) return stopHere();
  }
  Measure const present = parts_.measure();
  first_ = chooseAlgorithm(present, !inside.value.empty());
  runs_.beginWith(first_);
  if (prover_.proveCrossedBounds()) return finish(prover_.conclude());
  tracer_.start(task_.lp, task_.engine, first_);
  return runRounds(present) ? finish(prover_.conclude()) : stopHere();
}

// The rule: run an algorithm until it settles, remove what was perturbed, measure, and let
// the algorithm whose feasibility survived finish; then prove. `present` is the measure of the
// point to begin with. False: a limit was reached.
bool Simplex::runRounds(Measure present) {
  Algorithm next = first_;
  bool forced = false;  // the algorithm that the point asks for got stuck: the other one
  for (int round = 0; rounds_.mayGoOn(round); ++round) {
    if (round > 0) present = parts_.measure();
    Claim claim = Claim::settled;
    if (present.primalCount > 0 || present.dualCount > 0) {
      if (round == 0 && task_.effort == Effort::confirm) {
        limits_.declare(Status::iterationLimit);
        return false;
      }
      if (round > 0 && !forced) next = nextAlgorithm(present, next);
      forced = false;
      tracer_.round(round, next, present);
      if (!rounds_.gaining(next, present)) continue;
      claim = algorithms_.run(next, present);
      if (claim == Claim::settled) continue;  // to be measured again, without what was perturbed
    }
    if (claim == Claim::limit) return false;
    if (claim == Claim::stuck) {
      rounds_.gotStuck();
      problem_.restore();
      runs_.refactor();
      next = runs_.running() == Algorithm::primal ? Algorithm::dual : Algorithm::primal;
      forced = true;
      continue;
    }
    Outcome const outcome = prover_.prove(claim);
    if (outcome == Outcome::proved) return true;
    if (outcome == Outcome::seen) continue;
    if (outcome == Outcome::hopeless) return true;
    if (claim != Claim::settled) problem_.restore();
    runs_.refactor();
  }
  return true;
}

void Simplex::place(Basis const& start) {
  start_ = startingBasis(task_.form, start, problem_.bounds());
  std::vector<char>& wanted = start_.basic;
  bool const there =
      std::ranges::all_of(task_.engine.snapshotOf(SnapshotContent::basis).basicVariable,
                          [&](int v) { return wanted[at(v)] != 0; });
  // After thousands of pivots a fresh tableau costs little beside them.
  bool const worn = counts_.sinceRefactor > 2000 + 4 * static_cast<std::int64_t>(task_.form.rows());
  if (worn || (!there && !reach(task_.engine, wanted))) {
    Refactorisation const change = task_.engine.refactor(wanted);
    for (int const v : change.dropped) wanted[at(v)] = 0;
    for (int const v : change.added) wanted[at(v)] = 1;
    counts_.sinceRefactor = 0;
  } else if (!there) {
    ++counts_.sinceRefactor;
  }
  task_.engine.setValues(start_.value);
  problem_.send();
}

// A start that is primal feasible needs nothing done to its bounds, one that is dual feasible
// nothing to its costs. Where it is neither, the dual takes less time (docs/evidence/netlib.md);
// but pushes leave few basic variables beyond their bounds, and by little, so that the primal has
// less to do on relaxed bounds: of 73 problems of Netlib it takes 7177 pivots after them, the
// dual 9555.
Algorithm Simplex::chooseAlgorithm(Measure const& measure, bool pushed) const {
  constexpr int few = 4;  // so many times fewer are beyond bounds than reduced costs are wrong
  if (task_.options.algorithm == AlgorithmChoice::primal) return Algorithm::primal;
  if (task_.options.algorithm == AlgorithmChoice::dual) return Algorithm::dual;
  if (pushed && few * measure.primalCount < measure.dualCount) return Algorithm::primal;
  return measure.primalCount == 0 ? Algorithm::primal : Algorithm::dual;
}

Algorithm Simplex::nextAlgorithm(Measure const& measure, Algorithm last) const {
  constexpr int manyFailedProofs = 3;
  if (measure.primalCount == 0) return Algorithm::primal;
  // The primal's certificate of infeasibility sums over all rows.
  if (rounds_.failedProofs() >= manyFailedProofs) return Algorithm::primal;
  if (measure.dualCount == 0) return Algorithm::dual;
  return last;
}

Solution Simplex::stopHere() {
  return stopped(prover_.presentSolution());
}

Solution Simplex::stopped(Solution solution) const {
  Verifier(task_.lp, task_.options).stopAt(limits_.which(), solution);
  return finish(std::move(solution));
}

Solution Simplex::finish(Solution solution) const {
  solution.unrounded = prover_.quality().residual;
  solution.engine = task_.engine.traits().name;
  solution.device = task_.engine.traits().device;
  solution.algorithm = solveAlgorithmOf(first_);
  solution.pricing = toString(pricingOf(task_, first_));
  tracer_.end(solution);
  return solution;
}

}  // namespace osi_cuda
