// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <stdexcept>
#include <utility>

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/simplex/simplex.hpp"

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

// The form and the engine are made by the first solve and kept: a change of bounds or costs costs
// the next solve a few vectors, not a new tableau.
struct Solver::State {
  LinearProgram lp;
  Basis basis;
  StandardForm form;
  std::unique_ptr<Engine> engine;
  Options engineOptions;  ///< those that the engine was made with
  bool boundsChanged = false;
  bool costsChanged = false;

  bool engineFits(Options const& options) const {
    return engine && options.engine == engineOptions.engine &&
           options.threads == engineOptions.threads && options.device == engineOptions.device &&
           options.blockSize == engineOptions.blockSize &&
           options.sketchSize == engineOptions.sketchSize &&
           options.scaling == engineOptions.scaling;
  }

  void makeEngine(Options const& options, Callbacks const& callbacks) {
    engine.reset();
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
  state_->engine.reset();
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
