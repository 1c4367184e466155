// SPDX-License-Identifier: EPL-2.0
// What is claimed holds for the doubles that callers get.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>

#include "CoinPackedMatrix.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

namespace {

/// min x1 + x2; scale x1 - scale x2 = 1, x1 + 2 x2 = 1; both free. For large scales no two doubles
/// satisfy the first row.
void load(OsiCudaSolverInterface& solver, double scale) {
  solver.messageHandler()->setLogLevel(0);
  CoinBigIndex const starts[] = {0, 2, 4};
  int const rows[] = {0, 1, 0, 1};
  double const values[] = {scale, 1.0, -scale, 2.0}, costs[] = {1.0, 1.0}, sides[] = {1.0, 1.0};
  double const lower[] = {-COIN_DBL_MAX, -COIN_DBL_MAX}, upper[] = {COIN_DBL_MAX, COIN_DBL_MAX};
  solver.loadProblem(2, 2, starts, rows, values, lower, upper, costs, sides, sides);
}

/// The largest violation of a row by the doubles, relative, in extended precision.
double rowResidual(OsiSolverInterface const& solver, double scale) {
  double const* const x = solver.getColSolution();
  long double const first = static_cast<long double>(scale) * x[0] -
                            static_cast<long double>(scale) * x[1] - 1.0L,
                    second = static_cast<long double>(x[0]) + 2.0L * x[1] - 1.0L;
  return static_cast<double>(std::max(std::fabs(first), std::fabs(second)) / 2.0L);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(handed_out)

BOOST_AUTO_TEST_CASE(an_optimum_is_one_of_the_doubles_themselves) {
  for (double const scale : {1.0, 1e6, 1e8, 1e9, 1e10, 1e11, 1e12}) {
    BOOST_TEST_CONTEXT("scale " << scale) {
      OsiCudaSolverInterface solver;
      load(solver, scale);
      solver.initialSolve();
      BOOST_TEST(solver.isProvenOptimal() != solver.isAbandoned());
      BOOST_TEST(!solver.isProvenPrimalInfeasible());
      double tolerance = 0.0;
      solver.getDblParam(OsiPrimalTolerance, tolerance);
      if (solver.isProvenOptimal()) BOOST_TEST(rowResidual(solver, scale) <= tolerance);
      // What was so for the solve is so for its copy, and for the next solve.
      std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
      BOOST_TEST(copy->isProvenOptimal() == solver.isProvenOptimal());
      solver.resolve();
      if (solver.isProvenOptimal()) BOOST_TEST(rowResidual(solver, scale) <= tolerance);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_enclosure_of_the_optimum_holds_it) {
  OsiCudaSolverInterface solver;
  load(solver, 1.0);
  auto const before = solver.getObjectiveEnclosure();
  BOOST_TEST(before.lower == -COIN_DBL_MAX);
  BOOST_TEST(before.upper == COIN_DBL_MAX);
  BOOST_TEST(before.error == COIN_DBL_MAX);
  solver.initialSolve();
  auto const after = solver.getObjectiveEnclosure();
  BOOST_TEST(after.lower <= 1.0);  // x1 = 1, x2 = 0
  BOOST_TEST(after.upper >= 1.0);
  double const objective = solver.getObjValue();
  BOOST_TEST(after.error >= std::max(after.upper - objective, objective - after.lower));
  std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
  auto const copied = dynamic_cast<OsiCudaSolverInterface&>(*copy).getObjectiveEnclosure();
  BOOST_TEST(copied.lower == after.lower);
  BOOST_TEST(copied.upper == after.upper);
}

BOOST_AUTO_TEST_SUITE_END()
