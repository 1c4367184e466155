// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/proof.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

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

namespace {

using std::size_t;

double sumOfMagnitudes(std::vector<double> const& vector) {
  return std::accumulate(vector.begin(), vector.end(), 0.0,
                         [](double sum, double entry) { return sum + std::fabs(entry); });
}

/// The largest sum of magnitudes of a basic column; those of slacks have one entry, 1.
double basisNorm(StandardForm const& form, std::vector<int> const& basic) {
  double norm = 0.0;
  for (int const v : basic) {
    double sum = v < form.columns() ? 0.0 : 1.0;
    if (v < form.columns())
      for (double const entry : form.matrix().columnValues(v)) sum += std::fabs(entry);
    norm = std::max(norm, sum);
  }
  return norm;
}

double inverseNorm(Engine& engine, size_t m, int* row) {
  constexpr int mostRounds = 5;  // two or three are usual
  std::vector<double> x(m, 1.0 / static_cast<double>(m));
  double norm = 0.0;
  size_t last = m;
  for (int round = 0; round < mostRounds; ++round) {
    std::vector<double> signs = engine.solves().ftran(x);
    double const found = sumOfMagnitudes(signs);
    if (!std::isfinite(found)) return found;
    if (round > 0 && found <= norm) break;
    norm = found;
    if (row) *row = round > 0 ? static_cast<int>(last) : -1;
    for (double& entry : signs) entry = entry < 0.0 ? -1.0 : 1.0;
    std::vector<double> const slope = engine.solves().btran(signs);
    auto const larger = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
    auto const steepest = at(std::ranges::max_element(slope, larger) - slope.begin());
    if (steepest == last) break;
    x.assign(m, 0.0);
    x[steepest] = 1.0;
    last = steepest;
  }
  // A vector of alternating signs and growing size, for matrices that mislead the walk above.
  for (size_t i = 0; i < m; ++i) {
    double const grown =
        1.0 + static_cast<double>(i) / static_cast<double>(std::max<size_t>(m - 1, 1));
    x[i] = i % 2 == 0 ? grown : -grown;
  }
  double const other =
      2.0 * sumOfMagnitudes(engine.solves().ftran(x)) / (3.0 * static_cast<double>(m));
  return std::isfinite(other) ? std::max(norm, other) : other;
}

}  // namespace

double conditionEstimate(StandardForm const& form, Engine& engine, int* row) {
  auto const m = at(form.rows());
  if (m == 0) return 0.0;
  double const condition =
      basisNorm(form, engine.snapshot().basicVariable) * inverseNorm(engine, m, row);
  return std::isfinite(condition) ? condition : infinity;
}

}  // namespace osi_cuda
