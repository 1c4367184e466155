// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/refinement.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/proof.hpp"

using namespace osi_cuda;

namespace {

/// min x0 + 2 x1 + 4 x2 with 2 x0 + x1 + 3 x2 = 4, x0 + 3 x1 + x2 = 5, x2 in [0, 1]; the first row
/// times `unit`. At the basis of x0 and x1 with x2 = 1: x = (-1/5, 7/5, 1), y = (1/5 / unit, 3/5).
LinearProgram smallLp(double unit = 1.0) {
  LinearProgram lp;
  lp.matrix.rows = 2;
  lp.matrix.columns = 3;
  lp.matrix.starts = {0, 2, 4, 6};
  lp.matrix.indices = {0, 1, 0, 1, 0, 1};
  lp.matrix.values = {2 * unit, 1, unit, 3, 3 * unit, 1};
  lp.objective = {1, 2, 4};
  lp.columnLower = {-10, -10, 0};
  lp.columnUpper = {10, 10, 1};
  lp.rowLower = lp.rowUpper = {4 * unit, 5};
  return lp;
}

/// The engine's point at that basis.
Snapshot atBasis(LinearProgram const& lp, StandardForm const& form, Engine& engine) {
  engine.load(form);
  engine.refactor({1, 1, 0, 0, 0});
  Snapshot point = engine.snapshot();
  point.value[2] = 1.0 / form.factor(2);
  for (int i = 0; i < 2; ++i) point.value[3 + i] = lp.rowLower[i] / form.factor(3 + i);
  return point;
}

/// By how much the sum of both parts is off, in more digits than a double has.
double error(double high, double low, long double wanted) {
  return static_cast<double>(std::fabs(static_cast<long double>(high) - wanted + low));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refinement)

BOOST_AUTO_TEST_CASE(a_refined_point_solves_the_equations_to_the_last_bit_of_both_parts) {
  LinearProgram const lp = smallLp();
  StandardForm const form = makeStandardForm(lp, false);
  std::unique_ptr<Engine> const engine = makeHostEngine({});
  Snapshot const point = atBasis(lp, form, *engine);
  Solution const s = refinedSolution(lp, form, *engine, point, form.cost);
  BOOST_REQUIRE(s.columnValuesLow.size() == 3u);
  BOOST_REQUIRE(s.rowDualsLow.size() == 2u);
  long double const x[] = {-0.2L, 1.4L, 1.0L}, y[] = {0.2L, 0.6L};
  for (std::size_t j = 0; j < 3; ++j)
    BOOST_TEST(error(s.columnValues[j], s.columnValuesLow[j], x[j]) <= 2e-19);
  for (std::size_t i = 0; i < 2; ++i)
    BOOST_TEST(error(s.rowDuals[i], s.rowDualsLow[i], y[i]) <= 2e-19);
  BOOST_TEST(s.columnValuesLow[0] != 0.0);  // a fifth is no double
  BOOST_TEST(s.rowActivity[0] == 4.0);
  BOOST_TEST(s.rowActivity[1] == 5.0);
  BOOST_TEST(std::fabs(s.reducedCosts[0]) <= 1e-30);
  BOOST_TEST(std::fabs(s.reducedCosts[2] - 2.8) <= 1e-15);
  BOOST_TEST(std::fabs(s.objective - 6.6) <= 1e-15);
}

// What is known of the point saves solves and changes nothing else, whether it is near or useless.
BOOST_AUTO_TEST_CASE(a_start_leads_to_the_same_refined_point) {
  LinearProgram const lp = smallLp();
  StandardForm const form = makeStandardForm(lp, true);
  std::unique_ptr<Engine> const engine = makeHostEngine({});
  Snapshot const point = atBasis(lp, form, *engine);
  Options const options;
  for (double const off : {0.0, 1e-9, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Solution near = basicSolution(lp, form, *engine, point, form.cost);
    Verifier(lp, options).assess(near);
    near.columnValues[0] += off;
    near.rowDuals[1] += off;
    Solution const s = refinedSolution(lp, form, *engine, point, form.cost, near);
    long double const x[] = {-0.2L, 1.4L, 1.0L}, y[] = {0.2L, 0.6L};
    for (std::size_t j = 0; j < 3; ++j)
      BOOST_TEST(error(s.columnValues[j], s.columnValuesLow[j], x[j]) <= 2e-19);
    for (std::size_t i = 0; i < 2; ++i)
      BOOST_TEST(error(s.rowDuals[i], s.rowDualsLow[i], y[i]) <= 2e-19);
  }
}

BOOST_AUTO_TEST_CASE(multipliers_that_are_good_enough_stay) {
  LinearProgram const lp = smallLp();
  StandardForm const form = makeStandardForm(lp, true);
  std::unique_ptr<Engine> const engine = makeHostEngine({});
  Snapshot const point = atBasis(lp, form, *engine);
  Solution near = basicSolution(lp, form, *engine, point, form.cost);
  Verifier(lp, {}).assess(near);
  near.rowDuals[1] += 1e-9;
  Solution const s = refinedSolution(lp, form, *engine, point, form.cost, near, true);
  BOOST_TEST(s.rowDuals == near.rowDuals);
  BOOST_TEST(s.rowDualsLow.empty());
  BOOST_TEST(s.reducedCosts == near.reducedCosts);
  BOOST_TEST(error(s.columnValues[0], s.columnValuesLow[0], -0.2L) <= 2e-19);
  BOOST_TEST(std::fabs(s.objective - 6.6) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(scaled_points_come_back_in_the_numbers_of_the_problem) {
  constexpr double unit = 0x1p20;
  LinearProgram const lp = smallLp(unit);
  StandardForm const form = makeStandardForm(lp, true);
  BOOST_REQUIRE(form.rowScale[0] < form.rowScale[1]);
  std::unique_ptr<Engine> const engine = makeHostEngine({});
  Snapshot const point = atBasis(lp, form, *engine);
  Options const options;
  for (bool const refined : {false, true}) {
    Solution s = refined ? refinedSolution(lp, form, *engine, point, form.cost)
                         : basicSolution(lp, form, *engine, point, form.cost);
    Verifier(lp, options).assess(s);
    double const x[] = {-0.2, 1.4, 1.0}, y[] = {0.2 / unit, 0.6};
    for (std::size_t j = 0; j < 3; ++j) BOOST_CHECK_CLOSE(s.columnValues[j], x[j], 1e-10);
    for (std::size_t i = 0; i < 2; ++i) {
      BOOST_CHECK_CLOSE(s.rowDuals[i], y[i], 1e-10);
      BOOST_CHECK_CLOSE(s.rowActivity[i], lp.rowLower[i], 1e-10);
    }
    BOOST_CHECK_CLOSE(s.reducedCosts[2], 2.8, 1e-10);
    BOOST_TEST((s.basis.columns[2] == VariableStatus::atUpper));
  }
}

BOOST_AUTO_TEST_CASE(only_the_rounding_of_solves_is_dropped) {
  ExtendedVector vector{DoubleDouble(-8.0), DoubleDouble(1e-3), DoubleDouble(1e-20),
                        DoubleDouble(1e-25), DoubleDouble(0.0)};
  dropRounding(vector);
  BOOST_TEST(vector[0].hi == -8.0);
  BOOST_TEST(vector[1].hi == 1e-3);
  BOOST_TEST(vector[2].hi == 1e-20);
  BOOST_TEST(vector[3].hi == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
