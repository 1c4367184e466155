// SPDX-License-Identifier: EPL-2.0
//
// The judge of the stress set has to see what is wrong, or its verdicts say nothing: right answers
// with one fault put in.

#include "lab/stress/judge.hpp"

#include <boost/test/unit_test.hpp>

#include "bridges/bridge.hpp"
#include "lab/stress/kinds.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using namespace osi_cuda::stress;
using osi_cuda::testing::RandomLp;
using osi_cuda::testing::randomLp;

namespace {

/// The rest of the line "x + y = 2, x + (1 + smallness) y = 2 + smallness, x and y free".
LinearProgram nearlyParallelLines(double smallness) {
  LinearProgram lp;
  lp.matrix.rows = lp.matrix.columns = 2;
  lp.matrix.starts = {0, 2, 4};
  lp.matrix.indices = {0, 1, 0, 1};
  lp.matrix.values = {1.0, 1.0, 1.0, 1.0 + smallness};
  lp.objective = {-1.0, 0.0};
  lp.columnLower = {-infinity, -infinity};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = lp.rowUpper = {2.0, 2.0 + smallness};
  return lp;
}

Rationals rationals(std::vector<double> const& values) {
  return exactSum(values, {});
}

std::vector<RandomLp> problemsOf(Status status, int count) {
  osi_cuda::testing::RandomLpShape shape;
  shape.status = status;
  shape.emptyDimensions = false;
  std::vector<RandomLp> problems;
  for (int seed = 1; seed <= count; ++seed) problems.push_back(randomLp(seed, shape));
  return problems;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(judge_of_optima)

BOOST_AUTO_TEST_CASE(known_optima_stand_up) {
  for (RandomLp const& made : problemsOf(Status::optimal, 200)) {
    BOOST_TEST_CONTEXT(made.description) {
      auto const judged = judgedResiduals(made.lp, made.x, made.y);
      BOOST_TEST(judged.largest() == 0.0);
      BOOST_TEST(judged.objective == made.objective);
      BOOST_TEST(exactlyOptimal(made.lp, rationals(made.x), rationals(made.y)));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_point_off_its_bounds_is_seen) {
  int seen = 0;
  for (RandomLp const& made : problemsOf(Status::optimal, 200)) {
    for (int j = 0; j < made.lp.columns(); ++j) {
      if (!std::isfinite(made.lp.columnUpper[j])) continue;
      auto x = made.x;
      double const upper = made.lp.columnUpper[j];
      x[j] = upper + 1e-5 * (1.0 + std::fabs(upper));
      auto const judged = judgedResiduals(made.lp, x, made.y);
      BOOST_TEST(judged.primal >= 0.99e-5, made.description);
      BOOST_TEST(!exactlyFeasible(made.lp, rationals(x)), made.description);
      ++seen;
    }
  }
  BOOST_TEST(seen > 100);
}

BOOST_AUTO_TEST_CASE(a_row_that_is_missed_is_seen) {
  int seen = 0;
  for (RandomLp const& made : problemsOf(Status::optimal, 200)) {
    LinearProgram lp = made.lp;
    Solution point;
    for (int i = 0; i < lp.rows(); ++i) {
      if (!std::isfinite(lp.rowUpper[i]) || made.lp.matrix.nonzeros() == 0) continue;
      double activity = 0.0;
      for (int j = 0; j < lp.columns(); ++j)
        for (auto k = lp.matrix.starts[j]; k < lp.matrix.starts[j + 1]; ++k)
          if (lp.matrix.indices[k] == i) activity += lp.matrix.values[k] * made.x[j];
      auto const upper = lp.rowUpper[i];
      lp.rowUpper[i] = activity - 1e-3;
      lp.rowLower[i] = std::min(lp.rowLower[i], lp.rowUpper[i]);
      BOOST_TEST(judgedResiduals(lp, made.x, made.y).primal > 1e-6, made.description);
      lp.rowUpper[i] = upper;
      lp.rowLower[i] = made.lp.rowLower[i];
      ++seen;
    }
  }
  BOOST_TEST(seen > 100);
}

BOOST_AUTO_TEST_CASE(a_wrong_dual_is_seen) {
  // The reduced costs then no longer fit the bounds that the point rests on, or the objectives
  // differ. Where neither is so the duals are right as well: a degenerate optimum has many.
  int seen = 0, same = 0;
  for (RandomLp const& made : problemsOf(Status::optimal, 200)) {
    for (int i = 0; i < made.lp.rows(); ++i) {
      auto y = made.y;
      y[i] += 0.25;
      bool const stillRight = exactlyOptimal(made.lp, rationals(made.x), rationals(y));
      auto const judged = judgedResiduals(made.lp, made.x, y);
      BOOST_TEST((judged.largest() <= 1e-9) == stillRight, made.description);
      ++(stillRight ? same : seen);
    }
  }
  BOOST_TEST(seen > 100);
  BOOST_TEST(seen > same);
}

BOOST_AUTO_TEST_CASE(a_point_that_is_feasible_but_not_optimal_is_seen) {
  // min -x, 0 <= x <= 1, with the duals of the optimum and with none.
  LinearProgram lp;
  lp.matrix.columns = 1;
  lp.matrix.starts = {0, 0};
  lp.objective = {-1.0};
  lp.columnLower = {0.0};
  lp.columnUpper = {1.0};
  BOOST_TEST(judgedResiduals(lp, {1.0}, {}).largest() == 0.0);
  BOOST_TEST(judgedResiduals(lp, {0.5}, {}).largest() >= 0.3);
  BOOST_TEST(judgedResiduals(lp, {0.0}, {}).largest() >= 0.5);
  BOOST_TEST(!exactlyOptimal(lp, rationals({0.5}), {}));
  lp.sense = Sense::maximize;
  BOOST_TEST(judgedResiduals(lp, {0.0}, {}).largest() == 0.0);
  BOOST_TEST(judgedResiduals(lp, {1.0}, {}).largest() >= 0.5);
}

BOOST_AUTO_TEST_CASE(what_is_missing_or_not_finite_is_infinitely_bad) {
  auto const made = problemsOf(Status::optimal, 1).front();
  BOOST_TEST(judgedResiduals(made.lp, {}, made.y).largest() == infinity);
  auto x = made.x;
  x[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(judgedResiduals(made.lp, x, made.y).largest() == infinity);
  BOOST_TEST(judgedResiduals(made.lp, made.x, {}).dual == infinity);
  // The same of low-order parts: a NaN there must not pass as no violation.
  std::vector<double> xLow(made.x.size(), 0.0), yLow(made.y.size(), 0.0);
  BOOST_TEST(judgedResiduals(made.lp, made.x, made.y, xLow, yLow).largest() == 0.0);
  auto broken = xLow;
  broken[0] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(judgedResiduals(made.lp, made.x, made.y, broken, yLow).primal == infinity);
  xLow.push_back(0.0);
  BOOST_TEST(judgedResiduals(made.lp, made.x, made.y, xLow, yLow).primal == infinity);
  yLow[0] = infinity;
  BOOST_TEST(judgedResiduals(made.lp, made.x, made.y, {}, yLow).dual == infinity);
}

BOOST_AUTO_TEST_CASE(agrees_with_the_solvers_own_residuals_where_those_are_sound) {
  // Two codes from one definition, on points of every quality.
  Dice dice(5);
  int compared = 0;
  for (RandomLp const& made : problemsOf(Status::optimal, 300)) {
    Solution solution;
    solution.columnValues = made.x;
    solution.rowDuals = made.y;
    double const size = dice.power(-9.0, 0.0);
    for (double& value : solution.columnValues) value += size * dice.between(-1.0, 1.0);
    for (double& value : solution.rowDuals) value += size * dice.between(-1.0, 1.0);
    auto const own = residualsOf(made.lp, solution);
    auto const judged = judgedResiduals(made.lp, solution.columnValues, solution.rowDuals);
    auto const near = [](double a, double b) { return std::fabs(a - b) <= 1e-12 + 1e-9 * b; };
    BOOST_TEST(near(own.primal, judged.primal), made.description);
    BOOST_TEST(near(own.dual, judged.dual), made.description);
    BOOST_TEST(near(own.complementarity, judged.gap), made.description);
    ++compared;
  }
  BOOST_TEST(compared == 300);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(judge_of_certificates)

BOOST_AUTO_TEST_CASE(known_farkas_multipliers_prove) {
  for (RandomLp const& made : problemsOf(Status::infeasible, 200))
    BOOST_TEST((judgeFarkas(made.lp, rationals(made.farkas)) == Proof::exact), made.description);
}

BOOST_AUTO_TEST_CASE(nothing_proves_a_feasible_problem_infeasible) {
  Dice dice(3);
  for (RandomLp const& made : problemsOf(Status::optimal, 300)) {
    std::vector<double> y(made.lp.rows());
    for (double& value : y) value = dice.chance(0.5) ? dice.between(-1.0, 1.0) : 0.0;
    BOOST_TEST((judgeFarkas(made.lp, rationals(y)) == Proof::none), made.description);
    BOOST_TEST((judgeFarkas(made.lp, rationals(made.y)) == Proof::none), made.description);
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_sign_proves_nothing) {
  int turned = 0;
  for (RandomLp const& made : problemsOf(Status::infeasible, 200)) {
    Rationals y = rationals(made.farkas);
    bool const crossed = judgeFarkas(made.lp, Rationals(y.size())) == Proof::exact;
    if (crossed) continue;  // needs no multipliers
    for (mpq_class& value : y) value = -value;
    BOOST_TEST((judgeFarkas(made.lp, y) == Proof::none), made.description);
    ++turned;
  }
  BOOST_TEST(turned > 100);
}

BOOST_AUTO_TEST_CASE(what_nearly_cancels_is_no_proof) {
  // x = y = 1 solves it. The multipliers (-1, 1) leave 1e-9 at a free column.
  for (double const smallness : {1e-6, 2e-9, 1e-11}) {
    LinearProgram const lp = nearlyParallelLines(smallness);
    BOOST_TEST((judgeFarkas(lp, rationals({-1.0, 1.0})) == Proof::none));
    BOOST_TEST((judgeRay(lp, rationals({1.0, -1.0})) == Proof::none));
    BOOST_TEST(judgedResiduals(lp, {1.0, 1.0}, {-1.0 - 1.0 / smallness, 1.0 / smallness}).primal <=
               1e-15);
  }
  // Even what is left at the rounding of a product is not exact, and is called so.
  LinearProgram const lp = nearlyParallelLines(1e-13);
  BOOST_TEST((judgeRay(lp, rationals({1.0, -1.0})) == Proof::tight));
}

BOOST_AUTO_TEST_CASE(low_order_parts_count) {
  // y'A = 0 needs multipliers (1, -1/3), which no double is: with a low-order part nothing is left
  // but what 106 bits leave.
  LinearProgram lp;
  lp.matrix.rows = 2;
  lp.matrix.columns = 1;
  lp.matrix.starts = {0, 2};
  lp.matrix.indices = {0, 1};
  lp.matrix.values = {1.0, 3.0};
  lp.objective = {0.0};
  lp.columnLower = {-infinity};
  lp.columnUpper = {infinity};
  lp.rowLower = lp.rowUpper = {1.0, 4.0};
  double const third = 1.0 / 3.0;
  BOOST_TEST((judgeFarkas(lp, {mpq_class(-1), mpq_class(1, 3)}) == Proof::exact));
  BOOST_TEST((judgeFarkas(lp, rationals({-1.0, third})) == Proof::tight));
  mpq_class const left = mpq_class(1, 3) - mpq_class(third);
  BOOST_TEST(exactSum({third}, {left.get_d()})[0] != mpq_class(third));
  // A low-order part of the wrong length makes the certificate worthless.
  BOOST_TEST(exactSum({-1.0, third}, {0.0}).empty());
  BOOST_TEST((judgeFarkas(lp, exactSum({-1.0, third}, {0.0})) == Proof::none));
}

BOOST_AUTO_TEST_CASE(known_rays_prove_and_changed_ones_do_not) {
  int changed = 0;
  for (RandomLp const& made : problemsOf(Status::unbounded, 200)) {
    BOOST_TEST((judgeRay(made.lp, rationals(made.ray)) == Proof::exact), made.description);
    Rationals back = rationals(made.ray);
    for (mpq_class& value : back) value = -value;
    BOOST_TEST((judgeRay(made.lp, back) == Proof::none), made.description);
    BOOST_TEST((judgeRay(made.lp, Rationals(back.size())) == Proof::none), made.description);
    for (std::size_t j = 0; j < made.ray.size(); ++j) {
      if (!std::isfinite(made.lp.columnUpper[j])) continue;
      Rationals wrong = rationals(made.ray);
      wrong[j] = mpq_class(1, 1000000);
      BOOST_TEST((judgeRay(made.lp, wrong) == Proof::none), made.description);
      ++changed;
    }
  }
  BOOST_TEST(changed > 50);
}

BOOST_AUTO_TEST_SUITE_END()
