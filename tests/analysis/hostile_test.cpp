// SPDX-License-Identifier: EPL-2.0
// Every analysis on small problems with numbers of very different magnitude, beside answers in
// rational arithmetic: no interval claims more than is true, no objective that is held gets worse,
// no subsystem has a point, no total is called the least that is not.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "osi_cuda/analysis/infeasible_subsystem.hpp"
#include "osi_cuda/analysis/ranging.hpp"
#include "osi_cuda/analysis/ranked_objectives.hpp"
#include "osi_cuda/analysis/relaxation.hpp"
#include "tests/analysis/exact_lp.hpp"

namespace osi_cuda {
namespace {

using testing::Bound;
using testing::ExactAnswer;
using testing::ExactBasis;
using testing::ExactLp;
using testing::Rational;

Options onHost() {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.iterationLimit = 20000;  // for those that cycle
  return options;
}

Rational power(int exponent) {
  Rational two = exponent < 0 ? Rational(1, 2) : Rational(2), result = 1;
  for (int k = 0; k < std::abs(exponent); ++k) result *= two;
  return result;
}

bool near(double value, Rational const& exact, double tolerance = 1e-6) {
  return std::isfinite(value) && abs(Rational(value) - exact) <= tolerance * (1 + abs(exact));
}

/// The number whose interval is looked at: a cost, or one or both bounds of a variable.
struct Number {
  enum class What { cost, lower, upper } what;
  std::size_t variable;  ///< n + i: row i

  std::string text() const {
    char const* const names[] = {"cost", "lower bound", "upper bound"};
    return std::string(names[static_cast<int>(what)]) + " of " + std::to_string(variable);
  }
};

/// The problem, in the terms of a minimisation, with that number changed by `step`.
struct Changed {
  ExactLp lp;
  std::vector<Rational> rowCost;

  Changed(LinearProgram const& given, Number const& number, Rational const& step)
      : lp(testing::exactOf(given)) {
    std::size_t const n = lp.columns(), v = number.variable;
    if (number.what == Number::What::cost) {
      Rational const change = given.sense == Sense::maximize ? Rational(-step) : step;
      if (v >= n) rowCost.resize(lp.rows.size());
      (v < n ? lp.cost[v] : rowCost[v - n]) += change;
      return;
    }
    Bound& lower = v < n ? lp.columnLower[v] : lp.rowLower[v - n];
    Bound& upper = v < n ? lp.columnUpper[v] : lp.rowUpper[v - n];
    bool const both = lower && upper && *lower == *upper;
    if (lower && (both || number.what == Number::What::lower)) *lower += step;
    if (upper && (both || number.what == Number::What::upper)) *upper += step;
  }
};

void forEachRange(LinearProgram const& lp, Ranging const& all,
                  std::function<void(Number const&, Range const&)> const& visit) {
  using What = Number::What;
  auto const n = static_cast<std::size_t>(lp.columns());
  for (std::size_t j = 0; j < n; ++j) {
    visit({What::cost, j}, all.costs[j]);
    visit({What::lower, j}, all.columnLower[j]);
    visit({What::upper, j}, all.columnUpper[j]);
  }
  for (std::size_t i = 0; i < all.rowCosts.size(); ++i) {
    visit({What::cost, n + i}, all.rowCosts[i]);
    visit({What::lower, n + i}, all.rowLower[i]);
    visit({What::upper, n + i}, all.rowUpper[i]);
  }
}

void checkEnd(LinearProgram const& lp, Basis const& basis, Number const& number, Range const& range,
              RangeEnd const& end, int way, int& tooShort) {
  if (std::isinf(range.present)) return;  // a bound that there is not
  auto const optimalAfter = [&](Rational const& step) {
    Changed const changed(lp, number, step);
    return testing::basicSolution(changed.lp, basis, changed.rowCost).optimal(changed.lp, basis, 0);
  };
  if (std::isinf(end.at)) {
    BOOST_TEST(optimalAfter(way * power(300)), "not without end");
    return;
  }
  Rational const step = Rational(end.at) - Rational(range.present);
  Rational const rounding = power(-40) * (1 + abs(Rational(range.present)));
  Rational const size = abs(step);
  BOOST_TEST((way * step >= 0));
  if (size > rounding)
    BOOST_TEST(optimalAfter(way * (size * (1 - power(-20)) - rounding / 2)), "too long");
  tooShort += optimalAfter(way * (size * (1 + power(-20)) + rounding));
}

/// The derivative of the optimum to one side; nothing: no optimum there.
std::optional<Rational> slope(LinearProgram const& lp, Number const& number,
                              Rational const& objective, int way) {
  Rational const step = way * power(-400);
  ExactAnswer const answer = testing::solveExactly(Changed(lp, number, step).lp);
  if (answer.status != Status::optimal) return std::nullopt;
  Rational const change = (answer.objective - objective) / step;
  return lp.sense == Sense::maximize ? Rational(-change) : change;
}

void checkSlope(LinearProgram const& lp, Number const& number, Rational const& objective,
                double price, int way) {
  if (std::isnan(price)) return;  // nothing is claimed
  std::optional<Rational> const expected = slope(lp, number, objective, way);
  if (std::isinf(price)) {
    BOOST_TEST(!expected.has_value(),
               "an optimum on side " << way << ", price " << expected.value_or(0).get_d());
    return;
  }
  BOOST_TEST_REQUIRE(expected.has_value(), "no optimum on side " << way);
  BOOST_TEST(near(price, *expected), way << ": " << price << " instead of " << expected->get_d());
}

void checkRangings(std::uint64_t first, std::uint64_t last) {
  int checked = 0, refused = 0, inexact = 0, tooShort = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    LinearProgram const lp = testing::hostileLp(seed);
    Solver solver(lp);
    if (solver.solve(onHost()).status != Status::optimal) continue;
    Ranging found;
    try {
      found = *ranging(solver, onHost());
    } catch (std::invalid_argument const&) {
      ++refused;
      continue;
    }
    Basis const& basis = found.point.basis;
    ExactLp const exact = testing::exactOf(lp);
    ExactBasis const vertex = testing::basicSolution(exact, basis);
    if (!vertex.optimal(exact, basis, 0)) {
      ++inexact;
      continue;
    }
    ++checked;
    Rational objective;
    for (std::size_t j = 0; j < exact.columns(); ++j) objective += exact.cost[j] * vertex.value[j];
    addOneSidedPrices(found, lp, onHost());
    BOOST_TEST_CONTEXT("hostileLp(" << seed << ")")
    forEachRange(lp, found, [&](Number const& number, Range const& range) {
      BOOST_TEST_CONTEXT(number.text() << ": " << range.present << " in [" << range.low.at << ", "
                                       << range.high.at << "]") {
        checkEnd(lp, basis, number, range, range.low, -1, tooShort);
        checkEnd(lp, basis, number, range, range.high, 1, tooShort);
        if (number.what == Number::What::cost || std::isinf(range.present)) return;
        checkSlope(lp, number, objective, range.priceBelow, -1);
        checkSlope(lp, number, objective, range.priceAbove, 1);
      }
    });
  }
  BOOST_TEST_MESSAGE(checked << " checked, " << refused << " refused, " << inexact
                             << " not exactly optimal, " << tooShort << " ends too near");
  BOOST_TEST(checked > static_cast<int>(last - first) / 5);
  BOOST_TEST(refused < checked / 5);
  BOOST_TEST(tooShort <= checked / 50);  // reduced costs below 1e-24 of their terms count as zero
}

std::vector<RankedObjective> drawObjectives(LinearProgram const& lp, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr double costs[] = {0.0, 0.0, 1.0, -1.0, 1e-10, 0.5, 0x1p-36, 3.0};
  std::vector<RankedObjective> objectives;
  for (int r = 0; r < 3; ++r) {
    RankedObjective objective{
        "drawn", random() % 2 ? Sense::minimize : Sense::maximize, {}, 0.0, {}};
    for (int j = 0; j < lp.columns(); ++j) objective.costs.push_back(costs[random() % 8]);
    objectives.push_back(objective);
  }
  return objectives;
}

void checkRanks(std::uint64_t first, std::uint64_t last) {
  int held = 0, other = 0, wrong = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    LinearProgram const lp = testing::hostileLp(seed);
    std::vector<RankedObjective> const objectives = drawObjectives(lp, seed);
    RankedSolution const found = solveByRank(lp, objectives, onHost());
    ExactLp exact = testing::exactOf(lp);
    BOOST_TEST_CONTEXT("hostileLp(" << seed << ")")
    for (std::size_t r = 0; r < objectives.size(); ++r) {
      Rational const sign = objectives[r].sense == Sense::maximize ? -1 : 1;
      for (std::size_t j = 0; j < exact.columns(); ++j)
        exact.cost[j] = sign * Rational(objectives[r].costs[j]);
      ExactAnswer const answer = testing::solveExactly(exact);
      if (r >= found.ranks.size()) {
        bool const denied = r > 0 && found.solution.status == Status::unbounded &&
                            answer.status != Status::unbounded;
        wrong += denied;
        if (denied)
          BOOST_TEST_MESSAGE("hostileLp(" << seed << "), objective " << r
                                          << " is not unbounded: " << toString(answer.status) << " "
                                          << Rational(sign * answer.objective).get_d() << ", "
                                          << found.solution.exact.message
                                          << found.solution.message);
        break;
      }
      // The optimum of a solve is another test's business.
      if (answer.status != Status::optimal ||
          (r == 0 && !near(found.ranks[0].optimum, sign * answer.objective))) {
        ++other;
        break;
      }
      Rational const worse = sign * Rational(found.ranks[r].value) - answer.objective;
      if (worse > 1e-6 * (1 + abs(answer.objective))) {
        ++wrong;
        BOOST_TEST_MESSAGE("hostileLp(" << seed << "), objective " << r << ": "
                                        << found.ranks[r].value << " instead of "
                                        << Rational(sign * answer.objective).get_d());
      }
      ++held;
      exact.rows.push_back(exact.cost);
      exact.rowLower.push_back(answer.objective);
      exact.rowUpper.push_back(answer.objective);
    }
  }
  BOOST_TEST_MESSAGE(held << " objectives compared, " << other << " solves not");
  BOOST_TEST(held > static_cast<int>(last - first) / 2);
  BOOST_TEST(wrong == 0);
}

/// The problem with these sides alone, each but `leftOut` moved away by `tolerance`.
ExactLp onlySides(LinearProgram const& lp, std::vector<Side> const& sides, std::size_t leftOut,
                  Rational const& tolerance) {
  ExactLp exact = testing::exactOf(lp);
  std::fill(exact.cost.begin(), exact.cost.end(), 0);
  for (auto* bounds : {&exact.columnLower, &exact.columnUpper, &exact.rowLower, &exact.rowUpper})
    std::fill(bounds->begin(), bounds->end(), std::nullopt);
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (k == leftOut) continue;
    Rational const bound = boundOf(lp, sides[k]);
    auto& bounds = sides[k].isRow() ? (sides[k].isLower() ? exact.rowLower : exact.rowUpper)
                                    : (sides[k].isLower() ? exact.columnLower : exact.columnUpper);
    Rational const away = tolerance * (1 + abs(bound));
    bounds[static_cast<std::size_t>(sides[k].index)] =
        sides[k].isLower() ? Rational(bound - away) : Rational(bound + away);
  }
  return exact;
}

void checkSubsystems(std::uint64_t first, std::uint64_t last) {
  int checked = 0, undecided = 0, wrong = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    LinearProgram const lp = testing::hostileLp(seed);
    Solution const solution = Solver(lp).solve(onHost());
    if (solution.status != Status::infeasible) continue;
    BOOST_TEST_CONTEXT("hostileLp(" << seed << ")") {
      InfeasibleSubsystem const found = infeasibleSubsystem(lp, solution, onHost());
      BOOST_TEST(found.proof.proved);
      std::size_t const count = found.members.size();
      wrong += testing::solveExactly(onlySides(lp, found.members, count, 0)).status !=
               Status::infeasible;
      undecided += !found.irreducible;
      ++checked;
      if (!found.irreducible) continue;
      for (std::size_t k = 0; k < count; ++k)
        BOOST_TEST((testing::solveExactly(onlySides(lp, found.members, k, power(-23))).status ==
                    Status::optimal),
                   "member " << k << " is not needed");
    }
  }
  BOOST_TEST_MESSAGE(checked << " subsystems, " << undecided << " not irreducible");
  BOOST_TEST(checked > static_cast<int>(last - first) / 20);
  BOOST_TEST(undecided <= checked / 10);
  BOOST_TEST(wrong == 0);
}

/// The least total: a variable each for every side of the rows.
ExactAnswer leastTotal(LinearProgram const& lp) {
  ExactLp exact = testing::exactOf(lp);
  std::fill(exact.cost.begin(), exact.cost.end(), 0);
  std::size_t const m = exact.rows.size();
  for (std::size_t i = 0; i < m; ++i)
    for (int const sign : {1, -1}) {
      for (std::size_t k = 0; k < m; ++k) exact.rows[k].push_back(k == i ? sign : 0);
      exact.cost.push_back(1);
      exact.columnLower.push_back(Rational(0));
      exact.columnUpper.push_back(std::nullopt);
    }
  return testing::solveExactly(exact);
}

void checkRelaxations(std::uint64_t first, std::uint64_t last) {
  int least = 0, unproved = 0, wrong = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    LinearProgram const lp = testing::hostileLp(seed);
    if (Solver(lp).solve(onHost()).status != Status::infeasible) continue;
    BOOST_TEST_CONTEXT("hostileLp(" << seed << ")") {
      Relaxation const found = relax(lp, RelaxationGoal::sum, Relaxed::rows, onHost());
      if (found.status != Status::optimal) continue;
      ExactAnswer const answer = leastTotal(lp);
      BOOST_TEST_REQUIRE((answer.status == Status::optimal));
      if (!found.leastTotal) {
        ++unproved;
        continue;
      }
      ++least;
      wrong += !near(found.total, answer.objective);
    }
  }
  BOOST_TEST_MESSAGE(least << " least totals, " << unproved << " unproved");
  BOOST_TEST(least > static_cast<int>(last - first) / 40);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE(hostile_problems)

BOOST_AUTO_TEST_CASE(intervalsAndPrices) {
  checkRangings(1, 400);
}
BOOST_AUTO_TEST_CASE(lexicographicObjectives) {
  checkRanks(1, 400);
}
BOOST_AUTO_TEST_CASE(subsystems) {
  checkSubsystems(1, 400);
}
BOOST_AUTO_TEST_CASE(relaxations) {
  checkRelaxations(1, 400);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(hostile_problems_long)

BOOST_AUTO_TEST_CASE(intervals_and_prices) {
  checkRangings(1001, 4000);
}
BOOST_AUTO_TEST_CASE(lexicographic_objectives) {
  checkRanks(1001, 4000);
}
BOOST_AUTO_TEST_CASE(infeasible_subsystems) {
  checkSubsystems(1001, 4000);
}
BOOST_AUTO_TEST_CASE(feasibility_relaxations) {
  checkRelaxations(1001, 4000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
