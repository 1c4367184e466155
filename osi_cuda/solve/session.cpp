// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/session.hpp"

#include <omp.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda {
bool isSlackBasis(Basis const& basis) {
  return std::ranges::all_of(basis.rows,
                             [](VariableStatus row) { return row == VariableStatus::basic; });
}

void Session::load(LinearProgram problem) {
  lp = std::move(problem);
  basis = {};
  start = {};
  deviceServed = deviceLost = noDevice = solvedBefore = false;
  devicesLeft.clear();
  resumed = {};
  unload();
}

Engine& Session::tableau() const {
  if (!placed || !engine || changedBounds.any() || costsChanged)
    throw std::logic_error("there is no tableau: prepareTableau was not called");
  return *engine;
}

History Session::history(Options const& options) const {
  History known;
  known.slackStart = isSlackBasis(basis);
  known.solvedBefore = solvedBefore;
  if (serves(options)) known.holds = kind;
  known.resumed = resumed;
  known.deviceHeld = idleDevice || kind == EngineKind::device;
  known.deviceOpen = known.deviceHeld || makers.deviceWasOpened();
  known.deviceLost = deviceLost;
  known.noDevice = noDevice;
  known.hasFactors = static_cast<bool>(makers.factored);
  known.hasPrecise = static_cast<bool>(makers.precise);
  known.cores = omp_get_max_threads();
  known.alone = AtWork::count.load() <= 1;
  known.hasPresolve = static_cast<bool>(makers.presolve);
  return known;
}

Placement Session::placement(Options const& options, Run const& run) const {
  Placement placement = placementFor(shapeOf(lp), options, history(options));
  if (run.traces())
    run.trace("placement", {{"device", placement.device},
                            {"factors", placement.factors},
                            {"presolve", placement.presolve},
                            {"races", placement.races}});
  return placement;
}

Method Session::method(Options const& options, Run const& run) const {
  Method const method = methodFor(shapeOf(lp), options, history(options));
  if (run.traces())
    run.trace("method", {{"barrier", method.barrier},
                         {"weigh_barrier", method.weighBarrier},
                         {"dual", method.dual},
                         {"race", method.race}});
  return method;
}

void Session::takeOver(Session& other) {
  takeEngine(other);
  static_cast<LastAnswer&>(*this) = other;
}

// The engine keeps its tableau where it can; where it can't, or where another kind of engine is
// the better one now, the next solve loads anew.
void Session::reshaped(Reshape const& change) {
  reshape(basis, change);
  start = {};
  placed = false;
  if (!engine || !loaded) return;
  auto* const edits = engine->as<TakesRowsAndColumns>();
  Placement const next = placementFor(shapeOf(lp), engineOptions, history(engineOptions));
  if (!edits || next.kind() != kind) return unload();
  Stopwatch const watch;
  reshapeForm(*form, lp, change);
  changedBounds.clear();
  costsChanged = false;
  if (!edits->reshape(change, *form)) unload();
  ++resumed[onDevice()].reshapes;
  resumed[onDevice()].seconds += watch.seconds();
}

}  // namespace osi_cuda
