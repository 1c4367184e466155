// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <stdexcept>
#include <utility>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {

struct Solver::State {
  LinearProgram lp;
  Basis basis;
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
}

LinearProgram const& Solver::problem() const {
  return state_->lp;
}

void Solver::setColumnBounds(int j, double lower, double upper) {
  state_->lp.columnLower.at(static_cast<std::size_t>(j)) = lower;
  state_->lp.columnUpper.at(static_cast<std::size_t>(j)) = upper;
}
void Solver::setRowBounds(int i, double lower, double upper) {
  state_->lp.rowLower.at(static_cast<std::size_t>(i)) = lower;
  state_->lp.rowUpper.at(static_cast<std::size_t>(i)) = upper;
}
void Solver::setObjective(int j, double cost) {
  state_->lp.objective.at(static_cast<std::size_t>(j)) = cost;
}
void Solver::setSense(Sense sense) {
  state_->lp.sense = sense;
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
  StandardForm const form = makeStandardForm(state_->lp, options.scaling);
  EngineOptions engineOptions;
  engineOptions.threads = options.threads;
  engineOptions.device = options.device;
  engineOptions.blockSize = options.blockSize;
  engineOptions.sketchSize = options.sketchSize;
  if (options.engine == EngineChoice::cuda) {
    throw EngineUnavailable("engine cuda: this version has no CUDA engine");
  }
  std::unique_ptr<Engine> const engine = makeHostEngine(engineOptions);
  engine->load(form);
  Simplex simplex(state_->lp, form, *engine, options, callbacks);
  Solution solution = simplex.solve(state_->basis);
  state_->basis = solution.basis;
  return solution;
}

}  // namespace osi_cuda
