// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "osi_cuda/model/run.hpp"
#include "osi_cuda/simplex/starting_basis.hpp"
#include "osi_cuda/solve/session.hpp"

/// The stages of a solve, in the order of pipeline.cpp. Each is in a file of its own.
namespace osi_cuda {

/// One attempt at a problem, of which the engine is prepared. What the stages of it work with.
struct Attempt {
  Session& session;
  Options const& options;
  Run& run;
  Placement& placement;
  Method method;
  bool cold;  ///< the call began at the slack basis: one that goes on from another is one of many

  /// The same with other options.
  Attempt with(Options const& others) const {
    return {session, others, run, placement, method, cold};
  }
};

// pipeline.cpp

/// A solve of the session's problem; see Solver::solve.
Solution solve(Session& session, Options const& options, Run& run);
/// The same in the problem itself: attempts until a status is proved or a limit is reached. `cold`
/// as in Attempt; its placement, where it was asked for already.
Solution solveHere(Session& session, Options const& options, Run& run, bool cold,
                   std::optional<Placement> placement = {});
/// The attempts alone, from the slack basis, for a problem beside the session's own.
Solution attempts(Session& session, Options const& options, Run& run);
/// One attempt, from the present basis.
Solution attempt(Attempt const& now);
/// closeEnclosure (extras.hpp) for an optimum of the session's problem, with that much work.
void close(Session& session, Run& run, double work, Solution& solution);

// within_tolerances.cpp: the status of a problem whose certificate `weak` has a margin of less than
// the tolerances, or that has no status: an optimum of the problem with bounds and costs relaxed
// within them, or a certificate that the tolerances leave room for none, or else `weak`.
Solution withinTolerances(Session& session, Options const& options, Run& run, Solution const& weak);

// reduced.cpp: by way of a smaller problem, or of the dual.
Solution solveByReduced(Session& session, Options const& options, Run& run, bool cold,
                        Placement const& placement, bool dual);
/// Whether the dual is the problem to solve.
bool dualIsBetter(LinearProgram const& lp, Placement const& placement);

// from_point.cpp

/// Drops the caller's point where its residuals say that it is of no use, with a notice.
void judgeStart(Session& session, Run& run);
/// The run from the caller's point, which is used up; nothing where there is none.
std::optional<Solution> solveFromPoint(Attempt const& now);

// race.cpp: several algorithms at once, each a session of its own; the first to prove a status is
// the session's.
Solution race(Attempt const& now);

// barrier_stage.cpp: the interior point method, pivots behind it; nothing where there are only
// pivots to be made.
std::optional<Solution> solveByBarrier(Attempt const& now);

// pivots.cpp

/// Pivots from the present basis; `inside` may be a point inside to begin at.
Solution pivot(Attempt const& now, InteriorStart const& inside);
/// Makes the engine hold the present basis, with the present bounds and costs. Where the budget
/// ends before, there is no tableau.
void place(Session& session, Options const& options, Placement placement, Run& run);
/// The same without asking whether it does already; the engine is prepared. In `watched`.
void placeBasis(Session& session, Options const& options, Run& run);

// more_digits.cpp

/// Goes on from a solve that ended without a status, with the engine that has more digits.
Solution finishPrecisely(Attempt const& now, Solution&& before);
/// The solution of the present basis where it is optimal as it stands, without a pivot: an engine
/// in double precision may not be able to hold it. Nothing where it is that of the slacks or is not
/// optimal.
std::optional<Solution> confirmStart(Attempt const& now);

}  // namespace osi_cuda
