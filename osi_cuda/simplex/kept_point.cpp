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
  return task_.run.checkpointDue();
}

// Neither the engine nor anything of the algorithm is touched, so that a solve makes the same
// pivots with and without. What rests on a perturbed bound rests on the true one in the basis.
void KeptPoint::saveCheckpoint(Algorithm algorithm) const {
  double const before = limits_.seconds();
  task_.run.checkpoint(basisOf(task_.form, point_), solveAlgorithmOf(algorithm));
  tracer_.checkpoint(limits_.seconds() - before);
}

}  // namespace osi_cuda
