// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/simplex/callbacks.hpp"
#include "osi_cuda/simplex/judge.hpp"
#include "osi_cuda/simplex/tracer.hpp"

namespace osi_cuda {

/// The control of the simplex method: phases, perturbation, when to refactor, limits, proofs. It
/// exists once and knows no device; pivots are the engine's.
///
/// A claim of an engine ("optimal", "ray") is never believed: the point or certificate is computed
/// anew from the original data and judged on the original problem (proof.hpp, judge.hpp). Where a
/// basis is optimal within working tolerances only, the point is refined before a pivot is made;
/// where the refined point is not optimal, tolerances are tightened, or the other algorithm goes
/// on.
class Simplex {
 public:
  /// How much is tried before a solve ends without a status.
  enum class Effort {
    whole,   ///< everything
    brief,   ///< what mostly helps: somebody with more digits goes on afterwards
    confirm  ///< nothing, unless the start passes for optimal: is it?
  };

  /// All references must outlive the object. The engine has `form` loaded; its basis may be any.
  Simplex(LinearProgram const& lp, StandardForm const& form, Engine& engine, Options const& options,
          Callbacks const& callbacks, Effort effort = Effort::whole);

  /// Solves from a basis (empty: the slack basis). An engine that holds that basis already keeps
  /// its tableau. `value` (by variable, scaled; or empty) says where nonbasic variables begin;
  /// those strictly between their bounds are pushed to one before anything else.
  Solution solve(Basis const& start, std::vector<double> const& value = {});

  /// Brings the engine to a basis without pivoting towards an optimum: bounds and costs are the
  /// form's, nonbasic variables rest where the basis says.
  void place(Basis const& start) { prepare(start); }

  /// Pivots since the engine's tableau was formed from the data; an engine that goes from solve to
  /// solve takes them along.
  std::int64_t pivotsSinceRefactor() const { return pivotsSinceRefactor_; }
  void continueFrom(std::int64_t pivots) { pivotsSinceRefactor_ = pivots; }

  /// Whether the optimum is one within the options' tolerances only: the basis is not optimal, and
  /// a solve with more digits may find another one.
  bool loose() const { return loose_; }
  /// Whether the optimum has no doubles that come near it: they stand up in two parts only.
  bool twoParts() const { return twoParts_; }
  /// The largest residual of the best point found, before it was rounded to doubles.
  double bestResidual() const { return bestResidual_; }

  /// Whether the solve was stopped in the middle of an engine's work: the engine needs a new load.
  bool engineLost() const { return engineLost_; }

  /// Whether the basis to start from was reached: else the solve has found nothing out.
  bool startReached() const { return placed_; }
  /// "primal" or "dual": the algorithm that was at work last.
  char const* algorithmAtWork() const;

 private:
  /// What an algorithm says when it stops.
  enum class Claim { settled, infeasible, unbounded, cutoff, limit, stuck };

  /// What came of a claim: it stands; the engine sees itself that the basis is not what it was
  /// taken for, once it measures by tighter tolerances; the basis is not what it was taken for, and
  /// pivots go on from a fresh tableau; or nothing that this engine can do brings it closer.
  enum class Outcome { proved, seen, refused, hopeless };

  /// When a pivot is too small: absolutely, or beside the largest entry of its column or row.
  struct PivotThresholds {
    double absolute;
    double relative;
  };

  Solution solveWatched(Basis const& start, std::vector<double> const& value);
  Solution stopHere();
  Stop pushToBounds(std::vector<double> const& value);
  /// Bounds with room for the point that pushes begin at, by variable.
  struct Room {
    std::vector<double> lower, upper;
  };
  int pullBetween(Room const& room);
  void prepare(Basis const& start);
  bool boundsCross() const;
  bool manyBoxed() const;
  void placeBasis(Basis const& start);
  Algorithm chooseAlgorithm(Measure const& measure) const;
  Pricing choosePricing(Algorithm algorithm) const;
  Pricing pricingFor(Algorithm algorithm, Phase phase) const;
  Algorithm nextAlgorithm(Measure const& measure, Algorithm last) const;

  Claim runPrimal();
  Claim runRelaxedPrimal();
  Claim runDual();
  Claim runModifiedDual();
  Stop iterate(Algorithm algorithm, Phase phase, char const* name);
  Stop launchUntilDone(Algorithm algorithm, Phase phase, char const* name);
  std::string whyEnded(Stop stop) const;
  char const* altered() const;
  PivotRequest makeRequest(Algorithm algorithm, Phase phase, PivotThresholds const& thresholds);
  void account(PivotRequest const& request, PivotReport const& report, char const* name);
  void resetStall();
  void watchStall(PivotReport const& report, Phase phase, Measure const& measure);
  bool stalled() const;
  bool outOfTime();
  bool limitReached();
  std::int64_t checkInterval() const;
  bool dueForCheck();
  bool tooFarFromData(bool phase1Costs);
  void refactor();
  bool recoverFromSmallPivot(PivotThresholds& thresholds);

  void perturb(Algorithm algorithm);
  void removePerturbation();
  void restoreCosts();
  bool widenBounds();
  void snapToBounds();
  int makeDualFeasible(bool shiftCosts);

  Outcome prove(Claim claim);
  Outcome proveOptimal();
  bool missesBeyondRounding(Solution const& point) const;
  void keepBest(Solution&& solution, double residual);
  bool goodBest() const;
  Outcome proveInfeasible();
  Outcome proveUnbounded();
  Outcome proveCutoff();
  Outcome settle(Solution&& certificate);
  void lowerPivotTolerance();
  bool tightenTolerances(Residuals const& residuals);
  bool gaining(Algorithm next, Measure const& measure);
  bool patienceLeft(int round) const;
  Solution presentSolution();
  Snapshot const& keepPoint(SnapshotContent content = SnapshotContent::all);
  bool checkpointDue() const;
  void saveCheckpoint(Snapshot const& point);
  Solution conclude();
  Solution finish(Solution solution) const;
  double seconds() const;

  LinearProgram const& lp_;
  StandardForm const& form_;
  Engine& engine_;
  Options const& options_;
  Callbacks const& callbacks_;
  Judge const judge_;
  Effort const effort_;
  std::chrono::steady_clock::time_point const begin_ = std::chrono::steady_clock::now();

  std::vector<double> lower_, upper_, cost_;   ///< working bounds and costs, by variable
  std::vector<double> trueLower_, trueUpper_;  ///< the form's, unless widened
  double widened_ = 0.0;  ///< by what share of 1 + |bound|, in the problem's own units
  bool boundsPerturbed_ = false;
  bool costsPerturbed_ = false;
  bool startAltered_ = false;  ///< bounds relaxed or costs modified until the start was feasible
  bool relaxed_ = false, modified_ = false;  ///< that was tried; once a solve each
  int perturbations_ = 0;
  int failedCutoffs_ = 0;
  int failedProofs_ = 0;  ///< claims of infeasibility or a ray that the judge did not accept
  int stuck_ = 0;         ///< runs that came to no end of their own
  int fruitless_ = 0;     ///< changes of algorithm by which nothing was gained
  double smallestViolation_[2] = {infinity, infinity};  ///< at changes to the primal, to the dual
  std::optional<Solution> proved_;                      ///< what the judge has accepted
  /// Of the points that were taken for optimal, the nearest to it; one of doubles that stands up to
  /// the judge goes before one in two parts.
  std::optional<Solution> best_;
  bool plainBest_ = false;          ///< it is one of doubles that stands up
  double bestResidual_ = infinity;  ///< of that point before it was rounded to doubles
  std::optional<Solution> weak_;    ///< a certificate whose margin is less than tolerances
  double primalTolerance_ = 1e-7;
  double dualTolerance_ = 1e-7;
  double pivotTolerance_ = 1e-7;  ///< smaller entries count as zero in ratio tests
  double relativePivot_ = 1e-7;   ///< beside the largest entry of a line: smaller ones are suspect

  bool longSteps_ = false;
  Algorithm algorithm_ = Algorithm::primal;
  std::int64_t pivotsSinceRefactor_ = 0;
  bool afterSmallPivot_ = false;  ///< the last refactorisation was due to one
  std::int64_t iterations_ = 0, phase1Iterations_ = 0;
  Tracer tracer_{callbacks_, iterations_};
  Drift freshDrift_;            ///< right after the last refactorisation that was due to drift
  std::int64_t lastCheck_ = 0;  ///< iterations at the last look at the drift
  int stallPerturbations_ = 0;
  int degenerateRun_ = 0;  ///< iterations in a row (by launches) that were mostly degenerate
  std::int64_t iterationsWithoutGain_ = 0;
  double bestMerit_ = 0.0;  ///< lowest value of what the running algorithm descends on
  Algorithm running_ = Algorithm::primal;
  Phase runningPhase_ = Phase::two;
  Status limit_ = Status::interrupted;
  PivotReport last_;
  Snapshot lastPoint_;  ///< the last that was kept: where a refactorisation began, or before that
  double lastPointSeconds_ = 0.0;          ///< when keepPoint() took it
  std::int64_t lastPointIterations_ = -1;  ///< that had been made then; -1: it took none yet
  bool placed_ = false;                    ///< the engine has reached the basis to start from
  bool engineLost_ = false;
  bool loose_ = false;
  bool twoParts_ = false;
  bool precise_ = false;         ///< the engine tells entries from rounding that doubles don't hold
  double goal_ = Judge::target;  ///< residuals of the refined point at which a basis is optimal
  double worstPivot_ = 1.0;      ///< the smallest so far, beside the largest entry of its line
};

}  // namespace osi_cuda
