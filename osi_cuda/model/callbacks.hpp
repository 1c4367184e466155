// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/plan_report.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/model/trace.hpp"

namespace osi_cuda {

/// What is at work. Stages 1 work with other bounds or costs than the problem's, or for the sum of
/// infeasibilities, on the way to a feasible basis.
enum class Stage {
  primal1,
  primal2,
  dual1,
  dual2,
  push,     ///< from the barrier's point to a vertex
  barrier,  ///< the interior point method, whose iterations are no pivots
  exact     ///< the proof in rational arithmetic
};
/// "primal 1", "primal 2", "dual 1", "dual 2", "push", "barrier" or "exact".
constexpr char const* toString(Stage stage) {
  constexpr char const* names[] = {"primal 1", "primal 2", "dual 1", "dual 2",
                                   "push",     "barrier",  "exact"};
  return names[static_cast<int>(stage)];
}
/// The algorithm and the phase of a stage, as SolvePhase names them.
constexpr SolveAlgorithm algorithmOf(Stage stage) {
  using A = SolveAlgorithm;
  constexpr A algorithms[] = {A::primal, A::primal,  A::dual,  A::dual,
                              A::push,   A::barrier, A::primal};
  return algorithms[static_cast<int>(stage)];
}
constexpr int phaseOf(Stage stage) {
  return stage >= Stage::push ? 0 : 1 + static_cast<int>(stage) % 2;
}
/// Whether it is on the way to a feasible basis.
constexpr bool isFirst(Stage stage) {
  return stage == Stage::primal1 || stage == Stage::dual1;
}

/// What the solver is doing, handed to Callbacks::progress every K pivots or so.
struct Progress {
  std::int64_t iterations = 0;
  double seconds = 0.0;  ///< since the solve began
  double objective = 0.0;
  double infeasibility = 0.0;  ///< sum, of the kind that the running algorithm removes
  Stage stage = Stage::primal2;
  // What follows is set by the barrier alone.
  double mu = 0.0;   ///< mean product of a distance to a bound and its multiplier
  double gap = 0.0;  ///< between the objectives, relative
  double primalResidual = 0.0, dualResidual = 0.0;  ///< relative
};

/// What a solve can go on from, in another process as well. The basis is one of the problem itself:
/// nonbasic variables rest on its bounds, whatever working bounds and costs were perturbed.
struct Checkpoint {
  Basis basis;
  std::int64_t iterations = 0;                      ///< of this solve, up to that basis
  double seconds = 0.0;                             ///< since the solve began
  SolveAlgorithm algorithm = SolveAlgorithm::none;  ///< the one at work
  std::optional<Status> status;                     ///< of a solve that has ended there
};

/// How a solve speaks to its caller. Each may be empty. They are called from the thread that
/// called solve().
struct Callbacks {
  std::function<void(Progress const&)> progress;
  std::function<bool()> interrupted;               ///< true: stop soon, with the best point so far
  std::function<void(std::string const&)> notice;  ///< a message a caller may want to log
  std::function<void(PlanChoice const&)> plan;     ///< a choice that was made, and why
  /// Polled between runs of pivots and several times a second while a basis is factored, so it
  /// should be quick. If it returns true, `checkpoint` is called; that happens at the end of a
  /// solve too, unless it ended before its start was reached.
  std::function<bool()> checkpointDue;
  std::function<void(Checkpoint const&)> checkpoint;
  std::function<void(TraceEvent const&)> trace;  ///< every step of the control, to be studied
};

}  // namespace osi_cuda
