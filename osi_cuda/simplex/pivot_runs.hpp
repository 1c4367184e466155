// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "osi_cuda/simplex/kept_point.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/simplex/watches.hpp"
#include "osi_cuda/simplex/working_problem.hpp"

namespace osi_cuda {

/// What the parts of the control of one solve work with, each of which has it as a base. All of it
/// must outlive them.
struct SharedParts {
  Task const& task_;
  Counts& counts_;
  Tracer const& tracer_;
  Limits& limits_;
  Tolerances& tolerances_;
  WorkingProblem& problem_;
  KeptPoint& kept_;
  RoundWatch& rounds_;

  /// Of the engine's present point, within the tolerances of the moment.
  Measure measure() const { return task_.engine.measure(tolerances_.primal(), tolerances_.dual()); }
};

/// What an algorithm says when it stops; nothing of it is believed.
enum class Claim { settled, infeasible, unbounded, cutoff, limit, stuck };

/// What came of a claim: it stands; the engine sees itself that the basis is not what it was taken
/// for, once it measures by tighter tolerances; the basis is not what it was taken for, and pivots
/// go on from a fresh tableau; or nothing that this engine can do brings it closer.
enum class Outcome { proved, seen, refused, hopeless };

/// The engine's runs of pivots, one after the other, until a phase of an algorithm ends: what each
/// is asked for, when to refactor, when to perturb, when a limit is reached. Knows no phase but the
/// one at work.
class PivotRuns : SharedParts {
 public:
  explicit PivotRuns(SharedParts const& parts)
      : SharedParts(parts), stall_(task_.form), drift_(task_) {}

  /// The algorithm that the solve begins with.
  void beginWith(Algorithm algorithm) { running_ = algorithm; }

  /// Pivots until the loop has nothing more to do, refactoring where the tableau drifts from the
  /// data. Stop::unstable: small pivots that no refactorisation cures; Stop::interrupted: a limit.
  Stop runPhase(Algorithm algorithm, Phase phase, Stage stage) {
    Stop const stop = launchUntilDone(algorithm, phase, stage);
    if (tracer_.listening()) tracer_.phaseEnd(toString(stage), stop, whyEnded(stop));
    return stop;
  }

  /// One run of at most so many pivots by Dantzig's rule, with a refactorisation after it where one
  /// is due: the pushes of pushes.hpp. Returns the variable that ended a run of
  /// dual pivots because no other can take its place; -1: there was none.
  int runPushes(Algorithm algorithm, int budget) {
    running_ = algorithm;
    task_.engine.computeWeights(algorithm, Pricing::dantzig);
    PivotRequest request =
        makeRequest(algorithm, Phase::two, {tolerances_.pivot(), tolerances_.relativePivot()});
    request.pricing = Pricing::dantzig;
    request.budget = std::min(request.budget, budget);
    run(request, Stage::push);
    int stuck = -1;  // asked for before a refactorisation gives it another position
    if (algorithm == Algorithm::dual && last_.stop == Stop::ray && namesPlace(last_))
      stuck = task_.engine.snapshotOf(SnapshotContent::basis)
                  .basicVariable[static_cast<std::size_t>(last_.position)];
    if (last_.stop == Stop::unstable && counts_.sinceRefactor > 0) refactor();
    refactorIfDrifted(false);
    return stuck;
  }

  /// One run of the engine's own pushes; whether they are at their end.
  bool pushColumns(PushesColumns& engine, int& next) {
    running_ = Algorithm::primal;
    PivotRequest const request =
        makeRequest(running_, Phase::two, {tolerances_.pivot(), tolerances_.relativePivot()});
    task_.run.budget().enter(algorithmOf(Stage::push), phaseOf(Stage::push));
    last_ = engine.push(next, request);
    account(request, Stage::push);
    return last_.stop == Stop::optimal;
  }

  /// A fresh tableau of the present basis.
  void refactor() {
    Snapshot const& point = kept_.take();
    std::vector<char> basic(point.value.size(), 0);
    for (int v : point.basicVariable) basic[static_cast<std::size_t>(v)] = 1;
    Refactorisation const change = task_.engine.refactor(basic);
    if (tracer_.listening()) tracer_.refactor(change, conditionEstimate(task_.form, task_.engine));
    if (!change.dropped.empty()) problem_.snapToBounds();
    counts_.sinceRefactor = 0;
    afterSmallPivot_ = false;
  }

  PivotReport const& last() const { return last_; }
  /// The algorithm at work.
  Algorithm running() const { return running_; }

 private:
  /// A block update or a refactorisation can be broken off in the middle: what is left then is a
  /// point that was kept, not much older than this, in seconds.
  static constexpr double oldestPoint = 0.05;

  /// A launch makes a pivot or says why not: so many that do neither mean that none will.
  static constexpr int mostIdle = 20;

  /// Whether enough variables can flip for most steps to pass breakpoints.
  static bool manyBoxed(BoundsView const& bounds) {
    std::size_t boxed = 0;
    for (std::size_t v = 0; v < bounds.lower.size(); ++v)
      boxed +=
          bounds.lower[v] < bounds.upper[v] && std::isfinite(bounds.upper[v] - bounds.lower[v]);
    return 4 * boxed >= bounds.lower.size();
  }

  /// When a pivot is too small: absolutely, or beside the largest entry of its column or row.
  struct PivotThresholds {
    double absolute;
    double relative;
  };

  Stop launchUntilDone(Algorithm algorithm, Phase phase, Stage stage) {
    PivotThresholds thresholds{tolerances_.pivot(), tolerances_.relativePivot()};
    int idle = 0;  // launches in a row without a pivot
    running_ = algorithm;
    passing_ = !task_.engine.traits().dearMessages && manyBoxed(problem_.bounds());
    stall_.reset();
    if (task_.options.perturbation == Toggle::on && problem_.neverPerturbed())
      problem_.perturb(algorithm);
    for (;;) {
      if (limits_.reached()) return Stop::interrupted;
      if (!rounds_.mayGoOn()) return Stop::unstable;
      task_.engine.computeWeights(algorithm, pricingOf(task_, algorithm, phase));
      bool const phase1Costs = algorithm == Algorithm::primal && phase == Phase::one;
      if (phase1Costs) task_.engine.computePhase1Costs(tolerances_.primal());
      run(makeRequest(algorithm, phase, thresholds), stage);
      if (kept_.age() > oldestPoint) kept_.take();
      if (kept_.checkpointDue()) {
        kept_.take();
        kept_.saveCheckpoint(running_);
      }
      idle = last_.iterations > 0 ? 0 : idle + 1;
      if (idle > mostIdle) return Stop::unstable;
      if (last_.stop == Stop::ray && !namesPlace(last_)) return Stop::unstable;
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
          refactorIfDrifted(phase1Costs);
          break;
      }
      if (stalled() && mayPerturb()) {
        if (problem_.perturbedInVain()) return Stop::unstable;  // let the other algorithm try
        problem_.perturb(algorithm);
        stall_.reset();
      }
    }
  }
  PivotRequest makeRequest(Algorithm algorithm, Phase phase, PivotThresholds const& thresholds) {
    PivotRequest request;
    request.algorithm = algorithm;
    request.phase = phase;
    request.pricing = pricingOf(task_, algorithm, phase);
    request.primalTolerance = tolerances_.primal();
    request.dualTolerance = tolerances_.dual();
    request.harris =
        0.1 * (algorithm == Algorithm::primal ? tolerances_.primal() : tolerances_.dual());
    request.pivotTolerance = thresholds.absolute;
    request.relativePivot = thresholds.relative;
    request.passing = passing_;
    request.seed = task_.options.seed;
    request.firstPivot = counts_.iterations;
    // The objective limit speaks of the true costs: a perturbed objective proves nothing.
    bool const trueCosts = !problem_.costsPerturbed() && !problem_.startAltered();
    constexpr int mostFailedCutoffs = 2;
    if (algorithm == Algorithm::dual && phase == Phase::two && trueCosts &&
        std::isfinite(task_.options.objectiveLimit) &&
        rounds_.failedCutoffs() < mostFailedCutoffs) {
      request.useCutoff = true;
      request.cutoff =
          (task_.options.objectiveLimit - task_.lp.objectiveOffset) * task_.form.costScale -
          measure().objective;
    }
    request.budget = static_cast<int>(std::min<std::int64_t>(task_.run.budget().iterationsLeft(),
                                                             task_.engine.traits().mostPivots));
    int const most =
        ruleOf(request.pricing).wholeSteps ? 1 : task_.engine.traits().blockSize;  // pivots
    // A first launch mostly comes to the phase's end, where nobody looks.
    request.checkDrift = last_.stop == Stop::full && drift_.dueBy(counts_.iterations + most);
    return request;
  }
  void run(PivotRequest const& request, Stage stage) {
    task_.run.budget().enter(algorithmOf(stage), phaseOf(stage));
    last_ = task_.engine.run(request);
    account(request, stage);
  }
  void account(PivotRequest const& request, Stage stage) {
    bool const phase1 = request.phase == Phase::one, dual = running_ == Algorithm::dual;
    counts_.iterations += last_.iterations;
    bool const first = phase1 || problem_.startAltered();
    task_.run.spend(last_.iterations, first);
    task_.run.budget().addWork(last_.iterations * task_.engine.traits().pivotSeconds +
                               task_.engine.countedWork());
    counts_.worstPivot = std::min(counts_.worstPivot, last_.worstPivot);
    counts_.sinceRefactor += last_.iterations;
    // Where the phase has come to its end, nobody else asks for the merit.
    bool const ended =
        last_.stop == Stop::optimal || last_.stop == Stop::ray || last_.stop == Stop::cutoff;
    if (ended && !tracer_.listening() && !task_.run.reports()) return;
    Measure const present = measure();
    stall_.observe(last_, dual     ? -present.objective
                          : phase1 ? present.primalSum
                                   : present.objective);
    double const objective = present.objective / task_.form.costScale + task_.lp.objectiveOffset;
    tracer_.launch(request, last_, toString(stage), present, objective, problem_.altered());
    if (!task_.run.reports()) return;
    Progress progress;
    progress.objective = objective;
    progress.infeasibility = dual || phase1 ? present.primalSum : present.dualSum;
    progress.stage = stage;
    task_.run.progress(progress);
  }
  // A ray has a place; who names none has lost the thread.
  bool namesPlace(PivotReport const& report) const {
    auto const places =
        static_cast<int>(running_ == Algorithm::primal ? task_.form.columns() : task_.form.rows());
    return report.position >= 0 && report.position < places;
  }
  void refactorIfDrifted(bool phase1Costs) {
    if (!drift_.look(counts_.iterations)) return;
    Engine& engine = task_.engine;
    auto const tooFar = [&] {
      Drift const drift = engine.drift();
      bool const far = drift_.tooFar(drift, phase1Costs);
      tracer_.drift(drift, far);
      return far;
    };
    if (!tooFar()) return;
    // Mostly the point has drifted and the tableau has not: formed anew and refined by it, the
    // point tells.
    auto* const verifier = engine.as<VerifiesPoints>();
    if (!verifier || !verifier->refinePoint() || tooFar()) {
      refactor();
      drift_.takeFresh(engine.drift());
    }
    if (running_ == Algorithm::dual) problem_.makeDualFeasible(WorkingProblem::Shifts::allowed);
  }
  // A pivot that is small beside the rest of its column or row: first a fresh tableau; if that has
  // it too, it is real, and good as long as it is well above rounding; else treat it as zero. A
  // second fresh tableau after pivots that gained nothing would be the beginning of a cycle.
  bool recoverFromSmallPivot(PivotThresholds& thresholds) {
    bool const inVain = afterSmallPivot_ && stall_.withoutGain() >= counts_.sinceRefactor;
    if (counts_.sinceRefactor > 0) {
      refactor();
      if (running_ == Algorithm::dual) problem_.makeDualFeasible(WorkingProblem::Shifts::allowed);
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
  bool stalled() const {
    return (problem_.mayPerturb(running_) && stall_.degenerate()) || stall_.fruitless();
  }
  // Who switches perturbations off has pivots on the problem's own numbers as long as they get
  // anywhere. A cycle of them never ends.
  bool mayPerturb() {
    if (task_.options.perturbation != Toggle::off) return true;
    if (!stall_.fruitless()) return false;
    if (problem_.neverPerturbed())
      task_.run.notice("no gain in " + std::to_string(stall_.withoutGain()) +
                       " pivots: perturbing although perturbations are off");
    return true;
  }
  // What the stop alone doesn't tell, for the trace.
  std::string whyEnded(Stop stop) const {
    if (stop == Stop::interrupted) return toString(limits_.which());
    if (stop != Stop::unstable) return "";
    return last_.stop == Stop::unstable ? "pivots stay too small"
                                        : "it stalls whatever is perturbed";
  }

  StallWatch stall_;
  DriftWatch drift_;
  Algorithm running_ = Algorithm::primal;
  bool passing_ = false;  ///< of the phase's requests
  PivotReport last_;
  bool afterSmallPivot_ = false;  ///< the last refactorisation was due to one
};

}  // namespace osi_cuda
