// SPDX-License-Identifier: EPL-2.0
// What the parts of one solve, each a run of its own, have to tell each other.
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {

void Spent::add(Solution const& part) {
  seconds += part.seconds;
  iterations += part.iterations;
  phase1 += part.phase1Iterations;
}

void Spent::addTo(Solution& last) const {
  last.seconds += seconds;
  last.iterations += iterations;
  last.phase1Iterations += phase1;
}

Callbacks callbacksAfter(Spent const& spent, Callbacks const& callbacks) {
  Callbacks later = callbacks;
  auto const add = [spent](auto& told) {
    told.seconds += spent.seconds;
    told.iterations += spent.iterations;
  };
  if (callbacks.progress)
    later.progress = [spent, add, tell = callbacks.progress](Progress progress) {
      bool const pivots = progress.stage != Stage::barrier;  // whose are no pivots
      add(progress);
      if (!pivots) progress.iterations -= spent.iterations;
      tell(progress);
    };
  if (callbacks.trace)
    later.trace = [add, tell = callbacks.trace](TraceEvent event) {
      add(event);
      tell(event);
    };
  if (callbacks.checkpoint)
    later.checkpoint = [add, tell = callbacks.checkpoint](Checkpoint checkpoint) {
      add(checkpoint);
      tell(checkpoint);
    };
  return later;
}

}  // namespace osi_cuda
