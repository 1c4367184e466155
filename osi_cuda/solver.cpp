// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/engine/pivot_seconds.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solver_parts.hpp"
#include "osi_cuda/solver_precise.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda {
namespace {

/// From so many entries of the tableau on the device is the faster one; see docs/performance.md.
constexpr double crossoverCells = 2.5e5;

/// A solve that goes on from a basis is expected to be about as long as the last one of that kind;
/// one with more pivots than this pays what a device takes around them.
constexpr std::int64_t manyPivots = 1000;

// Who asks for a part of the tableau asks for the tableau.
bool ofTableau(Options const& options) {
  return options.blockSize > 0 || options.sketchSize > 0 || ruleOf(options.pricing).ofTableau ||
         options.representation == Representation::tableau;
}

}  // namespace

bool wantsDevice(EngineChoice choice, LinearProgram const& lp) {
  double const cells = static_cast<double>(lp.rows()) * lp.columns();
  return choice == EngineChoice::cuda ||
         (choice == EngineChoice::automatic && cells >= crossoverCells);
}

// To form a tableau anew, to bring it to another basis and to fetch a proof take some milliseconds
// on a device. A few pivots by sparse factors on the host take less than that (docs/osi.md).
bool Solver::State::deviceWanted(Options const& options) const {
  if (!wantsDevice(options.engine, lp)) return false;
  if (options.engine == EngineChoice::cuda || !makers.factored || ofTableau(options)) return true;
  double const nonzeros = static_cast<double>(lp.matrix.nonzeros());
  return resumedPivots > manyPivots || isSlackBasis(basis) ||
         factoredPivotSeconds(lp.rows(), lp.columns(), nonzeros) >=
             tableauPivotSeconds(lp.rows(), lp.columns());
}

bool Solver::State::engineServes(Options const& options) const {
  return engine && options.engine == engineOptions.engine &&
         options.threads == engineOptions.threads && options.device == engineOptions.device &&
         options.blockSize == engineOptions.blockSize &&
         options.sketchSize == engineOptions.sketchSize;
}

bool Solver::State::engineFits(Options const& options) const {
  return loaded && options.scaling == engineOptions.scaling && engineServes(options) &&
         deviceWanted(options) == wantedDevice &&
         (engine->name() == "cuda" || wantsFactors(options) == factored);
}

bool Solver::State::wantsFactors(Options const& options) const {
  if (options.representation == Representation::factors) return bool(makers.factored);
  if (!makers.factored || ofTableau(options)) return false;
  bool const serving = loaded && engine && engine->name() == "host";
  return serving ? factoredEngineServes(form, factored) : factoredEngineServes(form);
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
  EngineOptions wanted;
  wanted.threads = options.threads;
  wanted.device = options.device;
  wanted.blockSize = options.blockSize;
  wanted.sketchSize = options.sketchSize;
  wantedDevice = deviceWanted(options);
  bool const device = wantedDevice && !deviceLost;
  unload();
  if (!engineServes(options) || (engine->name() == "cuda") != device) engine.reset();
  if (device && !engine) recallDevice(options);
  std::future<std::unique_ptr<Engine>> opening;  // takes a while, on a thread of its own
  if (device && !engine)
    opening = std::async(std::launch::async, [this, wanted] { return makers.device(wanted); });
  form = makeStandardForm(lp, options.scaling);
  if (device) {
    try {
      if (!engine) engine = opening.get();
      engine->load(form);
      deviceServed = true;
      if (options.engine == EngineChoice::automatic) notice("engine cuda: " + engine->device());
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
    notice(wantsDevice(options.engine, lp)
               ? "engine host: it makes the few pivots that are expected from here"
               : "engine host: the problem is too small to gain from a device");
  }
  if (!engine || !device) {
    bool const factors = wantsFactors(options);
    if (factors != factored) engine.reset();
    factored = factors;
    if (!engine) engine = factored ? makers.factored(wanted) : makers.host(wanted);
    engine->load(form);
  }
  engineOptions = options;
  loaded = true;
  boundsChanged = costsChanged = false;
}

// The engine keeps its tableau where it can; where it can't, or where another kind of engine is
// the better one now, the next solve loads anew.
void Solver::State::reshaped(Reshape const& change) {
  reshape(basis, change);
  placed = false;
  if (!engine || !loaded) return;
  if (deviceWanted(engineOptions) != wantedDevice) {
    unload();
    return;
  }
  reshapeForm(form, lp, change);
  boundsChanged = costsChanged = false;
  if (engine->name() == "host" && wantsFactors(engineOptions) != factored) {
    unload();
    return;
  }
  if (!engine->reshape(change, form)) unload();
}

void Solver::State::refresh() {
  if (boundsChanged) refreshBounds(form, lp);
  if (costsChanged) refreshCosts(form, lp);
  if (boundsChanged || costsChanged) placed = false;
  boundsChanged = costsChanged = false;
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
  bool const precise = makers.precise && preciseEngineServes(form);
  bool const first = !solvedBefore && inside.value.empty();
  placed = false;
  solvedBefore = true;
  if (precise && first) {
    if (auto confirmed = confirmStart(makers, lp, form, basis, options, callbacks, budget)) {
      confirmed->engine = engine->name();
      confirmed->device = engine->device();
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
