// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/simplex/shared_parts.hpp"
#include "osi_cuda/simplex/watches.hpp"

namespace osi_cuda {

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
  explicit PivotRuns(SharedParts const& parts);

  /// The algorithm that the solve begins with.
  void beginWith(Algorithm algorithm) { running_ = algorithm; }

  /// Pivots until the loop has nothing more to do, refactoring where the tableau drifts from the
  /// data. Stop::unstable: small pivots that no refactorisation cures; Stop::interrupted: a limit.
  Stop runPhase(Algorithm algorithm, Phase phase, Stage stage);

  /// One run of at most so many pivots by Dantzig's rule, with a refactorisation after it where one
  /// is due: the pushes of pushes.hpp. Returns the variable that ended a run of
  /// dual pivots because no other can take its place; -1: there was none.
  int runPushes(Algorithm algorithm, int budget);

  /// One run of the engine's own pushes; whether they are at their end.
  bool pushColumns(PushesColumns& engine, int& next);

  /// A fresh tableau of the present basis.
  void refactor();

  PivotReport const& last() const { return last_; }
  /// The algorithm at work.
  Algorithm running() const { return running_; }

 private:
  /// When a pivot is too small: absolutely, or beside the largest entry of its column or row.
  struct PivotThresholds {
    double absolute;
    double relative;
  };

  Stop launchUntilDone(Algorithm algorithm, Phase phase, Stage stage);
  PivotRequest makeRequest(Algorithm algorithm, Phase phase, PivotThresholds const& thresholds);
  void run(PivotRequest const& request, Stage stage);
  void account(PivotRequest const& request, Stage stage);
  bool namesPlace(PivotReport const& report) const;
  void refactorIfDrifted(bool phase1Costs);
  bool recoverFromSmallPivot(PivotThresholds& thresholds);
  bool stalled() const;
  bool mayPerturb();
  std::string whyEnded(Stop stop) const;

  StallWatch stall_;
  DriftWatch drift_;
  Algorithm running_ = Algorithm::primal;
  bool passing_ = false;  ///< of the phase's requests
  PivotReport last_;
  bool afterSmallPivot_ = false;  ///< the last refactorisation was due to one
};

}  // namespace osi_cuda
