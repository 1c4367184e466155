// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver.hpp"

#include <algorithm>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/edits.hpp"
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

void checkEdit(LinearProgram const& part, bool sizesFit) {
  if (!sizesFit) throw std::invalid_argument("The new rows or columns have another length.");
  std::string const fault = findFault(part);
  if (!fault.empty()) throw std::invalid_argument(fault);
}

void replace(std::vector<double>& values, std::span<double const> others) {
  if (values.size() != others.size())
    throw std::invalid_argument("An array has length " + std::to_string(others.size()) +
                                " instead of " + std::to_string(values.size()) + ".");
  std::copy(others.begin(), others.end(), values.begin());
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

  /// After rows or columns came or went; `lp` has the change already.
  void reshaped(Reshape const& change) {
    reshape(basis, change);
    loaded = false;
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

// Edits are checked on their own, so that a big problem is not read again for one row.
void Solver::addRows(SparseMatrix const& rows, std::span<double const> lower,
                     std::span<double const> upper) {
  LinearProgram part;  // the new rows as columns: the same lengths, indices and numbers
  part.matrix = rows;
  part.objective.assign(static_cast<std::size_t>(rows.columns), 0.0);
  part.columnLower.assign(lower.begin(), lower.end());
  part.columnUpper.assign(upper.begin(), upper.end());
  part.rowLower.assign(static_cast<std::size_t>(rows.rows), 0.0);
  part.rowUpper = part.rowLower;
  checkEdit(part, rows.rows == state_->lp.columns());
  LinearProgram& lp = state_->lp;
  appendRows(lp.matrix, rows);
  lp.rowLower.insert(lp.rowLower.end(), lower.begin(), lower.end());
  lp.rowUpper.insert(lp.rowUpper.end(), upper.begin(), upper.end());
  lp.rowNames.clear();
  state_->reshaped(
      {reshapeMap(lp.rows() - rows.columns, {}, rows.columns), reshapeMap(lp.columns(), {}, 0)});
}

void Solver::addColumns(SparseMatrix const& columns, std::span<double const> lower,
                        std::span<double const> upper, std::span<double const> costs) {
  LinearProgram part;
  part.matrix = columns;
  part.objective.assign(costs.begin(), costs.end());
  part.columnLower.assign(lower.begin(), lower.end());
  part.columnUpper.assign(upper.begin(), upper.end());
  part.rowLower.assign(static_cast<std::size_t>(columns.rows), 0.0);
  part.rowUpper = part.rowLower;
  checkEdit(part, columns.rows == state_->lp.rows());
  LinearProgram& lp = state_->lp;
  appendColumns(lp.matrix, columns);
  lp.columnLower.insert(lp.columnLower.end(), lower.begin(), lower.end());
  lp.columnUpper.insert(lp.columnUpper.end(), upper.begin(), upper.end());
  lp.objective.insert(lp.objective.end(), costs.begin(), costs.end());
  lp.columnNames.clear();
  if (!lp.integer.empty()) lp.integer.resize(lp.objective.size(), 0);
  state_->reshaped({reshapeMap(lp.rows(), {}, 0),
                    reshapeMap(lp.columns() - columns.columns, {}, columns.columns)});
}

void Solver::deleteRows(std::span<int const> rows) {
  LinearProgram& lp = state_->lp;
  Reshape const change{reshapeMap(lp.rows(), rows, 0), reshapeMap(lp.columns(), {}, 0)};
  removeRows(lp.matrix, rows);
  reshape(lp.rowLower, change.rows, 0.0);
  reshape(lp.rowUpper, change.rows, 0.0);
  if (!lp.rowNames.empty()) reshape(lp.rowNames, change.rows, std::string());
  state_->reshaped(change);
}

void Solver::deleteColumns(std::span<int const> columns) {
  LinearProgram& lp = state_->lp;
  Reshape const change{reshapeMap(lp.rows(), {}, 0), reshapeMap(lp.columns(), columns, 0)};
  removeColumns(lp.matrix, columns);
  reshape(lp.columnLower, change.columns, 0.0);
  reshape(lp.columnUpper, change.columns, 0.0);
  reshape(lp.objective, change.columns, 0.0);
  if (!lp.columnNames.empty()) reshape(lp.columnNames, change.columns, std::string());
  if (!lp.integer.empty()) reshape(lp.integer, change.columns, char{0});
  state_->reshaped(change);
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

void Solver::setColumnBounds(std::span<double const> lower, std::span<double const> upper) {
  replace(state_->lp.columnLower, lower);
  replace(state_->lp.columnUpper, upper);
  state_->boundsChanged = true;
}
void Solver::setRowBounds(std::span<double const> lower, std::span<double const> upper) {
  replace(state_->lp.rowLower, lower);
  replace(state_->lp.rowUpper, upper);
  state_->boundsChanged = true;
}
void Solver::setObjective(std::span<double const> costs) {
  replace(state_->lp.objective, costs);
  state_->costsChanged = true;
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
