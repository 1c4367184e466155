// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/ratio_tests.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {
namespace {

/// Two steps of the same length to rounding: the larger pivot is the better one.
constexpr double sameStep = 1e-9;
/// Distances to a bound and reduced costs up to this, relative, are rounding.
constexpr double rounding = 1e-9;

double room(double distance, double bound) {
  if (std::isinf(bound)) return infinity;
  return distance <= rounding * (1.0 + std::fabs(bound)) ? 0.0 : distance;
}

/// What a row of the tableau says to one nonbasic variable: it may stop it on either way.
struct Stops {
  double up, down;  ///< rooms of the basic variable
  int variable;

  void offerTo(Blocker& whenUp, Blocker& whenDown, double rate) const {
    double const size = std::fabs(rate);
    double const forward = rate > 0.0 ? up : down, back = rate > 0.0 ? down : up;
    if (forward < infinity) whenUp.offer(forward / size, rate, variable, rate > 0.0);
    if (back < infinity) whenDown.offer(back / size, rate, variable, rate < 0.0);
  }
};

/// A nonbasic variable in the dual ratio tests: by how much its reduced cost may fall and rise.
struct PriceRoom {
  double fall = infinity, rise = infinity;
  int variable = -1;

  explicit PriceRoom(VertexVariable const& v, int number) : variable(number) {
    bool const free = v.status == VariableStatus::free;
    if (v.fixed()) return;
    if (free || v.status == VariableStatus::atLower) fall = free ? 0.0 : std::max(0.0, v.price);
    if (free || v.status == VariableStatus::atUpper) rise = free ? 0.0 : std::max(0.0, -v.price);
  }

  /// The reduced cost goes by `rate` for a unit of the basic variable's cost.
  void offerTo(Blocker& whenUp, Blocker& whenDown, double rate) const {
    double const size = std::fabs(rate);
    double const forward = rate > 0.0 ? rise : fall, back = rate > 0.0 ? fall : rise;
    if (forward < infinity) whenUp.offer(forward / size, rate, variable, false);
    if (back < infinity) whenDown.offer(back / size, rate, variable, false);
  }
};

std::vector<VertexVariable> variablesAt(LinearProgram const& lp, Solution const& point) {
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  std::vector<VertexVariable> variables;
  variables.reserve(static_cast<std::size_t>(lp.columns()) + static_cast<std::size_t>(lp.rows()));
  auto const price = [&](double reduced, double cost) {
    return std::fabs(reduced) <= rounding * (1.0 + std::fabs(cost)) ? 0.0 : sign * reduced;
  };
  for (std::size_t j = 0; j < lp.objective.size(); ++j)
    variables.push_back({point.columnValues[j], lp.columnLower[j], lp.columnUpper[j],
                         price(point.reducedCosts[j], lp.objective[j]), point.basis.columns[j]});
  for (std::size_t i = 0; i < lp.rowLower.size(); ++i)
    variables.push_back({point.rowActivity[i], lp.rowLower[i], lp.rowUpper[i],
                         price(point.rowDuals[i], 0.0), point.basis.rows[i]});
  return variables;
}

}  // namespace

void Blocker::offer(double candidate, double entry, int number, bool upper) {
  double const tie = sameStep * (1.0 + candidate);
  if (candidate > step + tie) return;
  if (candidate >= step - tie && variable >= 0 && std::fabs(entry) <= std::fabs(rate)) {
    step = std::min(step, candidate);
    return;
  }
  step = std::min(step, candidate);
  rate = entry;
  variable = number;
  toUpper = upper;
}

double VertexVariable::roomUp() const {
  return room(upper - value, upper);
}

double VertexVariable::roomDown() const {
  return room(value - lower, lower);
}

std::optional<RatioTests> ratioTests(Solver const& solver, Solution const& point,
                                     std::function<bool()> const& stop) {
  RatioTests tests;
  tests.variables = variablesAt(solver.problem(), point);
  tests.up.resize(tests.variables.size());
  tests.down.resize(tests.variables.size());
  std::vector<int> const basic = solver.basicVariables();
  std::vector<int> const nonbasic = solver.nonbasicVariables();
  std::vector<PriceRoom> rooms;
  rooms.reserve(nonbasic.size());
  for (int const k : nonbasic) rooms.emplace_back(tests.variables[static_cast<std::size_t>(k)], k);
  bool const whole = solver.visitRates([&](int position, std::span<double const> rates) {
    auto const b = static_cast<std::size_t>(basic[static_cast<std::size_t>(position)]);
    Stops const stops{tests.variables[b].roomUp(), tests.variables[b].roomDown(),
                      static_cast<int>(b)};
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (rates[k] == 0.0) continue;
      auto const v = static_cast<std::size_t>(nonbasic[k]);
      stops.offerTo(tests.up[v], tests.down[v], rates[k]);
      rooms[k].offerTo(tests.up[b], tests.down[b], rates[k]);
    }
    return !stop();
  });
  if (!whole) return std::nullopt;
  return tests;
}

}  // namespace osi_cuda
