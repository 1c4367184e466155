// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/simplex/callbacks.hpp"

/// What the parts of one solve, each a run of its own, have to tell each other.
namespace osi_cuda {

/// What the parts before took.
struct Spent {
  double seconds = 0.0;
  std::int64_t iterations = 0, phase1 = 0;
};

/// Callbacks for a later part, which hear of the solve as a whole: seconds and pivots count from
/// its beginning. `callbacks` are copied.
Callbacks callbacksAfter(Spent const& spent, Callbacks const& callbacks);

bool isSlackBasis(Basis const& basis);

}  // namespace osi_cuda
