// SPDX-License-Identifier: EPL-2.0
// Problems that branch and cut in doubles gets wrong: by branchAndBound(), and by a CbcModel on the
// problem that prepareIntegers() leaves.
#include <CbcModel.hpp>
#include <CglGomory.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "OsiBranchingObject.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "readers/read.hpp"
#include "tests/integers/known_answers.hpp"
#include "tests/osi/contract.hpp"
#include "tests/support/dense_mips.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;
using testing::KnownAnswer;
using testing::knownAnswers;

namespace {

void load(OsiCudaSolverInterface& solver, LinearProgram lp) {
  testing::applyTestEngine(solver);
  solver.messageHandler()->setLogLevel(0);
  lp.matrix.makeSparse();
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  solver.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                     lp.matrix.values.data(), lp.columnLower.data(), lp.columnUpper.data(),
                     lp.objective.data(), lp.rowLower.data(), lp.rowUpper.data());
  solver.setObjSense(lp.sense == Sense::maximize ? -1.0 : 1.0);
  solver.setDblParam(OsiObjOffset, -lp.objectiveOffset);
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.integer[static_cast<std::size_t>(j)]) solver.setInteger(j);
}

LinearProgram load(OsiCudaSolverInterface& solver, std::string const& text) {
  LinearProgram lp = readers::readText(text, "a test").lp;
  load(solver, lp);
  return lp;
}

bool isPoint(LinearProgram const& lp, OsiSolverInterface const& solver) {
  Solution point;
  point.columnValues.assign(solver.getColSolution(), solver.getColSolution() + lp.columns());
  point.rowDuals.assign(lp.rowLower.size(), 0.0);
  for (int j = 0; j < lp.columns(); ++j) {
    double const x = solver.getColSolution()[j];
    if (solver.isInteger(j) && x != std::round(x)) return false;
  }
  return residualsOf(lp, point).primal <= 1e-7;
}

bool close(double a, double b) {
  return std::fabs(a - b) <= 1e-6;
}

BOOST_AUTO_TEST_SUITE(osi_integer_answers)

BOOST_AUTO_TEST_CASE(branch_and_bound_is_right) {
  for (KnownAnswer const& known : knownAnswers()) BOOST_TEST_CONTEXT(known.name) {
      OsiCudaSolverInterface solver;
      LinearProgram const lp = load(solver, known.text);
      if (std::string(known.name) == "a point of two doubles") {
        // Neither OsiCuda nor OsiClp has anything to hand out.
        solver.branchAndBound();
        BOOST_TEST(solver.isAbandoned());
        BOOST_TEST(!solver.isProvenOptimal());
        continue;
      }
      solver.branchAndBound();
      BOOST_TEST(solver.isProvenOptimal() == known.optimum.has_value());
      BOOST_TEST(solver.isProvenPrimalInfeasible() == !known.optimum);
      for (int j = 0; j < lp.columns(); ++j)
        BOOST_TEST(solver.getColLower()[j] == std::max(lp.columnLower[j], -COIN_DBL_MAX));
      if (!known.optimum) continue;
      BOOST_TEST(close(solver.getObjValue(), *known.optimum), solver.getObjValue());
      BOOST_TEST(isPoint(lp, solver));
      auto const enclosure = solver.getObjectiveEnclosure();
      BOOST_TEST(enclosure.lower <= *known.optimum + 1e-9);
      BOOST_TEST(enclosure.upper >= *known.optimum - 1e-9);
      // The next solve is the relaxation's again.
      solver.resolve();
      BOOST_TEST(solver.isProvenOptimal());
      BOOST_TEST(solver.getObjSense() * (solver.getObjValue() - *known.optimum) <= 1e-6);
    }
}

BOOST_AUTO_TEST_CASE(a_node_without_a_proof_is_no_infeasible_one) {
  OsiCudaSolverInterface solver;
  LinearProgram const lp = load(solver, testing::unprovedNode);
  solver.branchAndBound();
  BOOST_TEST(!solver.isProvenOptimal());
  BOOST_TEST(!solver.isProvenPrimalInfeasible());
  BOOST_TEST(solver.isAbandoned());
  BOOST_TEST(close(solver.getObjValue(), -10.9));  // what there is
  BOOST_TEST(isPoint(lp, solver));
  BOOST_TEST(solver.getObjectiveEnclosure().lower <= -13.5);
}

// Cbc fixes a column on the other side where a branch is neither optimal nor stopped.
BOOST_AUTO_TEST_CASE(a_branch_without_a_proof_is_a_stopped_one) {
  OsiCudaSolverInterface solver;
  load(solver, testing::unprovedNode);
  solver.initialSolve();
  BOOST_TEST(solver.isProvenOptimal());
  solver.markHotStart();
  int b = 0;
  while (solver.getObjCoefficients()[b] != -8.0) ++b;
  solver.setColLower(b, 1.0);
  solver.solveFromHotStart();
  BOOST_TEST(!solver.isProvenOptimal());
  BOOST_TEST(!solver.isProvenPrimalInfeasible());
  BOOST_TEST(!solver.isAbandoned());
  BOOST_TEST(solver.isIterationLimitReached());
  solver.setColLower(b, 0.0);
  solver.unmarkHotStart();
  solver.resolve();
  BOOST_TEST(close(solver.getObjValue(), -14.9));
}

BOOST_AUTO_TEST_CASE(limits_and_interrupts_are_no_answers) {
  double highest = -infinity, best = infinity;  // the problem minimises
  for (int const what : {0, 1, 2, 3}) BOOST_TEST_CONTEXT(what) {
      OsiCudaSolverInterface solver;
      load(solver, testing::denseMip("knapsack:20x200:1"));
      int polls = 0;
      if (what == 0) solver.setInterrupt([&polls] { return ++polls > 20; });
      if (what == 1) solver.setSolverOption("time-limit", "0.5");
      if (what == 2) solver.setIntParam(OsiMaxNumIteration, 300);
      if (what == 3) solver.setSolverOption("node-limit", "3");
      solver.branchAndBound();
      BOOST_TEST(solver.isIterationLimitReached());
      BOOST_TEST(!solver.isProvenOptimal());
      BOOST_TEST(!solver.isProvenPrimalInfeasible());
      auto const enclosure = solver.getObjectiveEnclosure();
      highest = std::max(highest, enclosure.lower);
      best = std::min(best, enclosure.upper);
    }
  BOOST_TEST(std::isfinite(highest));
  BOOST_TEST(std::isfinite(best));
  BOOST_TEST(highest <= best);
}

BOOST_AUTO_TEST_CASE(objects_that_are_no_integers_are_refused) {
  OsiCudaSolverInterface solver;
  load(solver, knownAnswers()[0].text);
  double const sizes[] = {0.0, 2.0};
  OsiLotsize lots(&solver, 0, 2, sizes);
  OsiObject* objects[] = {&lots};
  solver.addObjects(1, objects);
  BOOST_CHECK_THROW(solver.branchAndBound(), CoinError);
}

BOOST_AUTO_TEST_CASE(sets_and_semicontinuous_columns_are_kept) {
  osi_cuda::testing::TemporaryFolder const folder;
  std::string const path = folder.write("s.lp",
                                        "Minimize\n obj: x + y\nSubject To\n c: x + y >= 1.5\n"
                                        "Bounds\n 2.5 <= x <= 4\n y <= 3\nGenerals\n y\n"
                                        "Semi-Continuous\n x\nEnd\n");
  OsiCudaSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  BOOST_REQUIRE(solver.readLp(path.c_str()) == 0);
  solver.branchAndBound();
  BOOST_TEST(solver.getObjValue() == 2.0);
  std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
  copy->setColUpper(1, 0.0);
  copy->branchAndBound();
  BOOST_TEST(copy->isProvenOptimal());
  BOOST_TEST(copy->getObjValue() == 2.5);
  // A set as an object: only one of the two.
  solver.setColUpper(0, 1.0);
  solver.setObjCoeff(0, -3.0);
  solver.setObjCoeff(1, -2.0);
  solver.branchAndBound();
  BOOST_TEST(solver.getObjValue() == -6.0);  // x off, y = 3
  solver.setColUpper(0, 4.0);
  int const both[] = {0, 1};
  double const weights[] = {1.0, 2.0};
  OsiSOS set(&solver, 2, both, weights, 1);
  OsiObject* objects[] = {&set};
  solver.addObjects(1, objects);
  solver.branchAndBound();
  BOOST_TEST(solver.getObjValue() == -12.0);
  BOOST_TEST(solver.getColSolution()[1] == 0.0);
  // What a file says of a column goes with it.
  int const first[] = {0};
  copy->deleteCols(1, first);
  copy->setColUpper(0, 3.0);
  copy->branchAndBound();
  BOOST_TEST(copy->getObjValue() == 2.0);
}

BOOST_AUTO_TEST_CASE(a_prepared_problem_suits_a_cbc_model) {
  for (KnownAnswer const& known : knownAnswers()) BOOST_TEST_CONTEXT(known.name) {
      std::string const name = known.name;
      // What the module mends within a search; OsiClp fails there as well.
      if (name.starts_with("a big M") || name == "a point of two doubles" ||
          name == "whole within the tolerance only")
        continue;
      OsiCudaSolverInterface solver;
      LinearProgram const lp = load(solver, known.text);
      bool const possible = solver.prepareIntegers();
      for (int i = 0; i < solver.getNumRows(); ++i) BOOST_TEST(solver.getRowSense()[i] != 'N');
      if (!possible) {
        BOOST_TEST(!known.optimum);
        continue;
      }
      CbcModel model(solver);
      model.setLogLevel(0);
      model.messageHandler()->setLogLevel(0);
      model.solver()->messageHandler()->setLogLevel(0);
      CglGomory gomory;
      CglMixedIntegerRounding2 rounding;
      model.addCutGenerator(&gomory, -1, "Gomory");
      model.addCutGenerator(&rounding, -1, "MixedIntegerRounding2");
      model.initialSolve();
      model.branchAndBound();
      BOOST_TEST(model.isProvenOptimal() == known.optimum.has_value());
      if (known.optimum) BOOST_TEST(close(model.getObjValue(), *known.optimum));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
