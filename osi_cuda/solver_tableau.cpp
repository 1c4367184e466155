// SPDX-License-Identifier: EPL-2.0
// The tableau of a solver's basis in the problem's own terms. With the scaled matrix R A C and its
// basis matrix B_s, the problem's own is B = R^-1 B_s D^-1, where D has the column scale of basic
// columns and the inverse row scale of basic slacks: B^-1 = D B_s^-1 R.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/simplex/judge.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda {
namespace {

std::vector<double> unitVector(int size, int position, double value) {
  std::vector<double> unit(static_cast<std::size_t>(size), 0.0);
  unit.at(static_cast<std::size_t>(position)) = value;
  return unit;
}

/// What is nothing but rounding, beside the largest entry and beside 1, becomes zero: callers look
/// at patterns.
constexpr double noise = 1e-12;

/// A scaled entry up to this makes no pivot; beside a variable without room it would look like a
/// limit.
constexpr double smallestRate = 1e-9;

void dropNoise(std::vector<double>& entries) {
  double largest = 1.0;
  for (double const entry : entries) largest = std::max(largest, std::fabs(entry));
  for (double& entry : entries)
    if (std::fabs(entry) <= noise * largest) entry = 0.0;
}

/// D by row position.
std::vector<double> basicFactors(StandardForm const& form, std::vector<int> const& basic) {
  std::vector<double> factors(basic.size());
  for (std::size_t i = 0; i < basic.size(); ++i) factors[i] = std::fabs(form.factor(basic[i]));
  return factors;
}

}  // namespace

Engine& Solver::State::tableau() const {
  if (!placed || !engine || boundsChanged || costsChanged)
    throw std::logic_error("there is no tableau: prepareTableau was not called");
  return *engine;
}

void Solver::prepareTableau(Options const& options, Callbacks const& callbacks) {
  Budget budget = budgetOf(options, callbacks);
  state_->place(options, callbacks, budget);
}

Solution Solver::evaluate(Options const& options, Callbacks const& callbacks) {
  State& s = *state_;
  Budget budget = budgetOf(options, callbacks);
  return s.withEngine(options, callbacks, [&] {
    Solution solution;
    bool const whole = s.watched(budget, [&] {
      // Nonbasic variables may have moved from where the basis says.
      s.placeBasis(options, callbacks, budget);
      solution = basicSolution(s.lp, s.form, *s.engine, s.engine->snapshot(), s.form.cost);
    });
    if (!whole) {
      solution.status = Status::interrupted;
      solution.basis = s.basis;
      return solution;
    }
    Judge(s.lp, options).assess(solution);
    bool const optimal = solution.residuals.primal <= options.primalTolerance &&
                         solution.residuals.dual <= options.dualTolerance;
    solution.status = optimal ? Status::optimal : Status::interrupted;
    solution.engine = s.engine->name();
    solution.device = s.engine->device();
    solution.deviceLost = s.deviceLost;
    s.basis = solution.basis;
    return solution;
  });
}

Solution Solver::presentPoint() const {
  Engine& engine = state_->tableau();
  return osi_cuda::presentPoint(state_->lp, state_->form, engine, engine.snapshot());
}

std::vector<int> Solver::basicVariables() const {
  return state_->tableau().snapshot().basicVariable;
}

std::vector<int> Solver::nonbasicVariables() const {
  return state_->tableau().snapshot().nonbasicVariable;
}

// x_B = const - T x_N in scaled numbers; the factors also turn slacks into activities.
bool Solver::visitRates(RateVisitor const& visit) const {
  Engine& engine = state_->tableau();
  StandardForm const& form = state_->form;
  Snapshot const point = engine.snapshot();
  std::vector<double> inverseFactor(point.nonbasicVariable.size());
  for (std::size_t k = 0; k < inverseFactor.size(); ++k)
    inverseFactor[k] = 1.0 / form.factor(point.nonbasicVariable[k]);
  for (std::size_t i = 0; i < point.basicVariable.size(); ++i) {
    std::vector<double> rates = engine.row(static_cast<int>(i));
    double const factor = form.factor(point.basicVariable[i]);
    for (std::size_t k = 0; k < rates.size(); ++k)
      rates[k] = std::fabs(rates[k]) <= smallestRate ? 0.0 : -rates[k] * factor * inverseFactor[k];
    if (!visit(static_cast<int>(i), rates)) return false;
  }
  return true;
}

std::vector<double> Solver::inverseRow(int position) const {
  Engine& engine = state_->tableau();
  StandardForm const& form = state_->form;
  int const variable = engine.snapshot().basicVariable.at(static_cast<std::size_t>(position));
  std::vector<double> row =
      engine.btran(unitVector(form.rows(), position, std::fabs(form.factor(variable))));
  for (std::size_t i = 0; i < row.size(); ++i) row[i] *= form.rowScale[i];
  dropNoise(row);
  return row;
}

std::vector<double> Solver::inverseColumn(int row) const {
  Engine& engine = state_->tableau();
  StandardForm const& form = state_->form;
  std::vector<double> column =
      engine.ftran(unitVector(form.rows(), row, form.rowScale.at(static_cast<std::size_t>(row))));
  auto const factors = basicFactors(form, engine.snapshot().basicVariable);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] *= factors[i];
  dropNoise(column);
  return column;
}

std::vector<double> Solver::tableauRow(std::span<double const> inverse) const {
  LinearProgram const& lp = state_->lp;
  std::vector<double> row(static_cast<std::size_t>(lp.columns()));
  ColumnReader read(lp.matrix);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = read(j);
    long double sum = 0.0L, scale = 1.0L;
    for (std::size_t e = 0; e < indices.size(); ++e) {
      long double const term =
          static_cast<long double>(values[e]) * inverse[static_cast<std::size_t>(indices[e])];
      sum += term;
      scale = std::max(scale, std::fabs(term));
    }
    row[static_cast<std::size_t>(j)] =
        std::fabs(sum) <= noise * scale ? 0.0 : static_cast<double>(sum);
  }
  return row;
}

std::vector<double> Solver::tableauColumn(int column) const {
  Engine& engine = state_->tableau();
  StandardForm const& form = state_->form;
  std::vector<double> right(static_cast<std::size_t>(form.rows()), 0.0);
  auto const indices = state_->lp.matrix.columnIndices(column);
  auto const values = state_->lp.matrix.columnValues(column);
  for (std::size_t e = 0; e < indices.size(); ++e) {
    auto const i = static_cast<std::size_t>(indices[e]);
    right[i] = values[e] * form.rowScale[i];
  }
  std::vector<double> entries = engine.ftran(right);
  auto const factors = basicFactors(form, engine.snapshot().basicVariable);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] *= factors[i];
  dropNoise(entries);
  return entries;
}

std::vector<double> Solver::dualsFor(std::span<double const> costs) const {
  Engine& engine = state_->tableau();
  StandardForm const& form = state_->form;
  auto const basic = engine.snapshot().basicVariable;
  std::vector<double> right = basicFactors(form, basic);
  for (std::size_t i = 0; i < right.size(); ++i)
    right[i] =
        basic[i] < form.columns() ? right[i] * costs[static_cast<std::size_t>(basic[i])] : 0.0;
  std::vector<double> y = engine.btran(right);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= form.rowScale[i];
  return y;
}

}  // namespace osi_cuda
