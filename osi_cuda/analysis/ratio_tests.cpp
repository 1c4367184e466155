// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/ratio_tests.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/rational/tableau.hpp"

namespace osi_cuda {
namespace {

/// Two steps of the same length to rounding: the larger pivot is the better one.
constexpr double sameStep = 1e-9;
using double_double::solveRounding;

/// A sum in double-double arithmetic and the magnitudes of its terms.
struct ExactSum {
  DoubleDouble value;
  double terms = 0.0;

  void add(DoubleDouble const& term) {
    value += term;
    terms += std::fabs(term.hi);
  }
};

/// How far it is to a bound; `terms`: of the value.
double room(DoubleDouble const& value, double bound, double terms, bool up) {
  if (std::isinf(bound)) return infinity;
  DoubleDouble const distance = up ? DoubleDouble(bound) - value : value - DoubleDouble(bound);
  return distance.hi <= solveRounding * (terms + std::fabs(bound)) ? 0.0 : distance.hi;
}

DoubleDouble whole(std::vector<double> const& high, std::vector<double> const& low, std::size_t k) {
  return low.empty() ? DoubleDouble(high[k]) : DoubleDouble(high[k]) + DoubleDouble(low[k]);
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

}  // namespace

void Blocker::offer(double candidate, double entry, int number, bool upper) {
  double const tie = sameStep * candidate;
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

std::vector<VertexVariable> variablesAt(LinearProgram const& lp, Solution const& point) {
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  std::size_t const n = lp.objective.size(), m = lp.rowLower.size();
  std::vector<ExactSum> activity(m);
  std::vector<VertexVariable> variables;
  variables.reserve(n + m);
  auto const price = [&](ExactSum const& reduced) {
    return std::fabs(reduced.value.hi) <= solveRounding * reduced.terms ? 0.0
                                                                        : sign * reduced.value.hi;
  };
  for (std::size_t j = 0; j < n; ++j) {
    DoubleDouble const x = whole(point.columnValues, point.columnValuesLow, j);
    ExactSum reduced;
    reduced.add(lp.objective[j]);
    for (auto const [i, a] : lp.matrix.column(static_cast<int>(j))) {
      activity[at(i)].add(x * a);
      reduced.add(-(whole(point.rowDuals, point.rowDualsLow, at(i)) * a));
    }
    variables.push_back({x.hi, lp.columnLower[j], lp.columnUpper[j], infinity, infinity,
                         price(reduced), point.basis.columns[j]});
  }
  for (std::size_t j = 0; j < n; ++j) {
    // A basic column is what one of its rows leaves to it: the terms of the one that says it best.
    VertexVariable& v = variables[j];
    double terms = infinity;
    for (auto const [i, a] : lp.matrix.column(static_cast<int>(j)))
      if (a != 0.0) terms = std::min(terms, activity[at(i)].terms / std::fabs(a));
    if (v.status != VariableStatus::basic || std::isinf(terms)) terms = std::fabs(v.value);
    DoubleDouble const x = whole(point.columnValues, point.columnValuesLow, j);
    v.roomUp = room(x, v.upper, terms, true);
    v.roomDown = room(x, v.lower, terms, false);
  }
  for (std::size_t i = 0; i < m; ++i) {
    ExactSum dual;
    dual.add(whole(point.rowDuals, point.rowDualsLow, i));
    auto const& [value, terms] = activity[i];
    variables.push_back(
        {value.hi, lp.rowLower[i], lp.rowUpper[i], room(value, lp.rowUpper[i], terms, true),
         room(value, lp.rowLower[i], terms, false), price(dual), point.basis.rows[i]});
  }
  return variables;
}

namespace {

/// Takes in the tableau row by row.
class Gathering {
 public:
  Gathering() = default;
  Gathering(std::vector<VertexVariable> variables, std::span<int const> nonbasic)
      : nonbasic_(nonbasic.begin(), nonbasic.end()) {
    tests_.variables = std::move(variables);
    tests_.up.resize(tests_.variables.size());
    tests_.down.resize(tests_.variables.size());
    rooms_.reserve(nonbasic_.size());
    for (int const k : nonbasic_) rooms_.emplace_back(tests_.variables[at(k)], k);
  }

  void addRow(int basic, std::span<double const> rates) {
    auto const b = at(basic);
    Stops const stops{tests_.variables[b].roomUp, tests_.variables[b].roomDown, basic};
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (rates[k] == 0.0) continue;
      auto const v = at(nonbasic_[k]);
      stops.offerTo(tests_.up[v], tests_.down[v], rates[k]);
      rooms_[k].offerTo(tests_.up[b], tests_.down[b], rates[k]);
    }
  }

  RatioTests take() { return std::move(tests_); }

 private:
  RatioTests tests_;
  std::vector<int> nonbasic_;
  std::vector<PriceRoom> rooms_;
};

}  // namespace

std::optional<RatioTests> ratioTests(Solver const& solver, std::vector<VertexVariable> variables,
                                     std::function<bool()> const& stop) {
  std::vector<int> const basic = solver.basicVariables();
  Gathering gathering(std::move(variables), solver.nonbasicVariables());
  bool const whole = solver.visitRates([&](int position, std::span<double const> rates) {
    gathering.addRow(basic[at(position)], rates);
    return !stop();
  });
  if (!whole) return std::nullopt;
  return gathering.take();
}

std::optional<RatioTests> exactRatioTests(LinearProgram const& lp, Basis const& basis,
                                          std::function<bool()> stop) {
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  std::size_t const n = lp.objective.size();
  Gathering gathering;
  auto const begin = [&](rational::Vertex const& vertex, std::span<int const> nonbasic) {
    std::vector<VertexVariable> variables;
    for (std::size_t v = 0; v < vertex.value.size(); ++v) {
      bool const column = v < n;
      std::size_t const k = column ? v : v - n;
      variables.push_back({vertex.value[v], (column ? lp.columnLower : lp.rowLower)[k],
                           (column ? lp.columnUpper : lp.rowUpper)[k], vertex.roomUp[v],
                           vertex.roomDown[v], sign * vertex.price[v],
                           (column ? basis.columns : basis.rows)[k]});
    }
    gathering = Gathering(std::move(variables), nonbasic);
  };
  bool const whole = rational::visitTableau(
      lp, basis, {.stop = std::move(stop)}, begin,
      [&](int variable, std::span<double const> rates) { gathering.addRow(variable, rates); });
  if (!whole) return std::nullopt;
  return gathering.take();
}

}  // namespace osi_cuda
