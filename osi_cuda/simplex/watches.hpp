// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/simplex/pivoting.hpp"
#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

/// Whether the pivots of a phase get anywhere. Degenerate: run after run, most steps have length
/// zero. Fruitless: what the algorithm descends on has not fallen for long, as in a cycle of tiny
/// steps.
class StallWatch {
 public:
  explicit StallWatch(StandardForm const& form)
      : mostWithoutGain_(500 + (form.rows() + form.columns()) / 4) {}

  /// A phase begins, or another perturbation has been made.
  void reset() {
    degenerateRun_ = 0;
    withoutGain_ = 0;
    bestMerit_ = infinity;
  }
  /// A run came back; `merit` is what the algorithm descends on, after it.
  void observe(PivotReport const& report, double merit) {
    bool const mostlyDegenerate =
        report.iterations > 0 && 4 * report.degenerate > report.iterations;
    degenerateRun_ = mostlyDegenerate ? degenerateRun_ + report.iterations : 0;
    if (merit < bestMerit_ - 1e-12 * std::fabs(bestMerit_) || bestMerit_ == infinity) {
      bestMerit_ = merit;
      withoutGain_ = 0;
    } else {
      withoutGain_ += report.iterations;
    }
  }

  bool degenerate() const { return degenerateRun_ >= mostDegenerate; }
  bool fruitless() const { return withoutGain_ >= mostWithoutGain_; }
  /// Iterations since the merit fell last.
  std::int64_t withoutGain() const { return withoutGain_; }

 private:
  static constexpr std::int64_t mostDegenerate = 32;

  std::int64_t mostWithoutGain_;    ///< so many iterations without gain are too many
  std::int64_t degenerateRun_ = 0;  ///< iterations of successive runs that were mostly degenerate
  std::int64_t withoutGain_ = 0;
  double bestMerit_ = infinity;
};

/// Whether the rounds of the control get anywhere: a round is a measure, a run of one algorithm and
/// a proof. It counts what came to nothing, and says when that is enough.
class RoundWatch {
 public:
  /// Both must outlive the object.
  RoundWatch(Task const& task, Counts const& counts) : task_(task), counts_(counts) {}

  /// Whether another round may begin, or a run in it go on.
  // Numbers that were enough for the problems of docs/evidence/netlib.md and
  // docs/evidence/reliability.md. Brief: the precise engine takes about as long for a pivot as a
  // tableau of some 100,000 entries.
  bool mayGoOn(int round = 0) const {
    if (counts_.iterations > enough_) return false;
    bool const brief = task_.effort == Effort::brief || task_.effort == Effort::resumed;
    if (!brief) return round < 60 && stuck_ < 12 && fruitless_ < 16;
    std::int64_t const size = task_.form.variables();
    return round < 12 && stuck_ < 2 && fruitless_ < 2 && failedProofs_ < 2 &&
           counts_.iterations < 3000 + 30 * size;
  }

  /// A change to `next`, from a point of that measure. False: it is not nearer to being optimal
  /// than when that algorithm began last, and that has been so too often.
  // Primal and dual may take turns, each removing what the other left; but unless the point gets
  // nearer to being optimal from turn to turn, they will do so for ever.
  bool gaining(Algorithm next, Measure const& measure) {
    double& smallest = smallestViolation_[next == Algorithm::primal ? 0 : 1];
    double const violation = measure.primalMax + measure.dualMax;
    if (violation < 0.5 * smallest) {
      smallest = violation;
      return true;
    }
    ++fruitless_;
    return mayGoOn();
  }

  /// A point came within the target, which is enough: what it misses beside that may be the
  /// rounding of the pivots themselves, so that only a few more are made for its sake.
  void reachedTarget() {
    enough_ = std::min(enough_, counts_.iterations + 100 + task_.form.variables() / 10);
  }

  void gotStuck() { ++stuck_; }
  void proofFailed() { ++failedProofs_; }
  void cutoffFailed() { ++failedCutoffs_; }
  int failedProofs() const { return failedProofs_; }
  int failedCutoffs() const { return failedCutoffs_; }

 private:
  Task const& task_;
  Counts const& counts_;
  double smallestViolation_[2] = {infinity, infinity};  ///< at changes to the primal, to the dual
  int stuck_ = 0;                                       ///< runs that came to no end of their own
  int fruitless_ = 0;  ///< changes of algorithm by which nothing was gained
  std::int64_t enough_ = std::numeric_limits<std::int64_t>::max();  ///< iterations
  int failedProofs_ = 0;  ///< claims of infeasibility or a ray that the verifier did not accept
  int failedCutoffs_ = 0;
};

/// When to look how far the engine's numbers have drifted from the data, and how far is too far.
class DriftWatch {
 public:
  /// `task` must outlive the object.
  explicit DriftWatch(Task const& task) : task_(task) {}

  /// Whether a look is due by that number of iterations.
  bool dueBy(std::int64_t iterations) const { return iterations - lastLook_ >= interval(); }
  /// The same; where it is, it counts as made.
  bool look(std::int64_t iterations) {
    if (!dueBy(iterations)) return false;
    lastLook_ = iterations;
    return true;
  }

  /// `costsOfPhase1`: the reduced costs are not those of the costs, and say nothing.
  // Sums of very many terms carry more rounding; and what a fresh tableau has, another one would
  // have as well.
  bool tooFar(Drift const& drift, bool costsOfPhase1) const {
    double const smallest = std::max(1e-9, 2e-13 * task_.form.variables());
    auto const tolerated = [&](double fresh) {
      return std::max(smallest, std::min(5.0 * fresh, 1e-7));
    };
    return drift.primal > tolerated(fresh_.primal) ||
           (!costsOfPhase1 && drift.dual > tolerated(fresh_.dual));
  }
  /// What a tableau has right after a refactorisation that was due to drift.
  void takeFresh(Drift const& drift) { fresh_ = drift; }

 private:
  // Two products with A are cheap beside the pivots of a launch, unless A is dense: then they wait
  // for as many pivots as make them so. A matter of sizes, not of time: runs have to be repeatable.
  // Launches of a single pivot are not looked at more often than others.
  std::int64_t interval() const {
    std::int64_t const cheap = std::min<std::int64_t>(task_.form.nonzeros() / 25000, 2000);
    bool const single = ruleOf(task_.options.pricing).wholeSteps;
    return single ? std::max<std::int64_t>(cheap, task_.engine.traits().blockSize) : cheap;
  }

  Task const& task_;
  Drift fresh_;
  std::int64_t lastLook_ = 0;  ///< iterations then
};

}  // namespace osi_cuda
