// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/simplex/task.hpp"
#include "osi_cuda/simplex/tracer.hpp"

namespace osi_cuda {

/// The point that is kept while a solve goes on: what is left where the engine's work is broken
/// off, where a refactorisation begins, and what a caller gets to save.
class KeptPoint {
 public:
  /// All must outlive the object.
  KeptPoint(Task const& task, Counts const& counts, Limits const& limits, Tracer const& tracer)
      : task_(task),
        counts_(counts),
        limits_(limits),
        tracer_(tracer),
        seconds_(limits.seconds()) {}

  /// Keeps the engine's present point. For a proof, the point is enough of it.
  Snapshot const& take(SnapshotContent content = SnapshotContent::all) {
    point_ = task_.engine.snapshotOf(content);
    iterations_ = counts_.iterations;
    seconds_ = limits_.seconds();
    return point_;
  }
  Snapshot const& point() const { return point_; }
  bool isTaken() const { return iterations_ >= 0; }
  /// Whether no pivots were made since it was taken.
  bool isPresent() const { return iterations_ == counts_.iterations; }
  /// Seconds since it was taken.
  double age() const { return limits_.seconds() - seconds_; }

  /// Whether the caller wants to save a point.
  bool checkpointDue() const { return task_.run.checkpointDue(); }
  /// Hands it to the caller; `algorithm` is the one at work.
  // Neither the engine nor anything of the algorithm is touched, so that a solve makes the same
  // pivots with and without. What rests on a perturbed bound rests on the true one in the basis.
  void saveCheckpoint(Algorithm algorithm) const {
    double const before = limits_.seconds();
    task_.run.checkpoint(basisOf(task_.form, point_), solveAlgorithmOf(algorithm));
    tracer_.checkpoint(limits_.seconds() - before);
  }

 private:
  Task const& task_;
  Counts const& counts_;
  Limits const& limits_;
  Tracer const& tracer_;
  Snapshot point_;
  double seconds_;                ///< when take() took it, or else the object was made
  std::int64_t iterations_ = -1;  ///< that had been made then; -1: it took none yet
};

}  // namespace osi_cuda
