// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/start_point.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda {
namespace {

/// A sum of squares.
struct Norm {
  double squares = 0.0;
  void add(double value) { squares += value * value; }
  double value() const { return std::sqrt(squares); }
};

/// x and -A x, scaled.
std::vector<double> valuesOf(StandardForm const& form, std::span<double const> x) {
  auto const n = at(form.columns());
  std::vector<double> value(at(form.variables()), 0.0);
  ColumnReader read(form.matrix());
  for (std::size_t j = 0; j < n; ++j) {
    value[j] = std::clamp(x[j] / form.columnScale[j], form.lower[j],
                          std::max(form.lower[j], form.upper[j]));
    if (value[j] == 0.0) continue;
    for (auto const [row, a] : read.column(static_cast<int>(j))) value[n + at(row)] -= a * value[j];
  }
  return value;
}

/// c - A'y and -y, scaled.
std::vector<double> reducedCostsOf(StandardForm const& form, std::span<double const> multiplier) {
  auto const n = at(form.columns());
  std::vector<double> reduced = form.cost;
  ColumnReader read(form.matrix());
  for (std::size_t j = 0; j < n; ++j) {
    for (auto const [row, a] : read.column(static_cast<int>(j)))
      reduced[j] -= a * multiplier[at(row)];
  }
  for (std::size_t i = 0; i < multiplier.size(); ++i) reduced[n + i] -= multiplier[i];
  return reduced;
}

/// Where a variable of that reduced cost rests.
double restingValue(double lower, double upper, double reducedCost) {
  bool const below = std::isfinite(lower), above = std::isfinite(upper);
  if (below && above) return reducedCost >= 0.0 ? lower : upper;
  return below ? lower : above ? upper : 0.0;
}

PointResiduals residualsOf(StandardForm const& form, std::vector<double> const& value,
                           std::vector<double> const& reduced) {
  Norm beyond, size, wrong, costs;
  double primal = 0.0, dual = 0.0;
  for (std::size_t v = 0; v < form.lower.size(); ++v) {
    double const lower = form.lower[v], upper = form.upper[v];
    if (!value.empty()) {
      beyond.add(std::max({0.0, lower - value[v], value[v] - upper}));
      size.add(value[v]);
      primal += form.cost[v] * value[v];
    }
    if (!reduced.empty()) {
      double const bound = reduced[v] > 0.0 ? lower : upper;
      if (std::isfinite(bound))
        dual += reduced[v] * bound;
      else
        wrong.add(reduced[v]);
      costs.add(form.cost[v]);
    }
  }
  PointResiduals residuals;
  residuals.primal = beyond.value() / (1.0 + size.value());
  residuals.dual = wrong.value() / (1.0 + costs.value());
  if (!value.empty() && !reduced.empty())
    residuals.gap = std::fabs(primal - dual) / (1.0 + std::fabs(primal) + std::fabs(dual));
  return residuals;
}

}  // namespace

std::string findFault(StartPoint const& start, LinearProgram const& lp) {
  auto const fault = [](std::vector<double> const& values, int wanted, std::string const& name,
                        std::string const& of) -> std::string {
    if (values.empty()) return {};
    if (std::ssize(values) != wanted)
      return "the start's " + name + " has length " + std::to_string(values.size()) +
             " instead of " + std::to_string(wanted) + ", the number of " + of;
    auto const bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
    if (bad == values.end()) return {};
    return "the start's " + name + "[" + std::to_string(bad - values.begin()) + "] is not finite";
  };
  std::string const first = fault(start.x, lp.columns(), "x", "columns");
  return first.empty() ? fault(start.y, lp.rows(), "y", "rows") : first;
}

bool PointResiduals::areSmall() const {
  constexpr double mostResidual = 1e-2, mostGap = 5e-2;
  return primal <= mostResidual && dual <= mostResidual && gap <= mostGap;  // no NaN is
}

GivenPoint givenPoint(StandardForm const& form, StartPoint const& start) {
  GivenPoint given;
  BarrierPoint& point = given.point;
  std::vector<double> reduced;
  if (!start.x.empty()) point.value = valuesOf(form, start.x);
  if (!start.y.empty()) {
    for (std::size_t i = 0; i < start.y.size(); ++i)
      point.multiplier.push_back(start.y[i] * form.costScale / form.rowScale[i]);
    reduced = reducedCostsOf(form, point.multiplier);
  }
  given.residuals = residualsOf(form, point.value, reduced);
  // Below these a distance to a bound, or a reduced cost, is no more than the point's error.
  constexpr double least = 1e-9;
  double const leastDistance = least + given.residuals.primal;
  double const beside = 10.0 * leastDistance;
  double const leastCost = least + given.residuals.dual;
  bool const known = !point.value.empty();
  if (!known) point.value.resize(form.lower.size());
  point.stiffness.assign(form.lower.size(), 0.0);
  for (std::size_t v = 0; v < form.lower.size(); ++v) {
    double const lower = form.lower[v], upper = form.upper[v];
    double const d = reduced.empty() ? 0.0 : reduced[v];
    double& x = point.value[v];
    if (!known) x = restingValue(lower, upper, d);
    for (double const bound : {lower, upper})  // or every variable beside a bound takes a push
      if (std::isfinite(bound) && std::fabs(x - bound) <= beside * (1.0 + std::fabs(bound)))
        x = bound;
    auto const add = [&](double distance, double cost) {
      if (std::isinf(distance)) return;
      distance = known ? std::max(distance, leastDistance) : 1.0;
      cost = reduced.empty() ? 1.0 : std::max(cost, leastCost);
      point.stiffness[v] += cost / distance;
    };
    add(x - lower, d);
    add(upper - x, -d);
    if (lower >= upper) point.stiffness[v] = infinity;
  }
  return given;
}

}  // namespace osi_cuda
