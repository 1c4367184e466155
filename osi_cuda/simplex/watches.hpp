// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
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
  void reset();
  /// A run came back; `merit` is what the algorithm descends on, after it.
  void observe(PivotReport const& report, double merit);

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
  bool mayGoOn(int round = 0) const;

  /// A change to `next`, from a point of that measure. False: it is not nearer to being optimal
  /// than when that algorithm began last, and that has been so too often.
  bool gaining(Algorithm next, Measure const& measure);

  /// A point came within the target, which is enough: what it misses beside that may be the
  /// rounding of the pivots themselves, so that only a few more are made for its sake.
  void reachedTarget() {
    enough_ = std::min(enough_, counts_.iterations + 100 + task_.form.variables() / 10);
  }

  void gotStuck() { ++stuck_; }
  void proofFailed() { ++failedProofs_; }
  void cutoffFailed() { ++failedCutoffs_; }
  void forgetFailedProofs() { failedProofs_ = 0; }
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
  bool look(std::int64_t iterations);

  /// `costsOfPhase1`: the reduced costs are not those of the costs, and say nothing.
  bool tooFar(Drift const& drift, bool costsOfPhase1) const;
  /// What a tableau has right after a refactorisation that was due to drift.
  void takeFresh(Drift const& drift) { fresh_ = drift; }

 private:
  std::int64_t interval() const;

  Task const& task_;
  Drift fresh_;
  std::int64_t lastLook_ = 0;  ///< iterations then
};

}  // namespace osi_cuda
