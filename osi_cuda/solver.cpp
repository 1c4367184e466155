// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda {
namespace {

/// From so many entries of the tableau on the device is the faster one; see docs/performance.md.
constexpr double crossoverCells = 2.5e5;

/// The engine that was asked for; where the choice is ours, the faster one of those that there are.
std::unique_ptr<Engine> chooseEngine(EngineChoice choice, EngineOptions const& options,
                                     StandardForm const& form, Callbacks const& callbacks) {
  auto const notice = [&](std::string const& sentence) {
    if (callbacks.notice) callbacks.notice(sentence);
  };
  auto const load = [&](std::unique_ptr<Engine> engine) {
    engine->load(form);
    return engine;
  };
  if (choice == EngineChoice::cuda) return load(makeCudaEngine(options));
  if (choice == EngineChoice::automatic) {
    double const cells = static_cast<double>(form.rows()) * form.columns();
    if (cells < crossoverCells) {
      notice("engine host: the problem is too small to gain from a device");
    } else {
      try {
        auto engine = load(makeCudaEngine(options));
        notice("engine cuda: " + engine->device());
        return engine;
      } catch (EngineUnavailable const& e) {
        notice(std::string("engine host: ") + e.what());
      }
    }
  }
  return load(makeHostEngine(options));
}

}  // namespace

bool Solver::State::engineFits(Options const& options) const {
  return engine && options.engine == engineOptions.engine &&
         options.threads == engineOptions.threads && options.device == engineOptions.device &&
         options.blockSize == engineOptions.blockSize &&
         options.sketchSize == engineOptions.sketchSize && options.scaling == engineOptions.scaling;
}

void Solver::State::forgetEngine() {
  engine.reset();
  placed = false;
  pivotsSinceRefactor = 0;
}

void Solver::State::makeEngine(Options const& options, Callbacks const& callbacks) {
  forgetEngine();
  form = makeStandardForm(lp, options.scaling);
  EngineOptions wanted;
  wanted.threads = options.threads;
  wanted.device = options.device;
  wanted.blockSize = options.blockSize;
  wanted.sketchSize = options.sketchSize;
  engine = chooseEngine(options.engine, wanted, form, callbacks);
  engineOptions = options;
  boundsChanged = costsChanged = false;
}

void Solver::State::reshaped(Reshape const& change) {
  reshape(basis, change);
  placed = false;
  if (!engine) return;
  bool const small = static_cast<double>(form.rows()) * form.columns() < crossoverCells;
  bool const nowSmall = static_cast<double>(lp.rows()) * lp.columns() < crossoverCells;
  if (engineOptions.engine == EngineChoice::automatic && small != nowSmall) {
    forgetEngine();
    return;
  }
  reshapeForm(form, lp, change);
  boundsChanged = costsChanged = false;
  if (!engine->reshape(change, form)) forgetEngine();
}

void Solver::State::refresh() {
  if (boundsChanged) refreshBounds(form, lp);
  if (costsChanged) refreshCosts(form, lp);
  if (boundsChanged || costsChanged) placed = false;
  boundsChanged = costsChanged = false;
}

void Solver::State::place(Options const& options, Callbacks const& callbacks) {
  if (!engineFits(options)) makeEngine(options, callbacks);
  refresh();
  if (placed) return;
  try {
    Simplex simplex(lp, form, *engine, options, callbacks);
    simplex.continueFrom(pivotsSinceRefactor);
    simplex.place(basis);
    pivotsSinceRefactor = simplex.pivotsSinceRefactor();
    placed = true;
  } catch (...) {
    forgetEngine();
    throw;
  }
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
  state_->forgetEngine();
}

LinearProgram const& Solver::problem() const {
  return state_->lp;
}

Solution Solver::solve(Options const& options, Callbacks const& callbacks) {
  State& s = *state_;
  if (!s.engineFits(options)) s.makeEngine(options, callbacks);
  s.refresh();
  s.placed = false;
  try {
    Simplex simplex(s.lp, s.form, *s.engine, options, callbacks);
    simplex.continueFrom(s.pivotsSinceRefactor);
    Solution solution = simplex.solve(s.basis);
    s.basis = solution.basis;
    s.pivotsSinceRefactor = simplex.pivotsSinceRefactor();
    s.placed = solution.status == Status::optimal;
    if (simplex.engineLost()) s.forgetEngine();
    return solution;
  } catch (...) {
    s.forgetEngine();  // whatever it holds, it is not what the next solve expects
    throw;
  }
}

}  // namespace osi_cuda
