// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/residuals.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/proof/verifier.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/small_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::randomLp;
using osi_cuda::testing::smallLp;

namespace {

Solution point(std::vector<double> x, std::vector<double> y) {
  Solution solution;
  solution.columnValues = std::move(x);
  solution.rowDuals = std::move(y);
  return solution;
}

/// A residual of that value, rounded up.
bool isJustAbove(double residual, double value) {
  return residual >= value && residual <= value * (1.0 + 1e-13);
}

/// `rows` x `columns` of ones, all rows equal to `activity`, columns between -2 and 2.
LinearProgram ones(int rows, int columns, double activity) {
  LinearProgram lp;
  lp.matrix.rows = rows;
  lp.matrix.columns = columns;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) lp.matrix.indices.push_back(i);
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  }
  lp.matrix.values.assign(lp.matrix.indices.size(), 1.0);
  lp.objective.assign(columns, 0.0);
  lp.columnLower.assign(columns, -2.0);
  lp.columnUpper.assign(columns, 2.0);
  lp.rowLower.assign(rows, activity);
  lp.rowUpper.assign(rows, activity);
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(residuals)

BOOST_AUTO_TEST_CASE(optimalPointHasNone) {
  auto const found = residualsOf(smallLp(), point({2.0, 1.0}, {1.0}));
  BOOST_TEST(found.primal == 0.0);
  BOOST_TEST(found.dual == 0.0);
  BOOST_TEST(found.complementarity == 0.0);
}

// Large numbers cancel in the objective and in the row: what is told of an exact optimum is exact.
BOOST_AUTO_TEST_CASE(sumsThatCancelAreExact) {
  LinearProgram lp = ones(1, 5, 5.0);
  lp.objective.assign(5, 1.0);
  lp.columnLower.assign(5, -infinity);
  lp.columnUpper.assign(5, infinity);
  Solution solution = point({1e300, 1e280, 5.0, -1e300, -1e280}, {1.0});
  solution.columnValuesLow.assign(5, 0.0);
  solution.rowActivity = {0.0};
  BOOST_TEST(objectiveOf(lp, solution.columnValues) == 5.0);
  BOOST_TEST(residualsOf(lp, solution).largest() == 0.0);
  BOOST_TEST(Verifier(lp, {}).claimOptimal(solution));
  BOOST_TEST(solution.objectiveEnclosure.lower == 5.0);
  BOOST_TEST(solution.objectiveEnclosure.upper == 5.0);
  BOOST_TEST(solution.rowActivity[0] == 5.0);
}

BOOST_AUTO_TEST_CASE(violatedRowIsRelativeToItsBound) {
  auto const found = residualsOf(smallLp(), point({1.5, 1.0}, {1.0}));
  BOOST_TEST(isJustAbove(found.primal, 0.5 / 5.0));
}

BOOST_AUTO_TEST_CASE(violatedColumnBound) {
  auto const found = residualsOf(smallLp(), point({0.0, 3.0}, {1.0}));
  BOOST_TEST(isJustAbove(found.primal, 2.0 / 2.0));
}

BOOST_AUTO_TEST_CASE(reducedCostOfTheWrongSign) {
  // y = 2: d = (-1, -3), and x1 has no upper bound to rest on; cost 1.
  auto const found = residualsOf(smallLp(), point({2.0, 1.0}, {2.0}));
  BOOST_TEST(isJustAbove(found.dual, 0.5));
}

BOOST_AUTO_TEST_CASE(dualOfTheWrongSign) {
  // y = -1 wants the row at its upper bound, which is infinite.
  auto const found = residualsOf(smallLp(), point({2.0, 1.0}, {-1.0}));
  BOOST_TEST(isJustAbove(found.dual, 1.5));  // d_2 = 3 at the upper bound outweighs |y| = 1
}

BOOST_AUTO_TEST_CASE(maximisationTurnsTheSigns) {
  auto lp = smallLp();
  lp.sense = Sense::maximize;
  lp.objective = {-1.0, -1.0};
  auto const found = residualsOf(lp, point({2.0, 1.0}, {-1.0}));
  BOOST_TEST(found.dual == 0.0);
  BOOST_TEST(found.complementarity == 0.0);
  BOOST_TEST(residualsOf(lp, point({2.0, 1.0}, {1.0})).dual > 0.1);
}

BOOST_AUTO_TEST_CASE(gapOfANearlyRestingVariable) {
  auto lp = smallLp();
  lp.objective = {1.0, 1e6};  // x2 = 0 would be right: d_2 = 1e6 - 2
  auto const found = residualsOf(lp, point({4.0, 1e-7}, {1.0}));
  BOOST_TEST(found.dual == 0.0);
  BOOST_CHECK_CLOSE(found.complementarity, (1e6 - 2 + 2) * 1e-7 / (1 + 4.1), 1e-3);
}

BOOST_AUTO_TEST_CASE(aMissedFixedRowIsAPrimalMatterOnly) {
  auto lp = smallLp();
  lp.rowUpper = lp.rowLower;
  for (double const off : {-1e-3, 1e-3}) {
    auto const found = residualsOf(lp, point({2.0 + off, 1.0}, {1.0}));
    BOOST_CHECK_CLOSE(found.primal, 1e-3 / 5.0, 1e-6);
    BOOST_TEST(found.dual == 0.0);
    BOOST_CHECK_CLOSE(found.complementarity, 1e-3 / (4.0 + off), 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(betweenItsBoundsAVariableCountsWhereItCountsLess) {
  auto lp = smallLp();
  lp.objective = {1.0, 1.9};  // y = 1: d_2 = -0.1, which wants the upper bound 1
  auto const near = residualsOf(lp, point({2.02, 0.99}, {1.0}));
  BOOST_TEST(near.dual == 0.0);  // 0.1 * 0.01 / (1 + 3.9) is less than 0.1 / 2.9
  BOOST_CHECK_CLOSE(near.complementarity, 1e-3 / (1.0 + 2.02 + 1.9 * 0.99), 1e-6);
  lp.columnUpper[1] = 1e10;
  auto const far = residualsOf(lp, point({2.02, 0.99}, {1.0}));
  BOOST_CHECK_CLOSE(far.dual, 0.1 / 2.9, 1e-6);
  BOOST_TEST(far.complementarity < 1e-15);
}

BOOST_AUTO_TEST_CASE(whatNearlyRestsOnTheOtherBoundHasTheWrongSign) {
  auto lp = smallLp();
  lp.objectiveOffset = 1e6;   // beside which the gap is nothing
  lp.objective = {1.0, 4.0};  // y = 1: d_2 = 2, which wants the lower bound 0
  auto const found = residualsOf(lp, point({2.0, 1.0 - 1e-13}, {1.0}));
  BOOST_CHECK_CLOSE(found.dual, 2.0 / 5.0, 1e-6);
}

BOOST_AUTO_TEST_CASE(lengthsAndNumbersThatDoNotFitAreInfinite) {
  BOOST_TEST(residualsOf(smallLp(), point({2.0}, {1.0})).primal == infinity);
  BOOST_TEST(residualsOf(smallLp(), point({2.0, 1.0}, {})).dual == infinity);
  BOOST_TEST(residualsOf(smallLp(), point({2.0, std::nan("")}, {1.0})).primal == infinity);
}

BOOST_AUTO_TEST_CASE(emptyProblem) {
  auto const found = residualsOf(LinearProgram{}, Solution{});
  BOOST_TEST(found.primal == 0.0);
  BOOST_TEST(found.complementarity == 0.0);
}

// (1 + e)^2 - 1 - 2 e = e^2: a product rounded to a double has lost it.
BOOST_AUTO_TEST_CASE(sumsKeepMoreThanADoubleDoes) {
  double const e = 0x1p-30;
  for (int const rows : {3, 40, 83}) {  // short columns and long ones
    auto activities = ones(rows, 3, e * e);
    std::fill_n(activities.matrix.values.begin(), rows, 1.0 + e);
    auto const multipliers = std::vector<double>(static_cast<std::size_t>(rows), 0.0);
    auto const primal = residualsOf(activities, point({1.0 + e, -1.0, -2.0 * e}, multipliers));
    BOOST_TEST(primal.primal <= 1e-30);
    BOOST_TEST(residualsOf(ones(rows, 3, e * e), point({1.0, -1.0, 0.0}, multipliers)).primal >
               0.0);

    auto products = ones(rows, 1, 0.0);
    products.matrix.values[0] = 1.0 + e;
    products.objective[0] = e * e;
    auto y = multipliers;
    y[0] = 1.0 + e;
    y[rows > 16 ? 16 : 1] = -1.0;
    y[rows > 32 ? 32 : 2] = -2.0 * e;
    auto const dual = residualsOf(products, point({0.0}, y));
    BOOST_TEST(dual.dual <= 1e-30);
    BOOST_TEST(dual.complementarity == 0.0);
    products.objective[0] = 2.0 * e * e;
    BOOST_TEST(residualsOf(products, point({1.0}, y)).complementarity > 0.0);
  }
}

BOOST_AUTO_TEST_CASE(numbersBeyondDoublesAreNoSolution) {
  auto lp = ones(40, 2, 0.0);
  lp.columnUpper.assign(2, infinity);
  lp.matrix.values.assign(80, 1e200);
  std::vector<double> const y(40, 0.0);
  BOOST_TEST(residualsOf(lp, point({1e200, 1e200}, y)).primal > 1e300);
}

BOOST_AUTO_TEST_CASE(farkasNeedsAFiniteBoundAndAGap) {
  auto lp = smallLp();
  lp.columnUpper = {1.0, 1.0};  // x1 + 2 x2 <= 3 < 4
  BOOST_TEST(verifyFarkas(lp, std::vector{1.0}).proved);
  BOOST_TEST(verifyFarkas(lp, std::vector{1.0}).gap == 1.0);
  BOOST_TEST(!verifyFarkas(lp, std::vector{-1.0}).proved);  // the row has no upper bound
  BOOST_TEST(!verifyFarkas(lp, std::vector{0.0}).proved);
  BOOST_TEST(!verifyFarkas(lp, std::vector<double>{}).proved);
  lp.rowLower = {3.0};  // touches: feasible
  BOOST_TEST(!verifyFarkas(lp, std::vector{1.0}).proved);
  lp.rowLower = {4.0};
  lp.columnUpper = {infinity, 1.0};
  BOOST_TEST(!verifyFarkas(lp, std::vector{1.0}).proved);  // (A'y)_1 > 0 without upper bound
}

// Multipliers of doubles alone may cancel to their own rounding, those in two parts to far below.
/// Multipliers that leave 2^-80 of x2, which has no upper bound: at x2 = 2^28 that is a gap of
/// 2^-52, but one of 2^-40 only beyond 1e9.
BOOST_AUTO_TEST_CASE(zerosOfMultipliersProveNothingAboutDistantPoints) {
  LinearProgram lp;
  lp.matrix.rows = 2;
  lp.matrix.columns = 2;
  lp.matrix.starts = {0, 2, 4};
  lp.matrix.indices = {0, 1, 0, 1};
  lp.matrix.values = {1.0, -1.0, -1.0, 1.0};
  lp.objective = {0.0, 0.0};
  lp.columnLower = {0.0, 0.0};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = {1.0, -1.0 + 0x1p-40};
  lp.rowUpper = {infinity, infinity};
  std::vector<double> const y{1.0, 1.0}, low{0.0, 0x1p-80};
  BOOST_TEST(verifyFarkas(lp, y, {}).proved);
  BOOST_TEST(verifyFarkas(lp, y, low).proved);
  lp.rowLower[1] = -1.0 + 0x1p-52;
  BOOST_TEST(!verifyFarkas(lp, y, low).proved);
}

BOOST_AUTO_TEST_CASE(farkasTakesACoefficientForACoefficient) {
  LinearProgram lp;  // x free; x = 0 and x = 1, that is y = (-1, 1) and (A'y)_1 = 0
  lp.matrix = {2, 1, {0, 2}, {0, 1}, {1.0, 1.0}};
  lp.objective = {0.0};
  lp.columnLower = {-infinity};
  lp.columnUpper = {infinity};
  lp.rowLower = lp.rowUpper = {0.0, 1.0};
  std::vector<double> const y{-1.0, 1.0}, none{0.0, 0.0};
  BOOST_TEST(verifyFarkas(lp, std::vector{-1.0, 1.0 + 0x1p-52}).proved);
  BOOST_TEST(!verifyFarkas(lp, std::vector{-1.0, 1.0 + 1e-10}).proved);
  BOOST_TEST(verifyFarkas(lp, y, none).proved);
  BOOST_TEST(verifyFarkas(lp, y, std::vector{0.0, 1e-22}).proved);
  BOOST_TEST(!verifyFarkas(lp, y, std::vector{0.0, 1e-18}).proved);
  BOOST_TEST(!verifyFarkas(lp, y, std::vector{0.0}).proved);  // a wrong length
  // x = 0 and x = 1: one of the two bounds is missed by 1/3 (1 + |bound|) at least.
  BOOST_TEST(std::fabs(verifyFarkas(lp, y).margin - 1.0 / 3.0) <= 1e-9);
}

// x + y = 2, x + (1 + 2e-9) y = 2.1, x and y free, has a solution with y = 5e7: no multipliers
// prove anything, though those that nearly cancel pass where coefficients of 1e-9 count as zero.
BOOST_AUTO_TEST_CASE(columnsThatNearlyCancelProveNothing) {
  LinearProgram lp;
  lp.matrix = {2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1.0, 1.0, 1.0, 1.0 + 2e-9}};
  lp.objective = {-1.0, 0.0};
  lp.columnLower = {-infinity, -infinity};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = lp.rowUpper = {2.0, 2.1};
  BOOST_TEST(!verifyFarkas(lp, std::vector{-1.0, 1.0}).proved);
  BOOST_TEST(verifyFarkas(lp, std::vector{-1.0, 1.0}, {}, 1e-8).proved);  // as it was once
  lp.rowLower = lp.rowUpper = {2.0, 2.0 + 2e-9};
  std::vector const x{1.0, 1.0}, ray{1.0, -1.0};
  BOOST_TEST(!verifyRay(lp, x, ray).proved);
  BOOST_TEST(verifyRay(lp, x, ray, 1e-6, {}, 1e-8).proved);
}

// min x, 0 <= x <= 10, x >= 1: the multiplier 1 bounds it by 1, and by nothing more.
BOOST_AUTO_TEST_CASE(boundHasToExceedTheLimit) {
  LinearProgram lp;
  lp.matrix = {1, 1, {0, 1}, {0}, {1.0}};
  lp.objective = {1.0};
  lp.columnLower = {0.0};
  lp.columnUpper = {10.0};
  lp.rowLower = {1.0};
  lp.rowUpper = {infinity};
  std::vector const y{1.0};
  BOOST_TEST(verifyBound(lp, y, 0.999, 1e-7).proved);
  BOOST_TEST(verifyBound(lp, y, 0.999, 1e-7).bound == 1.0);
  BOOST_TEST(!verifyBound(lp, y, 1.0, 1e-7).proved);
  BOOST_TEST(!verifyBound(lp, y, 1.0 - 1e-18, 1e-7).proved);
  BOOST_TEST(!verifyBound(lp, std::vector{-1.0}, 0.0, 1e-7).proved);  // the row has no upper bound
  BOOST_TEST(!verifyBound(lp, std::vector<double>{}, 0.0, 1e-7).proved);
  lp.objectiveOffset = 5.0;
  BOOST_TEST(verifyBound(lp, y, 5.999, 1e-7).proved);
  lp.sense = Sense::maximize;  // max x + 5 <= 15, by the column's bound alone
  BOOST_TEST(verifyBound(lp, std::vector{0.0}, 15.1, 1e-7).proved);
  BOOST_TEST(!verifyBound(lp, std::vector{0.0}, 14.9, 1e-7).proved);
}

// A point in two parts is judged as their sum.
BOOST_AUTO_TEST_CASE(aCostWithoutABoundLeavesNoBoundOnTheObjective) {
  auto lp = smallLp();
  lp.columnLower[0] = -infinity;
  lp.columnUpper[0] = 10.0;
  BOOST_TEST(!verifyBound(lp, std::vector<double>{0.0}, -1.0, 1e-7).proved);  // d_1 = 1, x_1 free
  lp.columnLower[0] = 0.0;
  BOOST_TEST(verifyBound(lp, std::vector<double>{0.0}, -1.0, 1e-7).proved);
}

BOOST_AUTO_TEST_CASE(bothPartsOfAPointAreJudged) {
  LinearProgram lp;
  lp.matrix = {1, 1, {0, 1}, {0}, {3e12}};
  lp.objective = {0.0};
  lp.columnLower = {-infinity};
  lp.columnUpper = {infinity};
  Solution s;
  s.columnValues = {1.0 / 3.0};
  s.rowDuals = {0.0};
  lp.rowLower = lp.rowUpper = {0.0};
  lp.columnLower = {1.0 / 3.0};
  s.columnValuesLow = {-1.0 / 3.0};
  s.rowDualsLow = {0.0};
  BOOST_TEST(isJustAbove(residualsOf(lp, s).primal, 0.25));  // x = 0 misses its bound 1/3
  s.columnValuesLow.clear();
  BOOST_TEST(residualsOf(lp, s).primal > 1e11);
}

BOOST_AUTO_TEST_CASE(crossedBoundsNeedNoMultipliers) {
  auto lp = smallLp();
  lp.columnLower[1] = 2.0;
  auto const proof = verifyFarkas(lp, {});
  BOOST_TEST(proof.proved);
  BOOST_TEST(proof.crossedColumn == 1);
  lp = smallLp();
  lp.rowUpper[0] = 3.0;
  BOOST_TEST(verifyFarkas(lp, {}).crossedRow == 0);
}

BOOST_AUTO_TEST_CASE(rayNeedsSlopeRoomAndAPoint) {
  auto lp = smallLp();
  lp.objective[0] = -1.0;
  std::vector const inside{4.0, 0.0};
  BOOST_TEST(verifyRay(lp, inside, std::vector{2.0, 0.0}).proved);
  BOOST_TEST(verifyRay(lp, inside, std::vector{2.0, 0.0}).slope == -1.0);
  BOOST_TEST(!verifyRay(lp, inside, std::vector{1.0, 0.1}).proved);   // runs into x2 <= 1
  BOOST_TEST(!verifyRay(lp, inside, std::vector{-1.0, 0.0}).proved);  // gets worse
  BOOST_TEST(!verifyRay(lp, inside, std::vector{0.0, 0.0}).proved);
  BOOST_TEST(!verifyRay(lp, std::vector{0.0, 0.0}, std::vector{1.0, 0.0}).proved);
  lp.sense = Sense::maximize;
  BOOST_TEST(!verifyRay(lp, inside, std::vector{1.0, 0.0}).proved);
}

BOOST_AUTO_TEST_CASE(randomProblemsKeepTheirPromises) {
  int optimal = 0, infeasible = 0, unbounded = 0, noRows = 0, noColumns = 0, maximised = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    auto const made = randomLp(seed);
    BOOST_TEST_CONTEXT(made.description) {
      BOOST_TEST((made.lp == randomLp(seed).lp));
      noRows += made.lp.rows() == 0;
      noColumns += made.lp.columns() == 0;
      maximised += made.lp.sense == Sense::maximize;
      if (made.expected == Status::optimal) {
        ++optimal;
        auto const found = residualsOf(made.lp, point(made.x, made.y));
        BOOST_TEST(found.primal == 0.0);
        BOOST_TEST(found.dual == 0.0);
        BOOST_TEST(found.complementarity == 0.0);
        BOOST_TEST(objectiveOf(made.lp, made.x) == made.objective);
        int basics = 0;
        for (auto const status : made.basis.columns) basics += status == VariableStatus::basic;
        for (auto const status : made.basis.rows) basics += status == VariableStatus::basic;
        BOOST_TEST(basics == made.lp.rows());
      } else if (made.expected == Status::infeasible) {
        ++infeasible;
        BOOST_TEST(verifyFarkas(made.lp, made.farkas).proved);
      } else {
        ++unbounded;
        BOOST_TEST(verifyRay(made.lp, made.x, made.ray, 0.0).proved);
      }
    }
  }
  BOOST_TEST(optimal > 1000);
  BOOST_TEST(infeasible > 300);
  BOOST_TEST(unbounded > 300);
  BOOST_TEST(noRows > 50);
  BOOST_TEST(noColumns > 30);
  BOOST_TEST(maximised > 500);
}

BOOST_AUTO_TEST_SUITE_END()
