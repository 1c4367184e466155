// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/proof.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

VariableStatus statusOf(double value, double lower, double upper) {
  if (std::isinf(lower) && std::isinf(upper)) return VariableStatus::free;
  if (std::isinf(upper) || value - lower <= upper - value) return VariableStatus::atLower;
  return VariableStatus::atUpper;
}

/// The solution in the problem's own numbers.
Solution unscaled(LinearProgram const& lp, StandardForm const& form, BasicPoint const& exact,
                  Snapshot const& point) {
  auto const n = at(form.columns()), m = at(form.rows());
  Solution s;
  s.basis = basisOf(form, point);
  s.columnValues.resize(n);
  s.rowDuals.resize(m);
  for (std::size_t j = 0; j < n; ++j) s.columnValues[j] = exact.x[j] * form.columnScale[j];
  for (std::size_t i = 0; i < m; ++i)
    s.rowDuals[i] = exact.y[i] * form.rowScale[i] / form.costScale;
  s.objective = objectiveOf(lp, s.columnValues);
  return s;
}

}  // namespace

Basis basisOf(StandardForm const& form, Snapshot const& point) {
  auto const n = at(form.columns()), m = at(form.rows());
  Basis basis;
  basis.columns.assign(n, VariableStatus::basic);
  basis.rows.assign(m, VariableStatus::basic);
  for (int variable : point.nonbasicVariable) {
    auto const v = at(variable);
    VariableStatus const status = statusOf(point.value[v], form.lower[v], form.upper[v]);
    if (v < n) {
      basis.columns[v] = status;
    } else {  // the slack is the negative of the activity
      basis.rows[v - n] = status == VariableStatus::atLower   ? VariableStatus::atUpper
                          : status == VariableStatus::atUpper ? VariableStatus::atLower
                                                              : status;
    }
  }
  return basis;
}

Solution basicSolution(LinearProgram const& lp, StandardForm const& form, Engine& engine,
                       Snapshot const& point, std::vector<double> const& cost) {
  return unscaled(lp, form, engine.solves().basicPoint(point, cost), point);
}

Residuals roundingOf(LinearProgram const& lp, Solution const& point) {
  constexpr double roundings = 64.0 * 0x1p-53;
  std::vector<double> activity(at(lp.rows()), 0.0);
  double primal = 0.0, dual = 0.0;
  ColumnReader read(lp.matrix);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const k = at(j);
    double const x = std::fabs(point.columnValues[k]);
    double product = std::fabs(lp.objective[k]);
    for (auto const [i, a] : read.column(j)) {
      double const size = std::fabs(a);
      activity[at(i)] += size * x;
      product += size * std::fabs(point.rowDuals[at(i)]);
    }
    primal = std::max(primal, x);
    dual = std::max(dual, product);
  }
  for (double const sum : activity) primal = std::max(primal, sum);
  return {roundings * primal, roundings * dual, 0.0};
}

Solution presentPoint(LinearProgram const& lp, StandardForm const& form, Snapshot const& point) {
  auto const n = at(form.columns()), m = at(form.rows());
  BasicPoint present;
  present.x.assign(point.value.begin(), point.value.begin() + form.columns());
  present.y.resize(m);
  for (std::size_t i = 0; i < m; ++i) present.y[i] = -point.reducedCost[n + i];
  return unscaled(lp, form, present, point);
}

}  // namespace osi_cuda
