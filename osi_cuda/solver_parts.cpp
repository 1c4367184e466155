// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_parts.hpp"

#include <algorithm>

namespace osi_cuda {

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

bool isSlackBasis(Basis const& basis) {
  return std::all_of(basis.rows.begin(), basis.rows.end(),
                     [](VariableStatus row) { return row == VariableStatus::basic; });
}

}  // namespace osi_cuda
