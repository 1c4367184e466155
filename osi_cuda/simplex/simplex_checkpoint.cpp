// SPDX-License-Identifier: EPL-2.0
// The point that is kept while a solve goes on, and what a caller gets to save of it.
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {

/// Takes the engine's present point for lastPoint_: what is left if the engine's work is broken
/// off. For a proof, the point is enough of it.
Snapshot const& Simplex::keepPoint(SnapshotContent content) {
  lastPoint_ = engine_.snapshotOf(content);
  lastPointIterations_ = iterations_;
  lastPointSeconds_ = seconds();
  return lastPoint_;
}

bool Simplex::checkpointDue() const {
  return callbacks_.checkpoint && callbacks_.checkpointDue && callbacks_.checkpointDue();
}

char const* Simplex::algorithmAtWork() const {
  Algorithm const algorithm = iterations_ > 0 ? running_ : algorithm_;
  return algorithm == Algorithm::primal ? "primal" : "dual";
}

// Neither the engine nor anything of the algorithm is touched, so that a solve makes the same
// pivots with and without. What rests on a perturbed bound rests on the true one in the basis.
void Simplex::saveCheckpoint(Snapshot const& point) {
  Checkpoint checkpoint;
  checkpoint.basis = basisOf(form_, point);
  checkpoint.iterations = iterations_;
  checkpoint.seconds = seconds();
  checkpoint.algorithm = algorithmAtWork();
  callbacks_.checkpoint(checkpoint);
  tracer_.checkpoint(seconds() - checkpoint.seconds);
}

}  // namespace osi_cuda
