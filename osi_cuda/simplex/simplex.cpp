// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/simplex.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/model/residuals.hpp"
#include "osi_cuda/simplex/condition.hpp"
#include "osi_cuda/simplex/proof.hpp"

namespace osi_cuda {

Simplex::Simplex(LinearProgram const& lp, StandardForm const& form, Engine& engine,
                 Options const& options, Callbacks const& callbacks, Effort effort)
    : lp_(lp),
      form_(form),
      engine_(engine),
      options_(options),
      callbacks_(callbacks),
      judge_(lp, options),
      effort_(effort) {}

double Simplex::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

Solution Simplex::solve(Basis const& start, std::vector<double> const& value) {
  struct Watch {  // the engine outlives this object and must not ask it later
    Engine& engine;
    ~Watch() { engine.watch({}); }
  } const watch{engine_};
  engine_.watch([this] {  // no pivots since then: what is kept is the present point
    if (lastPointIterations_ == iterations_ && checkpointDue()) saveCheckpoint(lastPoint_);
    return outOfTime();
  });
  try {
    return solveWatched(start, value);
  } catch (Interrupted const&) {  // in the middle of a refactorisation: its starting point is left
    engineLost_ = true;
    Solution solution = presentPoint(lp_, form_, engine_, lastPoint_);
    if (!placed_ && start.columns.size() == solution.basis.columns.size() &&
        start.rows.size() == solution.basis.rows.size())
      solution.basis = start;  // the engine's is an older one
    judge_.stopAt(limit_, solution);
    return finish(std::move(solution));
  }
}

// The house rule: run an algorithm until it settles, remove what was perturbed, measure, and let
// the algorithm whose feasibility survived finish; then prove.
Solution Simplex::solveWatched(Basis const& start, std::vector<double> const& value) {
  prepare(start);
  placed_ = true;
  if (!value.empty() && pushToBounds(value) == Stop::interrupted) return stopHere();
  Measure measure = engine_.measure(primalTolerance_, dualTolerance_);
  algorithm_ = chooseAlgorithm(measure);
  if (boundsCross()) {  // bounds that cross need no multipliers: they are their own certificate
    Solution crossed = presentSolution();
    crossed.farkas.assign(static_cast<std::size_t>(form_.rows()), 0.0);
    if (judge_.claimInfeasible(crossed)) return finish(std::move(crossed));
  }
  Algorithm next = algorithm_;
  bool forced = false;  // the algorithm that the point asks for got stuck: the other one
  tracer_.start(lp_, engine_, algorithm_);
  for (int round = 0; patienceLeft(round); ++round) {
    if (round > 0) measure = engine_.measure(primalTolerance_, dualTolerance_);
    Claim claim = Claim::settled;
    if (measure.primalCount > 0 || measure.dualCount > 0) {
      if (round == 0 && effort_ == Effort::confirm) {
        limit_ = Status::iterationLimit;
        return stopHere();
      }
      if (round > 0 && !forced) next = nextAlgorithm(measure, next);
      forced = false;
      tracer_.round(round, next, measure);
      if (!gaining(next, measure)) continue;
      claim = next == Algorithm::primal ? runPrimal() : runDual();
      if (claim == Claim::settled) continue;  // to be measured again, without what was perturbed
    }
    if (claim == Claim::limit) return stopHere();
    if (claim == Claim::stuck) {
      ++stuck_;
      removePerturbation();
      refactor();
      next = running_ == Algorithm::primal ? Algorithm::dual : Algorithm::primal;
      forced = true;
      continue;
    }
    Outcome const outcome = prove(claim);
    if (outcome == Outcome::proved) break;
    if (outcome == Outcome::seen) continue;
    if (claim == Claim::infeasible && precise_ && !goodBest() && widenBounds()) continue;
    if (outcome == Outcome::hopeless) break;
    if (claim != Claim::settled) removePerturbation();
    refactor();
  }
  return conclude();
}

Solution Simplex::stopHere() {
  Solution solution = presentSolution();
  judge_.stopAt(limit_, solution);
  return finish(std::move(solution));
}

// Numbers that were enough for the problems of docs/netlib.md and docs/reliability.md. Brief: the
// precise engine takes about as long for a pivot as a tableau of some 100,000 entries.
bool Simplex::patienceLeft(int round) const {
  if (effort_ != Effort::brief) return round < 60 && stuck_ < 12 && fruitless_ < 16;
  std::int64_t const size = form_.variables();
  return round < 12 && stuck_ < 2 && fruitless_ < 2 && failedProofs_ < 2 &&
         iterations_ < 3000 + 30 * size;
}

// Primal and dual may take turns, each removing what the other left; but unless the point gets
// nearer to being optimal from turn to turn, they will do so for ever.
bool Simplex::gaining(Algorithm next, Measure const& measure) {
  double& smallest = smallestViolation_[next == Algorithm::primal ? 0 : 1];
  double const violation = measure.primalMax + measure.dualMax;
  if (violation < 0.5 * smallest) {
    smallest = violation;
    return true;
  }
  ++fruitless_;
  return patienceLeft(0);
}

/// Whether there is a point that may be claimed to be optimal.
bool Simplex::goodBest() const {
  return best_ && (plainBest_ || bestResidual_ <= Judge::target);
}

Solution Simplex::conclude() {
  if (proved_) return finish(std::move(*proved_));
  if (goodBest() && judge_.claimOptimal(*best_)) {
    loose_ = !(bestResidual_ <= goal_);
    twoParts_ = !plainBest_;
    return finish(std::move(*best_));
  }
  if (weak_) return finish(std::move(*weak_));
  Solution solution = best_ ? std::move(*best_) : presentSolution();
  judge_.admitFailure(solution, conditionEstimate(form_, engine_));
  return finish(std::move(solution));
}

void Simplex::prepare(Basis const& start) {
  precise_ = engine_.smallestPivot() < pivotTolerance_;
  // Where more digits are to be had, a basis that passes for optimal has to be optimal.
  // Of a start, what doubles can tell is enough: to look for more would be to make pivots.
  goal_ = effort_ == Effort::confirm ? 1e-15
          : precise_                 ? 1e-20
          : effort_ == Effort::brief ? 1e-12
                                     : Judge::target;
  pivotTolerance_ = engine_.smallestPivot();
  // There, entries are right to a rounding; but what is less than this beside others is made by the
  // rounding of coefficients, which differ from what their author meant by 1e-16.
  relativePivot_ = precise_ ? 1e-18 : pivotTolerance_;
  primalTolerance_ = options_.primalTolerance;
  dualTolerance_ = options_.dualTolerance;
  trueLower_ = lower_ = form_.lower;
  trueUpper_ = upper_ = form_.upper;
  cost_ = form_.cost;
  longSteps_ = manyBoxed();
  placeBasis(start);
  engine_.setBounds(lower_, upper_);
  engine_.setCosts(cost_);
}

// Where hardly a variable can flip, an ordinary ratio test mostly is enough.
bool Simplex::manyBoxed() const {
  std::size_t boxed = 0;
  for (std::size_t v = 0; v < lower_.size(); ++v)
    boxed += lower_[v] < upper_[v] && std::isfinite(lower_[v]) && std::isfinite(upper_[v]);
  return 4 * boxed >= lower_.size();
}

bool Simplex::boundsCross() const {
  for (std::size_t v = 0; v < lower_.size(); ++v)
    if (lower_[v] > upper_[v] || lower_[v] == infinity || upper_[v] == -infinity) return true;
  return false;
}

void Simplex::placeBasis(Basis const& start) {
  auto const n = static_cast<std::size_t>(form_.columns()),
             m = static_cast<std::size_t>(form_.rows());
  auto statusOf = [&](std::size_t v) {
    if (v < n) return v < start.columns.size() ? start.columns[v] : VariableStatus::atLower;
    VariableStatus const row =
        v - n < start.rows.size() ? start.rows[v - n] : VariableStatus::basic;
    if (row == VariableStatus::atLower) return VariableStatus::atUpper;  // slack = -activity
    if (row == VariableStatus::atUpper) return VariableStatus::atLower;
    return row;
  };
  std::vector<char> basic(n + m, 0);
  std::size_t count = 0;
  for (std::size_t v = 0; v < n + m; ++v) {
    if (!start.empty() && statusOf(v) == VariableStatus::basic && count < m) {
      basic[v] = 1;
      ++count;
    }
  }
  for (std::size_t i = 0; i < m && count < m; ++i) {  // fill up with slacks
    count += basic[n + i] ? 0 : 1;
    basic[n + i] = 1;
  }
  std::vector<double> value(n + m, 0.0);
  for (std::size_t v = 0; v < n + m; ++v) {
    bool const hasLower = std::isfinite(lower_[v]), hasUpper = std::isfinite(upper_[v]);
    if (hasUpper && (!hasLower || statusOf(v) == VariableStatus::atUpper))
      value[v] = upper_[v];
    else if (hasLower)
      value[v] = lower_[v];
  }
  std::vector<char> present(n + m, 0);
  lastPoint_ = engine_.snapshotOf(SnapshotContent::basis);
  for (int v : lastPoint_.basicVariable) present[static_cast<std::size_t>(v)] = 1;
  lastPoint_.value = value;
  lastPoint_.reducedCost.assign(n + m, 0.0);  // nothing is known of them yet
  // After thousands of pivots a fresh tableau costs little beside them.
  bool const worn = pivotsSinceRefactor_ > 2000 + 4 * static_cast<std::int64_t>(m);
  if (worn || (basic != present && !engine_.reach(basic))) {
    engine_.refactor(basic);
    pivotsSinceRefactor_ = 0;
  } else if (basic != present) {
    ++pivotsSinceRefactor_;
  }
  engine_.setValues(value);
}

// A start that is primal feasible needs nothing done to its bounds, one that is dual feasible
// nothing to its costs. Where it is neither, the dual takes less time (docs/netlib.md).
Algorithm Simplex::chooseAlgorithm(Measure const& measure) const {
  if (options_.algorithm == AlgorithmChoice::primal) return Algorithm::primal;
  if (options_.algorithm == AlgorithmChoice::dual) return Algorithm::dual;
  if (measure.primalCount == 0) return Algorithm::primal;
  return Algorithm::dual;
}

Pricing Simplex::choosePricing(Algorithm algorithm) const {
  switch (options_.pricing) {
    case PricingChoice::steepest:
      return Pricing::steepest;
    case PricingChoice::sketched:
      return Pricing::sketched;
    case PricingChoice::devex:
      return Pricing::devex;
    case PricingChoice::dantzig:
      return Pricing::dantzig;
    case PricingChoice::greatest:
      return Pricing::greatest;
    case PricingChoice::automatic:
      break;
  }
  return engine_.usualPricing(algorithm);
}

// Greatest improvement is a rule of the primal's phase 2; steepest edge stands in for it elsewhere.
Pricing Simplex::pricingFor(Algorithm algorithm, Phase phase) const {
  bool const phase2 = algorithm == Algorithm::primal && phase == Phase::two;
  Pricing const pricing = choosePricing(algorithm);
  return pricing == Pricing::greatest && !phase2 ? Pricing::steepest : pricing;
}

Algorithm Simplex::nextAlgorithm(Measure const& measure, Algorithm last) const {
  if (measure.primalCount == 0) return Algorithm::primal;
  if (failedProofs_ >= 3) return Algorithm::primal;  // its certificate sums over all rows
  if (measure.dualCount == 0) return Algorithm::dual;
  return last;
}

PivotRequest Simplex::makeRequest(Algorithm algorithm, Phase phase,
                                  PivotThresholds const& thresholds) {
  PivotRequest request;
  request.algorithm = algorithm;
  request.phase = phase;
  request.pricing = pricingFor(algorithm, phase);
  request.primalTolerance = primalTolerance_;
  request.dualTolerance = dualTolerance_;
  request.harris = 0.1 * (algorithm == Algorithm::primal ? primalTolerance_ : dualTolerance_);
  request.pivotTolerance = thresholds.absolute;
  request.relativePivot = thresholds.relative;
  request.longSteps = longSteps_;
  request.seed = options_.seed;
  request.firstPivot = iterations_;
  auto const left = options_.iterationLimit - iterations_;
  // The objective limit speaks of the true costs: a perturbed objective proves nothing.
  if (algorithm == Algorithm::dual && phase == Phase::two && !costsPerturbed_ && !startAltered_ &&
      std::isfinite(options_.objectiveLimit) && failedCutoffs_ < 2) {
    request.useCutoff = true;
    request.cutoff = (options_.objectiveLimit - lp_.objectiveOffset) * form_.costScale -
                     engine_.measure(primalTolerance_, dualTolerance_).objective;
  }
  request.budget = static_cast<int>(std::min<std::int64_t>(left, engine_.mostPivots()));
  int const most = request.pricing == Pricing::greatest ? 1 : engine_.blockSize();  // pivots
  request.checkDrift = iterations_ + most - lastCheck_ >= checkInterval();
  return request;
}

bool Simplex::outOfTime() {
  if (callbacks_.interrupted && callbacks_.interrupted()) {
    limit_ = Status::interrupted;
    return true;
  }
  limit_ = Status::timeLimit;
  return seconds() > options_.timeLimit;
}

bool Simplex::limitReached() {
  if (outOfTime()) return true;
  limit_ = Status::iterationLimit;
  return iterations_ >= options_.iterationLimit;
}

// Pivots until the loop has nothing more to do, refactoring where the tableau drifts from the data.
// Stop::unstable: small pivots that no refactorisation cures; Stop::interrupted: a limit.
Stop Simplex::iterate(Algorithm algorithm, Phase phase, char const* name) {
  Stop const stop = launchUntilDone(algorithm, phase, name);
  if (tracer_.listening()) tracer_.phaseEnd(name, stop, whyEnded(stop));
  return stop;
}

// What the stop alone doesn't tell, for the trace.
std::string Simplex::whyEnded(Stop stop) const {
  if (stop == Stop::interrupted) return toString(limit_);
  if (stop != Stop::unstable) return "";
  return last_.stop == Stop::unstable ? "pivots stay too small" : "it stalls whatever is perturbed";
}

Stop Simplex::launchUntilDone(Algorithm algorithm, Phase phase, char const* name) {
  PivotThresholds thresholds{pivotTolerance_, relativePivot_};
  int idle = 0;  // launches in a row without a pivot
  running_ = algorithm;
  runningPhase_ = phase;
  resetStall();
  if (options_.perturbation == Toggle::on && perturbations_ == 0) perturb(algorithm);
  for (;;) {
    if (limitReached()) return Stop::interrupted;
    if (!patienceLeft(0)) return Stop::unstable;
    engine_.computeWeights(algorithm, pricingFor(algorithm, phase));
    bool const phase1Costs = algorithm == Algorithm::primal && phase == Phase::one;
    if (phase1Costs) engine_.computePhase1Costs(primalTolerance_);
    PivotRequest request = makeRequest(algorithm, phase, thresholds);
    last_ = engine_.run(request);
    account(request, last_, name);
    // A fold or a refactorisation can be broken off in the middle: what is left is a kept point.
    if (seconds() - lastPointSeconds_ > 0.05) keepPoint();
    if (checkpointDue()) saveCheckpoint(keepPoint());
    // A launch makes a pivot or says why not: some that do neither mean that none will.
    constexpr int mostIdle = 20;
    idle = last_.iterations > 0 ? 0 : idle + 1;
    if (idle > mostIdle) return Stop::unstable;
    // A ray has a place; who names none has lost the thread.
    auto const places =
        static_cast<int>(algorithm == Algorithm::primal ? form_.columns() : form_.rows());
    bool const placed = last_.position >= 0 && last_.position < places;
    if (last_.stop == Stop::ray && !placed) return Stop::unstable;
    switch (last_.stop) {
      case Stop::optimal:
      case Stop::ray:
      case Stop::cutoff:
        return last_.stop;
      case Stop::unstable:
        if (!recoverFromSmallPivot(thresholds)) return Stop::unstable;
        break;
      case Stop::interrupted:
      case Stop::budget:
      case Stop::full:
        if (dueForCheck() && tooFarFromData(phase1Costs)) {
          refactor();
          freshDrift_ = engine_.drift();
          if (algorithm == Algorithm::dual) makeDualFeasible(true);
        }
        break;
    }
    if (stalled() && options_.perturbation != Toggle::off) {
      if (stallPerturbations_ >= 6) return Stop::unstable;  // nothing helps: let the other one try
      perturb(algorithm);
      resetStall();
    }
  }
}

void Simplex::account(PivotRequest const& request, PivotReport const& report, char const* name) {
  Phase const phase = request.phase;
  iterations_ += report.iterations;
  worstPivot_ = std::min(worstPivot_, report.worstPivot);
  if (phase == Phase::one || startAltered_) phase1Iterations_ += report.iterations;
  pivotsSinceRefactor_ += report.iterations;
  Measure const measure = engine_.measure(primalTolerance_, dualTolerance_);
  watchStall(report, phase, measure);
  double const objective = measure.objective / form_.costScale + lp_.objectiveOffset;
  tracer_.launch(request, report, name, measure, objective, altered());
  if (callbacks_.progress) {
    Progress progress;
    progress.iterations = iterations_;
    progress.seconds = seconds();
    progress.objective = objective;
    progress.infeasibility =
        running_ == Algorithm::dual || phase == Phase::one ? measure.primalSum : measure.dualSum;
    progress.phase = name;
    callbacks_.progress(progress);
  }
}

void Simplex::resetStall() {
  degenerateRun_ = 0;
  iterationsWithoutGain_ = 0;
  bestMerit_ = infinity;
}

// Degenerate: launch after launch, most steps have length zero. Without gain: what the algorithm
// descends on has not fallen for long, as in a cycle of tiny steps.
void Simplex::watchStall(PivotReport const& report, Phase phase, Measure const& measure) {
  if (report.iterations > 0 && 4 * report.degenerate > report.iterations)
    degenerateRun_ += report.iterations;
  else
    degenerateRun_ = 0;
  double const merit = running_ == Algorithm::dual ? -measure.objective
                       : phase == Phase::one       ? measure.primalSum
                                                   : measure.objective;
  if (merit < bestMerit_ - 1e-12 * std::fabs(bestMerit_) || bestMerit_ == infinity) {
    bestMerit_ = merit;
    iterationsWithoutGain_ = 0;
  } else {
    iterationsWithoutGain_ += report.iterations;
  }
}

bool Simplex::stalled() const {
  bool const perturbed = running_ == Algorithm::primal ? boundsPerturbed_ : costsPerturbed_;
  if (!perturbed && perturbations_ < 8 && degenerateRun_ >= 32) return true;
  return iterationsWithoutGain_ >= 500 + (form_.rows() + form_.columns()) / 4;
}

// Two products with A are cheap beside the pivots of a launch, unless A is dense: then they wait
// for as many pivots as make them so. A matter of sizes, not of time: runs have to be repeatable.
// Launches of a single pivot are not looked at more often than others.
std::int64_t Simplex::checkInterval() const {
  std::int64_t const cheap = std::min<std::int64_t>(form_.matrix().nonzeros() / 25000, 2000);
  bool const single = options_.pricing == PricingChoice::greatest;
  return single ? std::max<std::int64_t>(cheap, engine_.blockSize()) : cheap;
}

bool Simplex::dueForCheck() {
  if (iterations_ - lastCheck_ < checkInterval()) return false;
  lastCheck_ = iterations_;
  return true;
}

// Sums of very many terms carry more rounding; and what a fresh tableau has, another one would have
// as well.
bool Simplex::tooFarFromData(bool phase1Costs) {
  double const smallest = std::max(1e-9, 2e-13 * form_.variables());
  auto const tolerated = [&](double fresh) {
    return std::max(smallest, std::min(5.0 * fresh, 1e-7));
  };
  Drift const drift = engine_.drift();
  bool const tooFar = drift.primal > tolerated(freshDrift_.primal) ||
                      (!phase1Costs && drift.dual > tolerated(freshDrift_.dual));
  tracer_.drift(drift, tooFar);
  return tooFar;
}

// A pivot that is small beside the rest of its column or row: first a fresh tableau; if that has
// it too, it is real, and good as long as it is well above rounding; else treat it as zero. A
// second fresh tableau after pivots that gained nothing would be the beginning of a cycle.
bool Simplex::recoverFromSmallPivot(PivotThresholds& thresholds) {
  bool const inVain = afterSmallPivot_ && iterationsWithoutGain_ >= pivotsSinceRefactor_;
  if (pivotsSinceRefactor_ > 0) {
    refactor();
    if (running_ == Algorithm::dual) makeDualFeasible(true);
    afterSmallPivot_ = true;
    if (!inVain) return true;
  }
  if (thresholds.relative > 1e-10) {
    thresholds.relative *= 1e-2;
  } else if (thresholds.absolute < 1e-5) {
    thresholds.absolute *= 10.0;
  } else {
    return false;
  }
  return true;
}

void Simplex::refactor() {
  keepPoint();
  std::vector<char> basic(lastPoint_.value.size(), 0);
  for (int v : lastPoint_.basicVariable) basic[static_cast<std::size_t>(v)] = 1;
  Refactorisation const change = engine_.refactor(basic);
  if (tracer_.listening()) tracer_.refactor(change, conditionEstimate(form_, engine_));
  if (!change.dropped.empty()) snapToBounds();
  pivotsSinceRefactor_ = 0;
  afterSmallPivot_ = false;
}

}  // namespace osi_cuda
