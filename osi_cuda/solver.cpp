// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <algorithm>
#include <future>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda {
namespace {

/// From so many entries of the tableau on the device is the faster one; see docs/performance.md.
constexpr double crossoverCells = 2.5e5;

/// Goes on from a solve that ended without a status, with the engine that has more digits. Limits
/// and counts are those of both together.
Solution finishPrecisely(EngineMakers const& makers, LinearProgram const& lp,
                         StandardForm const& form, Solution&& before, double residualBefore,
                         Options const& options, Callbacks const& callbacks) {
  if (callbacks.notice)
    callbacks.notice("double precision is not enough: going on in double-double arithmetic");
  Options rest = options;
  rest.timeLimit = std::max(0.0, options.timeLimit - before.seconds);
  if (rest.iterationLimit != std::numeric_limits<std::int64_t>::max())
    rest.iterationLimit = std::max<std::int64_t>(0, rest.iterationLimit - before.iterations);
  Callbacks later = callbacks;
  if (callbacks.progress)
    later.progress = [&](Progress progress) {
      progress.iterations += before.iterations;
      progress.seconds += before.seconds;
      callbacks.progress(progress);
    };
  if (callbacks.trace)
    later.trace = [&](TraceEvent event) {
      event.iterations += before.iterations;
      event.seconds += before.seconds;
      callbacks.trace(event);
    };
  if (callbacks.checkpoint)
    later.checkpoint = [&](Checkpoint checkpoint) {
      checkpoint.iterations += before.iterations;
      checkpoint.seconds += before.seconds;
      callbacks.checkpoint(checkpoint);
    };
  std::unique_ptr<Engine> const engine = makers.precise({});
  engine->load(form);
  Simplex simplex(lp, form, *engine, rest, later);
  Solution solution = simplex.solve(before.basis);
  // What was good enough within tolerances is given up only for what is better.
  bool const better = solution.status == Status::optimal
                          ? !simplex.twoParts() && simplex.bestResidual() < residualBefore
                          : solution.margin > Judge::target;
  if (before.status == Status::optimal && !better) {
    before.iterations += solution.iterations;
    before.seconds += solution.seconds;
    return std::move(before);
  }
  solution.iterations += before.iterations;
  solution.phase1Iterations += before.phase1Iterations;
  solution.seconds += before.seconds;
  solution.engine = before.engine;
  solution.device = before.device;
  solution.algorithm = before.algorithm;
  solution.pricing = before.pricing;
  return solution;
}

bool wantsDevice(EngineChoice choice, LinearProgram const& lp) {
  double const cells = static_cast<double>(lp.rows()) * lp.columns();
  return choice == EngineChoice::cuda ||
         (choice == EngineChoice::automatic && cells >= crossoverCells);
}

}  // namespace

bool Solver::State::engineServes(Options const& options) const {
  return engine && options.engine == engineOptions.engine &&
         options.threads == engineOptions.threads && options.device == engineOptions.device &&
         options.blockSize == engineOptions.blockSize &&
         options.sketchSize == engineOptions.sketchSize;
}

bool Solver::State::engineFits(Options const& options) const {
  return loaded && options.scaling == engineOptions.scaling && engineServes(options);
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
  wantedDevice = wantsDevice(options.engine, lp);
  bool const device = wantedDevice && !deviceLost;
  unload();
  if (!engineServes(options) || (engine->name() == "cuda") != device) engine.reset();
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
    notice("engine host: the problem is too small to gain from a device");
  }
  if (!engine || !device) {
    if (!engine) engine = makers.host(wanted);
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
  if (wantsDevice(engineOptions.engine, lp) != wantedDevice) {
    unload();
    return;
  }
  reshapeForm(form, lp, change);
  boundsChanged = costsChanged = false;
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

void Solver::State::placeBasis(Options const& options, Callbacks const& callbacks) {
  placed = false;
  Simplex simplex(lp, form, *engine, options, callbacks);
  simplex.continueFrom(pivotsSinceRefactor);
  simplex.place(basis);
  pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  placed = true;
}

void Solver::State::place(Options const& options, Callbacks const& callbacks) {
  withEngine(options, callbacks, [&] {
    if (!placed) placeBasis(options, callbacks);
  });
}

Solution Solver::State::attempt(Options const& options, Callbacks const& callbacks) {
  if (wantsBarrier(options)) return attemptWithBarrier(options, callbacks);
  return pivot(options, callbacks, {});
}

Solution Solver::State::pivot(Options const& options, Callbacks const& callbacks,
                              std::vector<double> const& value) {
  placed = false;
  bool const precise = makers.precise && preciseEngineServes(form);
  auto const effort = precise ? Simplex::Effort::brief : Simplex::Effort::whole;
  Simplex simplex(lp, form, *engine, options, callbacks, effort);
  simplex.continueFrom(pivotsSinceRefactor);
  Solution solution = simplex.solve(basis, value);
  pivotsSinceRefactor = simplex.pivotsSinceRefactor();
  placed = solution.status == Status::optimal;
  if (simplex.engineLost()) forgetEngine();
  if (precise && (solution.status == Status::numerical || simplex.loose())) {
    Basis const before = solution.basis;
    solution = finishPrecisely(makers, lp, form, std::move(solution), simplex.bestResidual(),
                               options, callbacks);
    placed = placed && solution.basis == before;
  }
  basis = solution.basis;
  solvedBefore = true;
  if (callbacks.checkpoint && simplex.startReached())
    callbacks.checkpoint({solution.basis, solution.iterations, solution.seconds,
                          simplex.algorithmAtWork(), toString(solution.status)});
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
  state_->unload();
}

LinearProgram const& Solver::problem() const {
  return state_->lp;
}

Solution Solver::solve(Options const& options, Callbacks const& callbacks) {
  return state_->solve(options, callbacks);
}

Solver solverWith(EngineMakers makers) {
  Solver solver;
  solver.state_->makers = std::move(makers);
  return solver;
}

}  // namespace osi_cuda
