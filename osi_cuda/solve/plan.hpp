// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/plan_report.hpp"

namespace osi_cuda {

/// What holds a solver's basis: a tableau on the processor, sparse factors there, or a tableau on a
/// device.
enum class EngineKind { tableau, factors, device };

/// The sizes that a plan rests on.
Shape shapeOf(LinearProgram const& lp);

/// Solves that went on from a basis, changes of rows or columns in between, and their wall time.
struct Resumed {
  double solves = 0.0, pivots = 0.0, reshapes = 0.0, seconds = 0.0;
};

/// What a solver knows beside the problem: what it has done, and what it can use.
struct History {
  bool slackStart = true;           ///< the next solve begins at the slack basis
  bool solvedBefore = false;        ///< this problem
  std::array<Resumed, 2> resumed;   ///< of the problem so far: on the processor, on a device
  std::optional<EngineKind> holds;  ///< the engine that has the problem loaded
  bool deviceHeld = false;          ///< there is an engine on a device, whatever it holds
  bool deviceOpen = false;          ///< an engine on a device is quickly made
  bool deviceLost = false;          ///< while it held this problem
  bool noDevice = false;            ///< there was none for this problem
  bool hasFactors = true;           ///< there is an engine of sparse factors
  bool hasPrecise = true;           ///< and one with more digits
  bool hasPresolve = true;
  int cores = 1;      ///< of the processor
  bool alone = true;  ///< no other solve of this process is at work

  bool cold() const { return !solvedBefore && slackStart; }
};

/// Where a problem is solved.
struct Placement {
  bool device = false;       ///< the pivots are made on a device, if there is one
  bool factors = false;      ///< on the processor: sparse factors, not a tableau
  bool presolve = false;     ///< a smaller problem is solved first
  bool mayDualise = false;   ///< or the dual, where dualPays
  bool proveOnHost = false;  ///< a basis that a device found is proved by factors on the processor
  bool liftProofs = false;   ///< a proof of infeasibility is taken back from the smaller problem
  bool races = false;        ///< several algorithms at once, each with an engine of its own
  bool lastOnHost = false;   ///< the last attempt without a status goes to the processor
  History known;             ///< what that rests on

  /// The engine where there is no device.
  EngineKind onProcessor() const { return factors ? EngineKind::factors : EngineKind::tableau; }
  EngineKind kind() const { return device ? EngineKind::device : onProcessor(); }
};

/// By which method it is solved, on the engine that holds it.
struct Method {
  bool barrier = false;       ///< the interior point method comes before pivots
  bool weighBarrier = false;  ///< or where its counted work is less than theirs
  bool dual = false;          ///< pivots from slacks are the dual's, from a phase 1 of its own on
  bool race = false;          ///< several algorithms by counted work, the first on this engine
  bool precise = false;       ///< the engine with more digits is fast enough to be of use
  bool confirm = false;       ///< and a start is factored by it before anything else
};

// Pure functions: all thresholds of "which engine, algorithm, representation, presolve" are in
// plan.cpp. A solve asks each once, for each problem and attempt: before there is an engine, and
// when it has the problem.
Placement placementFor(Shape const& shape, Options const& options, History const& history);
Method methodFor(Shape const& shape, Options const& options, History const& history);

/// Of problems that are no less dense, a large one is for the interior point method on a device; of
/// others the work of that method is weighed against pivots on the processor.
bool nearlyDense(Shape const& shape);

/// Whether the dual has far fewer rows and cheaper pivots.
bool dualPays(Shape const& given, Shape const& dual);
/// Counted seconds of pivots on the processor after which the work of an interior point method is
/// counted: what the count takes, or 0 where all pivots are expected to take far longer.
double workBeforeCounting(Shape const& shape);
/// Whether an interior point method that takes so many seconds is expected to find the optimum of a
/// sparse problem sooner than pivots on the processor from the slack basis.
bool barrierPays(InsideCost const& inside);

/// Counted seconds that pivots behind an interior point method may take where the plan chose it by
/// its work: thrice what all pivots from the slack basis are expected to take. From a degenerate
/// face they can stall where those do not.
double mostSecondsBehindBarrier(Shape const& shape);
/// Whether nearly all columns are such as networks and flows of several goods have them: of two
/// entries at most, or of entries of one size. Bases of such columns are triangular or nearly so
/// (Dantzig 1963), and what their pivots take is no matter of sizes. The matrix is not dense.
bool likeNetwork(SparseMatrix const& matrix);

/// What the choice between processor and device rests on; empty where choicesOf says it.
std::string causeOfPlace(Placement const& placement, Shape const& shape);
/// What was weighed for the placement: each decision that the options left open.
std::vector<PlanChoice> choicesOf(Placement const& placement, Shape const& shape,
                                  Options const& options);
/// Of the interior point method against pivots.
PlanChoice barrierChoice(InsideCost const& inside, bool first);

/// Pivots that the processor makes at most to finish what a device began: a device makes them
/// faster, but has to form a tableau of the whole problem first.
inline constexpr std::int64_t mostPivotsOnHost = 200;

}  // namespace osi_cuda
