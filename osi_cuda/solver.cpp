// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {
namespace {

/// From so many entries of the tableau on the device is the faster one; see docs/performance.md.
constexpr double crossoverCells = 2.5e5;

bool wantsDevice(EngineChoice choice, LinearProgram const& lp) {
  double const cells = static_cast<double>(lp.rows()) * lp.columns();
  return choice == EngineChoice::cuda ||
         (choice == EngineChoice::automatic && cells >= crossoverCells);
}

}  // namespace

// The form and the engine are made by the first solve and kept: a change of bounds or costs costs
// the next solve a few vectors, not a new tableau. A new problem of the same kind finds the engine
// with all it holds: a device's context, handles of its libraries, memory.
struct Solver::State {
  LinearProgram lp;
  Basis basis;
  StandardForm form;
  std::unique_ptr<Engine> engine;
  Options engineOptions;  ///< those that the engine was made with
  bool loaded = false;    ///< the engine has this problem
  bool boundsChanged = false;
  bool costsChanged = false;

  bool engineFits(Options const& options) const {
    return engine && loaded && options.scaling == engineOptions.scaling && engineServes(options);
  }
  bool engineServes(Options const& options) const {
    return engine && options.engine == engineOptions.engine &&
           options.threads == engineOptions.threads && options.device == engineOptions.device &&
           options.blockSize == engineOptions.blockSize &&
           options.sketchSize == engineOptions.sketchSize;
  }

  void makeEngine(Options const& options, Callbacks const& callbacks) {
    auto const notice = [&](std::string const& sentence) {
      if (callbacks.notice) callbacks.notice(sentence);
    };
    EngineOptions wanted;
    wanted.threads = options.threads;
    wanted.device = options.device;
    wanted.blockSize = options.blockSize;
    wanted.sketchSize = options.sketchSize;
    bool const device = wantsDevice(options.engine, lp);
    loaded = false;
    if (!engineServes(options) || (engine->name() == "cuda") != device) engine.reset();
    std::future<std::unique_ptr<Engine>> opening;  // takes a while, on a thread of its own
    if (device && !engine)
      opening = std::async(std::launch::async, [wanted] { return makeCudaEngine(wanted); });
    form = makeStandardForm(lp, options.scaling);
    if (device) {
      try {
        if (!engine) engine = opening.get();
        engine->load(form);
        if (options.engine == EngineChoice::automatic) notice("engine cuda: " + engine->device());
      } catch (EngineUnavailable const& e) {
        engine.reset();
        if (options.engine == EngineChoice::cuda) throw;
        notice(std::string("engine host: ") + e.what());
      }
    } else if (options.engine == EngineChoice::automatic) {
      notice("engine host: the problem is too small to gain from a device");
    }
    if (!engine || !device) {
      if (!engine) engine = makeHostEngine(wanted);
      engine->load(form);
    }
    engineOptions = options;
    loaded = true;
    boundsChanged = costsChanged = false;
  }

  void refresh() {
    if (boundsChanged) refreshBounds(form, lp);
    if (costsChanged) refreshCosts(form, lp);
    boundsChanged = costsChanged = false;
  }
};

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
  state_->loaded = false;
}

LinearProgram const& Solver::problem() const {
  return state_->lp;
}

void Solver::setColumnBounds(int j, double lower, double upper) {
  state_->lp.columnLower.at(static_cast<std::size_t>(j)) = lower;
  state_->lp.columnUpper.at(static_cast<std::size_t>(j)) = upper;
  state_->boundsChanged = true;
}
void Solver::setRowBounds(int i, double lower, double upper) {
  state_->lp.rowLower.at(static_cast<std::size_t>(i)) = lower;
  state_->lp.rowUpper.at(static_cast<std::size_t>(i)) = upper;
  state_->boundsChanged = true;
}
void Solver::setObjective(int j, double cost) {
  state_->lp.objective.at(static_cast<std::size_t>(j)) = cost;
  state_->costsChanged = true;
}
void Solver::setSense(Sense sense) {
  state_->lp.sense = sense;
  state_->costsChanged = true;
}
void Solver::setObjectiveOffset(double offset) {
  state_->lp.objectiveOffset = offset;
}

void Solver::setBasis(Basis basis) {
  state_->basis = std::move(basis);
}
Basis const& Solver::basis() const {
  return state_->basis;
}

Solution Solver::solve(Options const& options, Callbacks const& callbacks) {
  if (!state_->engineFits(options)) state_->makeEngine(options, callbacks);
  state_->refresh();
  try {
    Simplex simplex(state_->lp, state_->form, *state_->engine, options, callbacks);
    Solution solution = simplex.solve(state_->basis);
    state_->basis = solution.basis;
    if (simplex.engineLost()) state_->engine.reset();
    return solution;
  } catch (...) {
    state_->engine.reset();  // whatever it holds, it is not what the next solve expects
    throw;
  }
}

}  // namespace osi_cuda
