// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

namespace osi_cuda {

/// What is at work in a stretch of a solve, or what a solve began with.
enum class SolveAlgorithm {
  none,
  presolve,  ///< and back
  primal,
  dual,
  push,  ///< from the barrier's point to a vertex
  barrier
};
/// "", "presolve", "primal", "dual", "push" or "barrier".
constexpr char const* toString(SolveAlgorithm algorithm) {
  constexpr char const* names[] = {"", "presolve", "primal", "dual", "push", "barrier"};
  return names[static_cast<int>(algorithm)];
}

/// Where pivots are made, as answers tell it.
enum class SolveEngine { none, host, cuda };
/// "", "host" or "cuda".
constexpr char const* toString(SolveEngine engine) {
  constexpr char const* names[] = {"", "host", "cuda"};
  return names[static_cast<int>(engine)];
}

/// A stretch of a solve in which one algorithm was at work.
struct SolvePhase {
  SolveAlgorithm algorithm = SolveAlgorithm::none;
  int phase = 0;                ///< of the simplex method 1 or 2 (see Stage), else 0
  std::int64_t iterations = 0;  ///< pivots and bound flips, or the barrier's iterations
  double seconds = 0.0;         ///< wall time until the next phase began
};

}  // namespace osi_cuda
