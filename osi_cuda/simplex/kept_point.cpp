// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/kept_point.hpp"

#include "osi_cuda/simplex/proof.hpp"

namespace osi_cuda {

Snapshot const& KeptPoint::take(SnapshotContent content) {
  point_ = task_.engine.snapshotOf(content);
  iterations_ = counts_.iterations;
  seconds_ = limits_.seconds();
  return point_;
}

bool KeptPoint::checkpointDue() const {
  Callbacks const& callbacks = task_.callbacks;
  return callbacks.checkpoint && callbacks.checkpointDue && callbacks.checkpointDue();
}

// Neither the engine nor anything of the algorithm is touched, so that a solve makes the same
// pivots with and without. What rests on a perturbed bound rests on the true one in the basis.
void KeptPoint::saveCheckpoint(Algorithm algorithm) const {
  Checkpoint checkpoint;
  checkpoint.basis = basisOf(task_.form, point_);
  checkpoint.iterations = counts_.iterations;
  checkpoint.seconds = limits_.seconds();
  checkpoint.algorithm = toString(algorithm);
  task_.callbacks.checkpoint(checkpoint);
  tracer_.checkpoint(limits_.seconds() - checkpoint.seconds);
}

}  // namespace osi_cuda
