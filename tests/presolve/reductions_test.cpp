// SPDX-License-Identifier: EPL-2.0
// Each reduction on a tiny problem: what is left, and that the basis which comes back is optimal in
// the given problem as it stands.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "osi_cuda/presolve/presolve.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/presolve/tiny_problems.hpp"

using namespace osi_cuda;
using testing::tinyProblem;

namespace {

constexpr double none = infinity;

/// A block that no reduction takes away: three columns and three rows, each entry unlike the
/// others. Appended, so that there is something left to solve.
LinearProgram withCore(LinearProgram const& lp) {
  LinearProgram out = lp;
  int const m = lp.rows();
  double const entries[3][3] = {{2, 3, 5}, {7, 4, 1}, {3, 6, 7}};
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      out.matrix.indices.push_back(m + i);
      out.matrix.values.push_back(entries[i][j]);
    }
    out.matrix.starts.push_back(static_cast<std::int64_t>(out.matrix.indices.size()));
    out.objective.push_back(-10.0 + j);
    out.columnLower.push_back(0.0);
    out.columnUpper.push_back(none);
  }
  out.matrix.rows += 3;
  out.matrix.columns += 3;
  for (double const upper : {20.0, 21.0, 30.0}) {
    out.rowLower.push_back(-none);
    out.rowUpper.push_back(upper);
  }
  return out;
}

Solution solveAsGiven(LinearProgram const& lp) {
  Options options;
  options.presolve = Toggle::off;
  options.engine = EngineChoice::host;
  return Solver(lp).solve(options);
}

/// What is left of a problem, the core not counted.
struct Left {
  int rows, columns;
};

/// Presolves, solves what is left, postsolves, and looks at the basis in the given problem.
void check(LinearProgram const& part, Left const& left) {
  for (Sense const sense : {Sense::minimize, Sense::maximize}) {
    LinearProgram lp = withCore(part);
    lp.objectiveOffset = 3.0;
    lp.sense = sense;
    if (sense == Sense::maximize)
      for (double& cost : lp.objective) cost = -cost;
    PresolveOutcome const outcome = presolve(lp, {});
    BOOST_REQUIRE(outcome.end == PresolveEnd::reduced);
    LinearProgram const& reduced = outcome.presolved->problem;
    BOOST_TEST(reduced.rows() == 3 + left.rows);
    BOOST_TEST(reduced.columns() == 3 + left.columns);
    BOOST_TEST(findFault(reduced) == "");
    BOOST_TEST((reduced.sense == sense));
    Solution const given = solveAsGiven(lp);
    BOOST_REQUIRE(given.status == Status::optimal);
    double const wanted = given.objective, allowed = 1e-9 * (1.0 + std::fabs(wanted));
    Solution const solution = solveAsGiven(reduced);
    BOOST_REQUIRE(solution.status == Status::optimal);
    BOOST_TEST(std::fabs(solution.objective - wanted) <= allowed,
               solution.objective << " instead of " << wanted);
    Solution const point = outcome.presolved->postsolve(lp, solution);
    BOOST_TEST(residualsOf(lp, point).largest() <= 1e-9);
    BOOST_TEST(std::fabs(point.objective - wanted) <= allowed);
    Solver again(lp);
    again.setBasis(point.basis);
    Options options;
    options.presolve = Toggle::off;
    options.engine = EngineChoice::host;
    Solution const proved = again.solve(options);
    BOOST_TEST((proved.status == Status::optimal));
    BOOST_TEST(proved.iterations == 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_row_of_one_entry_becomes_a_bound) {
  // x <= 4 by the row 2 x <= 8; the column is empty then.
  check(tinyProblem({{-1, 0, 9}}, {{{2}, -none, 8}}), {0, 0});
}

BOOST_AUTO_TEST_CASE(a_row_of_one_entry_and_the_other_sign) {
  check(tinyProblem({{1, -9, 9}}, {{{-2}, -none, 8}}), {0, 0});
}

BOOST_AUTO_TEST_CASE(a_row_of_one_entry_that_says_nothing) {
  check(tinyProblem({{-1, 0, 3}}, {{{2}, -none, 8}}), {0, 0});
}

BOOST_AUTO_TEST_CASE(an_equation_of_two_columns_is_substituted) {
  // x = 6 - 2 y; what is left is one column.
  check(tinyProblem({{1, 0, 10}, {-1, 0, 2}}, {{{1, 2}, 6, 6}}), {0, 0});
}

BOOST_AUTO_TEST_CASE(a_forcing_row_fixes_its_columns) {
  // x + y >= 0 with x, y <= 0.
  check(tinyProblem({{1, -4, 0}, {2, -4, 0}}, {{{1, 1}, 0, none}}), {0, 0});
}

BOOST_AUTO_TEST_CASE(an_implied_free_column_goes_with_its_row) {
  // x = 8 - y with y in [0, 5] is in [3, 8], within its bounds.
  check(tinyProblem({{2, 0, 20}, {1, 0, 5}}, {{{1, 1}, 8, 8}}), {0, 0});
}

BOOST_AUTO_TEST_CASE(a_dominated_column_rests_at_its_bound) {
  // y costs and does not help.
  check(tinyProblem({{-3, 0, 4}, {1, 0, 4}}, {{{1, 1}, -none, 3}}), {0, 0});
}

BOOST_AUTO_TEST_CASE(a_column_without_cost_is_a_slack) {
  check(tinyProblem({{-1, 0, 10}, {0, 0, 3}, {-2, 0, 10}},
                    {{{1, 1, 2}, 12, 12}, {{2, 0, 1}, -none, 8}}),
        {2, 2});
}

// CoinUtils leaves each of the three basic.
BOOST_AUTO_TEST_CASE(several_slacks_of_a_row) {
  check(tinyProblem({{1, 2, 10}, {0, -none, none}, {0, -none, none}, {0, 1, none}},
                    {{{1, 1, 2, 1}, 12, 13}}),
        {0, 0});
}

BOOST_AUTO_TEST_CASE(several_slacks_of_a_row_with_bounds) {
  check(tinyProblem({{-1, 2, 10}, {0, 1, 3}, {0, -5, -2}, {0, 1, 4}}, {{{1, -1, 2, 1}, 1, 1}}),
        {0, 1});
}

// Each of the two rows is the tight one by one of the objectives.
BOOST_AUTO_TEST_CASE(rows_that_are_multiples_become_one) {
  for (double const cost : {-3.0, 3.0})
    for (double const lower : {3.0, 5.0})
      check(tinyProblem({{cost, 0, 10}, {cost / 2, 0, 10}, {2 * cost, 0, 10}},
                        {{{1, 2, 3}, lower, 24}, {{-2, -4, -6}, -40, -8}, {{3, 1, 2}, 4, 19}}),
            {2, 3});
}

// The bounds of both meet in an equation.
BOOST_AUTO_TEST_CASE(multiples_that_leave_an_equation) {
  for (double const cost : {-3.0, 3.0})
    check(tinyProblem({{cost, 0, 3}, {cost / 2, 0, 3}, {cost, 0, 3}},
                      {{{1, 2, 4}, 8, none}, {{-2, -4, -8}, -16, none}, {{3, 1, 2}, 1, 9}}),
          {2, 3});
}

// x = 10 - y - z is in [0, 10]; its column has three entries more.
BOOST_AUTO_TEST_CASE(an_implied_free_column_of_several_rows_goes_with_its_equation) {
  for (double const cost : {-1.0, 1.0})
    check(tinyProblem(
              {{cost, -1, 100}, {-2 * cost, 0, 5}, {3 * cost, 0, 5}},
              {{{1, 1, 1}, 10, 10}, {{2, 3, 1}, 15, 25}, {{1, 4, 3}, 14, 30}, {{3, 1, 5}, 24, 40}}),
          {2, 2});
}

BOOST_AUTO_TEST_CASE(columns_that_are_multiples_become_one) {
  check(tinyProblem({{-1, 0, 2}, {-1, 0, 3}, {-2, 0, 1}},
                    {{{1, 1, 2}, -none, 4}, {{0, 0}, -none, 12}}),
        {0, 0});
}

BOOST_AUTO_TEST_CASE(rows_that_are_equal_become_one) {
  check(tinyProblem({{-1, 0, 9}, {-2, 0, 9}, {-1, 0, 9}},
                    {{{1, 3, 2}, -none, 9}, {{1, 3, 2}, 2, 8}, {{3, 1, 4}, 1, 9}}),
        {2, 3});
}

BOOST_AUTO_TEST_CASE(fixed_columns_and_empty_rows_and_rows_without_bounds) {
  check(tinyProblem({{5, 2, 2}, {1, -1, 8}},
                    {{{1, 0}, -9, 9}, {{0, 0}, -1, 1}, {{1, 1}, -none, none}}),
        {0, 0});
}

// The first row keeps x below 4, so that the second one says nothing; the first has to stay, which
// the second would imply as well.
BOOST_AUTO_TEST_CASE(a_row_that_bounds_of_other_rows_imply_says_nothing) {
  for (double const cost : {-1.0, 1.0})
    check(tinyProblem(
              {{cost, -none, none}, {-2 * cost, 0, 1}, {3 * cost, 0, 3}},
              {{{1, 1, 0}, 1, 4}, {{1, 0, 2}, -9, 100}, {{2, 3, 1}, 2, 9}, {{1, -1, 3}, 1, 8}}),
          {3, 3});
}

BOOST_AUTO_TEST_CASE(an_equation_of_three_columns) {
  check(tinyProblem({{1, 0, 9}, {1, 0, 9}, {0, -none, none}, {3, 0, 9}},
                    {{{1, 1, -1, 0}, 0, 0}, {{0, 0, 1, 1}, 4, none}, {{1, 2, 0, 1}, 5, none}}),
        {2, 3});
}

BOOST_AUTO_TEST_CASE(nothing_to_take_away) {
  BOOST_TEST((presolve(withCore(tinyProblem({}, {})), {}).end == PresolveEnd::unchanged));
  BOOST_TEST((presolve(tinyProblem({}, {}), {}).end == PresolveEnd::unchanged));
}

BOOST_AUTO_TEST_CASE(everything_is_taken_away) {
  LinearProgram const lp = tinyProblem({{1, -2, 8}, {-1, 0, 3}}, {{{1, 0}, -1, none}});
  PresolveOutcome const outcome = presolve(lp, {});
  BOOST_REQUIRE(outcome.presolved);
  BOOST_TEST(outcome.presolved->problem.rows() == 0);
  BOOST_TEST(outcome.presolved->problem.columns() == 0);
  Options options;
  options.presolve = Toggle::on;
  Solution const solution = Solver(lp).solve(options);
  BOOST_TEST((solution.status == Status::optimal));
  BOOST_TEST(solution.objective == -4.0);
  BOOST_TEST(solution.iterations == 0);
  BOOST_TEST(solution.presolve.used);
}

BOOST_AUTO_TEST_CASE(what_looks_infeasible) {
  BOOST_TEST(
      (presolve(tinyProblem({{1, 0, 1}}, {{{2}, 3, 9}}), {}).end == PresolveEnd::infeasible));
  BOOST_TEST(
      (presolve(tinyProblem({{1, 2, 1}}, {{{2}, 3, 9}}), {}).end == PresolveEnd::infeasible));
  BOOST_TEST(
      (presolve(tinyProblem({{1, none, none}}, {{{2}, 3, 9}}), {}).end == PresolveEnd::infeasible));
}

BOOST_AUTO_TEST_CASE(what_looks_unbounded) {
  BOOST_TEST(
      (presolve(tinyProblem({{-1, 0, none}}, {{{2}, 3, none}}), {}).end == PresolveEnd::unbounded));
}

BOOST_AUTO_TEST_CASE(a_stop_ends_it) {
  PresolveRequest request;
  int asked = 0;
  request.stop = [&] { return ++asked > 2; };
  LinearProgram const lp = withCore(tinyProblem({{-1, 0, 9}}, {{{2}, -none, 8}}));
  BOOST_TEST((presolve(lp, request).end == PresolveEnd::stopped));
  BOOST_TEST(asked == 3);
}

BOOST_AUTO_TEST_CASE(numbers_of_what_is_left) {
  LinearProgram const lp = withCore(tinyProblem({{-1, 0, 9}, {-1, 0, 2}}, {{{2}, -none, 8}}));
  PresolveOutcome const outcome = presolve(lp, {});
  BOOST_REQUIRE(outcome.presolved);
  std::vector<int> columns = outcome.presolved->columns, rows = outcome.presolved->rows;
  std::sort(columns.begin(), columns.end());
  std::sort(rows.begin(), rows.end());
  BOOST_TEST(columns == (std::vector<int>{2, 3, 4}), boost::test_tools::per_element());
  BOOST_TEST(rows == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
}
