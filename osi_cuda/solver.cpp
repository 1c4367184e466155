// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solver_parts.hpp"
#include "osi_cuda/solver_precise.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda {

History Solver::State::history() const {
  History known;
  known.slackStart = isSlackBasis(basis);
  known.solvedBefore = solvedBefore;
  known.resumedPivots = resumedPivots;
  if (loaded && engine) known.holds = kind;
  known.deviceOpen = idleDevice || onDevice();
  known.deviceLost = deviceLost;
  known.hasFactors = static_cast<bool>(makers.factored);
  known.hasPresolve = static_cast<bool>(makers.presolve);
  return known;
}

bool Solver::State::engineServes(Options const& options) const {
  return engine && options.engine == engineOptions.engine &&
         engineOptionsOf(options) == engineOptionsOf(engineOptions);
}

bool Solver::State::engineFits(Options const& options) const {
  if (!loaded || options.scaling != engineOptions.scaling || !engineServes(options)) return false;
  Plan const next = plan(options);
  return next.device == wantedDevice && (onDevice() || next.onProcessor() == kind);
}

void Solver::State::unload() {
  loaded = placed = false;
  pivotsSinceRefactor = 0;
}

void Solver::State::forgetEngine() {
  engine.reset();
  barrier.reset();
  unload();
}

void Solver::State::makeEngine(Options const& options, Callbacks const& callbacks) {
  auto const notice = [&](std::string const& sentence) {
    if (callbacks.notice) callbacks.notice(sentence);
  };
  EngineOptions const wanted = engineOptionsOf(options);
  Plan const before = plan(options);
  wantedDevice = before.device;
  bool const device = wantedDevice && !deviceLost;
  unload();
  if (!engineServes(options) || onDevice() != device) engine.reset();
  if (device && !engine) recallDevice(options);
  std::future<std::unique_ptr<Engine>> opening;  // takes a while, on a thread of its own
  if (device && !engine)
    opening = std::async(std::launch::async, [this, wanted] { return makers.device(wanted); });
  form = makeStandardForm(lp, options.scaling);
  if (device) {
    try {
      if (!engine) engine = opening.get();
      kind = EngineKind::device;
      engine->load(form);
      deviceServed = true;
      if (options.engine == EngineChoice::automatic)
        notice("engine cuda: " + engine->traits().device);
    } catch (EngineUnavailable const& e) {
      engine.reset();
      if (deviceServed)
        loseDevice(e.what(), callbacks);
      else if (options.engine == EngineChoice::cuda)
        throw;
      else
        notice(std::string("engine host: ") + e.what());
    }
  } else if (options.engine == EngineChoice::automatic && !wantedDevice) {
    notice(before.deviceAsked ? "engine host: it makes the few pivots that are expected from here"
                              : "engine host: the problem is too small to gain from a device");
  }
  if (!engine || !device) {
    EngineKind const asked = plan(options).onProcessor();
    if (!engine || kind != asked)
      engine = asked == EngineKind::factors ? makers.factored(wanted) : makers.host(wanted);
    kind = asked;
    engine->load(form);
  }
  engineOptions = options;
  loaded = true;
  changedBounds.clear();
  costsChanged = false;
}

// The engine keeps its tableau where it can; where it can't, or where another kind of engine is
// the better one now, the next solve loads anew.
void Solver::State::reshaped(Reshape const& change) {
  reshape(basis, change);
  placed = false;
  if (!engine || !loaded) return;
  Plan const next = plan(engineOptions);
  if (next.device != wantedDevice) {
    unload();
    return;
  }
  reshapeForm(form, lp, change);
  changedBounds.clear();
  costsChanged = false;
  if (!onDevice() && next.onProcessor() != kind) {
    unload();
    return;
  }
  auto* const edits = engine->as<TakesRowsAndColumns>();
  if (!edits || !edits->reshape(change, form)) unload();
}

void Solver::State::refresh() {
  if (!changedBounds.any() && !costsChanged) return;
  refreshBounds(form, lp, changedBounds);
  if (costsChanged) refreshCosts(form, lp);
  placed = costsChanged = false;
  changedBounds.clear();
}

void Solver::State::loseDevice(std::string const& reason, Callbacks const& callbacks) {
  forgetEngine();
  deviceLost = true;
  if (callbacks.notice) callbacks.notice(reason + "; going on with engine host");
}

void Solver::State::prepare(Options const& options, Callbacks const& callbacks) {
  std::string const fault = findFault(options);
  if (!fault.empty()) throw std::invalid_argument(fault);
  if (!engineFits(options)) makeEngine(options, callbacks);
  refresh();
}

void Solver::State::placeBasis(Options const& options, Callbacks const& callbacks, Budget& budget) {
  placed = false;
  Simplex simplex(lp, form, *engine, options, callbacks, budget);
  simplex.continueFrom(pivotsSinceRefactor);
  simplex.place(basis);
  pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  placed = true;
}

void Solver::State::place(Options const& options, Callbacks const& callbacks, Budget& budget) {
  withEngine(options, callbacks, [&] {
    if (!placed) watched(budget, [&] { placeBasis(options, callbacks, budget); });
  });
}

Solution Solver::State::attempt(Options const& options, Callbacks const& callbacks,
                                Budget& budget) {
  if (wantsBarrier(options)) return attemptWithBarrier(options, callbacks, budget);
  return pivot(options, callbacks, budget, {});
}

Solution Solver::State::pivot(Options const& options, Callbacks const& callbacks, Budget& budget,
                              InteriorStart const& inside) {
  Plan const next = plan(options);
  bool const precise = makers.precise && next.precise;
  bool const first = !solvedBefore && inside.value.empty();
  placed = false;
  solvedBefore = true;
  if (precise && first && next.confirm) {
    if (auto confirmed = confirmStart(makers, lp, form, basis, options, callbacks, budget)) {
      confirmed->engine = engine->traits().name;
      confirmed->device = engine->traits().device;
      basis = confirmed->basis;
      // As after every optimum.
      watched(budget, [&] { placeBasis(options, callbacks, budget); });
      if (callbacks.checkpoint)
        callbacks.checkpoint({basis, 0, confirmed->seconds, confirmed->algorithm.c_str(),
                              toString(confirmed->status)});
      return std::move(*confirmed);
    }
  }
  auto const effort = precise ? Effort::brief : Effort::whole;
  bool const resumes = !isSlackBasis(basis);
  Simplex simplex(lp, form, *engine, options, callbacks, budget, effort);
  simplex.continueFrom(pivotsSinceRefactor);
  Solution solution = simplex.solve(basis, inside);
  pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  if (resumes) resumedPivots = solution.iterations;
  placed = solution.status == Status::optimal;
  if (simplex.engineLost()) forgetEngine();
  if (precise && (solution.status == Status::numerical || simplex.quality().loose)) {
    Basis const before = solution.basis;
    solution = finishPrecisely(makers, lp, form, std::move(solution), simplex.quality().residual,
                               options, callbacks, budget);
    placed = placed && solution.basis == before;
  }
  basis = solution.basis;
  if (solution.status == Status::optimal && !placed)
    watched(budget, [&] { placeBasis(options, callbacks, budget); });
  if (callbacks.checkpoint && simplex.startReached())
    callbacks.checkpoint({solution.basis, solution.iterations, solution.seconds,
                          toString(simplex.algorithmAtWork()), toString(solution.status)});
  return solution;
}

Solver::Solver() : state_(std::make_unique<State>()) {}
Solver::Solver(LinearProgram lp) : Solver() {
  load(std::move(lp));
}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::load(LinearProgram lp) {
  std::string const fault = findFault(lp);
  if (!fault.empty()) throw std::invalid_argument(fault);
  state_->lp = std::move(lp);
  state_->basis = {};
  state_->deviceServed = state_->deviceLost = state_->solvedBefore = false;
  state_->resumedPivots = 0;
  state_->unload();
}

LinearProgram const& Solver::problem() const {
  return state_->lp;
}

Solution Solver::solve(Options const& options, Callbacks const& callbacks) {
  Budget budget = budgetOf(options, callbacks);
  return state_->solve(options, callbacks, budget);
}

Solver solverWith(EngineMakers makers) {
  Solver solver;
  solver.state_->makers = std::move(makers);
  return solver;
}

}  // namespace osi_cuda
