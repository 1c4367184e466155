// SPDX-License-Identifier: EPL-2.0
// --exact auto: which solutions are settled in rational arithmetic, and what they are expected to
// cost.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "osi_cuda/solve/extras.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/rational/small_problem.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Solution optimum(double residual, ObjectiveEnclosure bar = {}) {
  Solution solution;
  solution.status = Status::optimal;
  solution.objective = 100.0;
  solution.residuals = {residual, 0.0, 0.0};
  solution.objectiveEnclosure = bar;
  return solution;
}

Solution certified(Status status, double margin) {
  Solution solution;
  solution.status = status;
  solution.margin = margin;
  return solution;
}

Solution inTwoParts() {
  Solution solution = optimum(0.0);
  solution.columnValuesLow = {1e-20};
  return solution;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_choice)

BOOST_AUTO_TEST_CASE(automaticIsForDoubtsThatCostLittle) {
  struct Case {
    char const* what;
    Solution solution;
    double seconds;
    bool wanted;
  };
  for (Case const& c : {
           Case{"clean", optimum(1e-12), 0.01, false},
           Case{"residuals above the target", optimum(1e-8), 0.5, true},
           Case{"the same, too long", optimum(1e-8), 1.5, false},
           Case{"not a number", optimum(std::numeric_limits<double>::quiet_NaN()), 0.01, true},
           Case{"two parts", inTwoParts(), 0.5, true},
           Case{"narrow bar", optimum(0.0, {100.0 - 1e-6, 100.0 + 1e-6}), 0.01, false},
           Case{"wide bar", optimum(0.0, {99.0, 100.0}), 0.5, true},
           Case{"half a bar", optimum(0.0, {-infinite, 100.0}), 1e-4, false},
           Case{"half a bar, wide", optimum(0.0, {-1e9, infinite}), 0.5, true},
           Case{"half a bar and residuals", optimum(1e-8, {99.0, infinite}), 0.5, true},
           Case{"no bar", optimum(0.0), 1e-6, true},
           Case{"no bar, long", optimum(0.0), 1e-5, false},
           Case{"no status", certified(Status::numerical, 0.0), 0.5, true},
           Case{"infeasible", certified(Status::infeasible, 1e-3), 0.01, false},
           Case{"infeasible, at once", certified(Status::infeasible, 1e-3), 5e-4, true},
           Case{"infeasible by rounding", certified(Status::infeasible, 1e-12), 0.01, true},
           Case{"unbounded by rounding", certified(Status::unbounded, 1e-12), 0.01, true},
           Case{"no time", certified(Status::timeLimit, 0.0), 0.01, false},
           Case{"interior", certified(Status::interior, 0.0), 0.01, false},
       }) {
    Options options;
    options.exact = Toggle::automatic;
    BOOST_TEST(wantsExact({c.seconds}, c.solution, options) == c.wanted, c.what);
    options.exact = Toggle::off;
    BOOST_TEST(!wantsExact({c.seconds}, c.solution, options), c.what);
    options.exact = Toggle::on;
    Status const status = c.solution.status;
    BOOST_TEST(wantsExact({1e9}, c.solution, options) ==
                   (status != Status::timeLimit && status != Status::interior),
               c.what);
  }
}

BOOST_AUTO_TEST_CASE(solvesFromABasisTakeLess) {
  Options options;
  options.exact = Toggle::automatic;
  Origin const warm{false, infinite};
  BOOST_TEST(wantsExact({0.02}, optimum(1e-8), options, warm));
  BOOST_TEST(!wantsExact({0.5}, optimum(1e-8), options, warm));
  BOOST_TEST(!wantsExact({1e-5}, optimum(0.0), options, warm));  // no bar is formed there
  BOOST_TEST(!wantsExact({1e-5}, certified(Status::infeasible, 1e-3), options, warm));
  BOOST_TEST(wantsExact({0.02}, optimum(0.0, {99.0, infinite}), options, warm));
}

// Small solves come by the thousand, and a proof takes ten times as long as one of them.
BOOST_AUTO_TEST_CASE(aMissingBarTakesAShareOfTheSolve) {
  Options options;
  options.exact = Toggle::automatic;
  auto const after = [](double work) { return Origin{true, infinite, work}; };
  BOOST_TEST(!wantsExact({3e-4}, optimum(0.0), options, after(1e-4)));
  BOOST_TEST(wantsExact({3e-4}, optimum(0.0), options, after(4e-3)));
  BOOST_TEST(!wantsExact({2e-3}, optimum(0.0), options, after(1.0)));
  BOOST_TEST(wantsExact({3e-4}, certified(Status::infeasible, 1e-3), options, after(1e-4)));
  BOOST_TEST(wantsExact({3e-4}, optimum(1e-8), options, after(1e-4)));
}

BOOST_AUTO_TEST_CASE(smallDenseSolvesAreNotProvedExactly) {
  constexpr std::size_t height = 20, size = 30;
  testing::Random random(5);
  std::vector<std::vector<double>> rows(height, std::vector<double>(size));
  std::vector<double> lower(height, 0.0), costs(size);
  for (double& cost : costs) cost = random.unit();
  for (std::size_t i = 0; i < height; ++i) {
    double const price = random.unit();
    for (std::size_t j = 0; j < size; ++j) {
      rows[i][j] = 2.0 * random.unit() - 1.0;
      lower[i] += rows[i][j];  // at the point of all ones
      costs[j] += price * rows[i][j];
    }
  }
  LinearProgram lp = testing::problemOf(rows, size);
  lp.rowLower = lp.rowUpper = lower;
  lp.objective = costs;
  Solution const solution = Solver(lp).solve(Options());
  BOOST_TEST((solution.status == Status::optimal));
  BOOST_TEST(std::isinf(solution.objectiveEnclosure.lower));
  BOOST_TEST(std::isinf(solution.objectiveEnclosure.upper));
  BOOST_TEST(!solution.exact.tried);
}

// harp2: coefficients of a million, so that no doubles come nearer than 3e-9.
BOOST_AUTO_TEST_CASE(roundingToDoublesIsNoDoubtAfterASolveFromABasis) {
  Options options;
  options.exact = Toggle::automatic;
  BOOST_TEST(!wantsExact({0.02}, optimum(1e-8), options, {false, 1e-12}));
  BOOST_TEST(wantsExact({0.02}, optimum(1e-8), options, {false, 1e-8}));
  BOOST_TEST(wantsExact({0.02}, optimum(1e-8), options, {true, 1e-12}));
  BOOST_TEST(wantsExact({0.02}, inTwoParts(), options, {false, 1e-12}));
}

// max x1 with terms of 7e8 that cancel to 1: the point in two parts meets the target, its doubles
// do not.
BOOST_AUTO_TEST_CASE(solvesFromABasisInLargeNumbersAreNotProvedExactly) {
  LinearProgram lp = testing::problemOf({{123456.71, -765432.13}}, 2);
  lp.rowLower = lp.rowUpper = {1.0};
  lp.objective = {-1.0, 0.0};
  lp.columnUpper[1] = 1000.1;
  Solver solver(lp);
  BOOST_TEST((solver.solve(Options()).status == Status::optimal));
  int rounded = 0;
  for (double bound = 990.7; bound < 991.7; bound += 0.1) {
    solver.setColumnBounds(1, 0.0, bound);
    Solution const solution = solver.solve(Options());
    BOOST_TEST((solution.status == Status::optimal));
    BOOST_TEST(!solution.exact.tried);
    rounded += solution.residuals.largest() > 1e-9 ? 1 : 0;
  }
  BOOST_TEST(rounded > 5);
}

BOOST_AUTO_TEST_CASE(timeLeftIsHonoured) {
  Options options;
  options.exact = Toggle::automatic;
  options.timeLimit = 1.0;
  Solution solution = optimum(1e-8);
  BOOST_TEST(wantsExact({0.2}, solution, options));
  BOOST_TEST(!wantsExact({0.3}, solution, options));
  solution.seconds = 0.9;
  BOOST_TEST(!wantsExact({0.2}, solution, options));
}

BOOST_AUTO_TEST_CASE(costsGrowWithTheBasisAndItsNumbers) {
  auto const seconds = [](std::size_t size, double entry) {
    std::vector<std::vector<double>> rows(size, std::vector<double>(size, entry));
    LinearProgram const lp = testing::problemOf(rows, size);
    Basis basis = testing::slackBasis(lp);
    basis.columns.assign(size, VariableStatus::basic);
    basis.rows.assign(size, VariableStatus::atLower);
    return exactShapeOf(lp, basis).seconds;
  };
  BOOST_TEST(seconds(4, 0.1) < 1e-4);
  BOOST_TEST(seconds(200, 0.1) > 2.0 * seconds(100, 0.1));
  BOOST_TEST(seconds(100, 0.1) > seconds(100, 1.0));
  LinearProgram const lp = testing::problemOf({{1.0}}, 1);
  BOOST_TEST(exactShapeOf(lp, {}).seconds < 1e-4);
}

BOOST_AUTO_TEST_SUITE_END()
