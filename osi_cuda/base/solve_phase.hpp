// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

namespace osi_cuda {

/// A stretch of a solve in which one algorithm was at work.
struct SolvePhase {
  /// "presolve" (and back), "primal", "dual", "barrier", or "push": from its point to a vertex.
  char const* algorithm = "";
  int phase = 0;                ///< of the simplex method 1 or 2 (see Stage), else 0
  std::int64_t iterations = 0;  ///< pivots and bound flips, or the barrier's iterations
  double seconds = 0.0;         ///< wall time until the next phase began
};

}  // namespace osi_cuda
