// SPDX-License-Identifier: EPL-2.0

#include <chrono>
#include <cmath>
#include <cstdlib>

#include "CoinPackedVector.hpp"
#include "OsiRowCut.hpp"
#include "tests/osi/contract_points.hpp"

namespace osi_cuda::testing {
namespace {

void boundPointersAreLive(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  double const *lower = s->getColLower(), *upper = s->getColUpper(), *rowLower = s->getRowLower(),
               *rowUpper = s->getRowUpper(), *cost = s->getObjCoefficients();
  s->setColLower(0, 1.0);
  s->setColUpper(1, 7.0);
  s->setRowLower(0, -2.0);
  s->setRowUpper(1, 5.0);
  s->setObjCoeff(1, 2.5);
  EXPECT(lower[0] == 1.0 && upper[1] == 7.0 && rowLower[0] == -2.0 && rowUpper[1] == 5.0);
  EXPECT(cost[1] == 2.5);
  s->resolve();
  EXPECT(s->getColLower() == lower && s->getColUpper() == upper);
  EXPECT(s->getRowLower() == rowLower && s->getRowUpper() == rowUpper);
  EXPECT(s->getObjCoefficients() == cost);
  EXPECT(lower[0] == 1.0 && upper[1] == 7.0);
}

void solutionSurvivesBoundChanges(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->initialSolve();
  double const *x = s->getColSolution(), *y = s->getRowPrice(), *d = s->getReducedCost(),
               *a = s->getRowActivity();
  std::vector<double> const before{x[0], x[1], y[0], y[1], d[0], d[1], a[0], a[1]};
  s->setColUpper(0, 1.0);
  s->setColBounds(1, 0.0, 1.0);
  s->setRowUpper(0, 3.0);
  EXPECT(s->getColSolution() == x && s->getRowPrice() == y && s->getReducedCost() == d &&
         s->getRowActivity() == a);
  std::vector<double> const after{x[0], x[1], y[0], y[1], d[0], d[1], a[0], a[1]};
  EXPECT(before == after);
}

void solutionsCanBeSet(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->initialSolve();
  double const x[] = {1.0, 2.0}, y[] = {1.0, -1.0};
  s->setColSolution(x);
  EXPECT(s->getColSolution()[0] == 1.0 && s->getColSolution()[1] == 2.0);
  EXPECT(close(s->getRowActivity()[0], 3.0) && close(s->getRowActivity()[1], 7.0));
  EXPECT(close(s->getObjValue(), 7.0));
  s->setRowPrice(y);
  EXPECT(s->getRowPrice()[0] == 1.0 && s->getRowPrice()[1] == -1.0);
  EXPECT(close(s->getReducedCost()[0], 3.0) && close(s->getReducedCost()[1], 4.0));
}

void nothingToDeleteDoesNothing(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->initialSolve();
  double const *x = s->getColSolution(), *upper = s->getColUpper();
  double const value = s->getObjValue();
  int const none = 0;
  s->deleteRows(0, &none);
  s->deleteCols(0, &none);
  s->applyRowCuts(0, static_cast<OsiRowCut const*>(nullptr));
  EXPECT(s->isProvenOptimal());
  EXPECT(s->getColSolution() == x && s->getColUpper() == upper && s->getObjValue() == value);
  s->resolve();
  EXPECT(s->getIterationCount() == 0);
}

void offsetsAndSensesStay(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->setDblParam(OsiObjOffset, 2.0);
  s->initialSolve();
  EXPECT(close(s->getObjValue(), 9.0));
  CoinPackedMatrix const matrix = *s->getMatrixByCol();
  std::vector<double> const cost{3.0, 2.0}, upper{3.0, COIN_DBL_MAX}, rowUpper{4.0, 6.0};
  s->loadProblem(matrix, nullptr, upper.data(), cost.data(), nullptr, rowUpper.data());
  EXPECT(s->getObjSense() == -1.0);
  double offset = 0.0;
  s->getDblParam(OsiObjOffset, offset);
  EXPECT(offset == 2.0);
  s->initialSolve();
  EXPECT(close(s->getObjValue(), 9.0));
  Solver file = factory();
  EXPECT(file->readMps(OSI_CUDA_SAMPLE_FOLDER "/e226", "mps") == 0);
  file->initialSolve();
  EXPECT(close(file->getObjValue(), -11.638929, 1e-6));
}

void smallQuestionsAreFast(OsiFactory const& factory, Violations& out) {
  Solver s = randomProblem(factory, 9, 60, 200);
  s->setInteger(3);
  s->initialSolve();
  auto const begin = std::chrono::steady_clock::now();
  long sum = 0;
  for (int k = 0; k < 200000; ++k) {
    s->setColUpper(k % 200, 8.0);
    sum += s->getNumCols() + s->isInteger(3) + s->isFreeBinary(k % 200);
  }
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT(sum == 200000L * 201);
  EXPECT(seconds < 0.5);
}

void clonesOwnWhatTheyHave(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->setIntParam(OsiNameDiscipline, 1);
  s->setColName(0, "first");
  s->setInteger(1);
  s->setIntParam(OsiMaxNumIteration, 77);
  s->initialSolve();
  s->markHotStart();
  Solver copy(s->clone());
  s->unmarkHotStart();
  EXPECT(copy->isInteger(1) && copy->isContinuous(0) && copy->getNumIntegers() == 1);
  EXPECT(copy->getColName(0) == "first");
  EXPECT(copy->isProvenOptimal() && close(copy->getObjValue(), 11.0));
  EXPECT(copy->getColSolution() != s->getColSolution() && copy->getColSolution()[0] == 3.0);
  int iterations = 0;
  copy->getIntParam(OsiMaxNumIteration, iterations);
  EXPECT(iterations == 77);
  copy->resolve();
  EXPECT(copy->getIterationCount() == 0);  // the basis came along
  copy->setColUpper(0, 1.0);
  copy->setContinuous(1);
  copy->setColName(0, "other");
  copy->resolve();
  EXPECT(close(copy->getObjValue(), 3.0 + 2.0 * 5.0 / 3.0));
  EXPECT(s->getColUpper()[0] == 3.0 && s->isInteger(1) && s->getColName(0) == "first");
  EXPECT(close(s->getObjValue(), 11.0));
  s.reset();
  copy->setColUpper(0, 3.0);
  copy->resolve();
  EXPECT(close(copy->getObjValue(), 11.0));
  Solver empty(copy->clone(false));
  EXPECT(empty->getNumCols() == 0 && empty->getNumRows() == 0);
}

void resolveMayComeFirst(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->resolve();
  EXPECT(s->isProvenOptimal() && close(s->getObjValue(), 11.0));
  s->resolve();
  EXPECT(s->isProvenOptimal() && s->getIterationCount() == 0);
}

void arraysAreThereWhenInfeasible(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->setRowLower(0, 10.0);
  s->setRowUpper(0, 20.0);
  s->initialSolve();
  EXPECT(s->isProvenPrimalInfeasible() && !s->isProvenOptimal());
  EXPECT(s->getColSolution() && s->getRowPrice() && s->getReducedCost() && s->getRowActivity());
  s->setColLower(0, 5.0);  // above its upper bound
  s->resolve();
  EXPECT(s->isProvenPrimalInfeasible() && s->getColSolution() && s->getRowPrice());
  EXPECT(s->getReducedCost() && s->getRowActivity());
}

void inheritedFaultsAreMended(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->setInteger(0);
  EXPECT(s->getColType(true)[0] == 2 && s->getColType()[1] == 0);
  CoinPackedVector column;
  column.insert(0, 1.0);
  for (int k = 0; k < 40; ++k) s->addCol(column, 0.0, 1.0, 1.0);
  s->setInteger(41);
  char const* const types = s->getColType(true);
  EXPECT(types[41] == 1 && types[20] == 0 && types[0] == 2);
  double const x[42] = {9.0, -1.0};
  s->setColSolution(x);
  double const* const strict = s->getStrictColSolution();
  EXPECT(strict[0] == 3.0 && strict[1] == 0.0);
  try {
    s->branchAndBound();
    EXPECT(s->isProvenOptimal());  // only a solver that has one may come here
  } catch (CoinError const&) {
  }
  Solver other = smallProblem(factory);
  CoinPackedMatrix matrix = *other->getMatrixByCol();
  matrix.modifyCoefficient(0, 0, 2.0);
  other->replaceMatrixOptional(matrix);
  other->initialSolve();
  EXPECT(close(other->getObjValue(), 6.8));  // x = 6/5, y = 8/5
  other->reset();
  EXPECT(other->getNumCols() == 0 && other->getObjSense() == 1.0);
}

}  // namespace

void applyTestEngine(OsiCudaSolverInterface& solver) {
  if (char const* const engine = std::getenv("OSI_CUDA_TEST_ENGINE"))
    solver.setSolverOption("engine", engine);
}

std::unique_ptr<OsiSolverInterface> makeOsiCuda() {
  auto solver = std::make_unique<OsiCudaSolverInterface>();
  solver->messageHandler()->setLogLevel(0);
  applyTestEngine(*solver);
  return solver;
}

std::unique_ptr<OsiSolverInterface> smallProblem(OsiFactory const& factory) {
  CoinBigIndex const starts[] = {0, 2, 4};
  int const indices[] = {0, 1, 0, 1};
  double const values[] = {1.0, 1.0, 1.0, 3.0}, cost[] = {3.0, 2.0}, upper[] = {3.0, COIN_DBL_MAX},
               rowUpper[] = {4.0, 6.0};
  auto solver = factory();
  solver->loadProblem(2, 2, starts, indices, values, nullptr, upper, cost, nullptr, rowUpper);
  solver->setObjSense(-1.0);
  return solver;
}

std::vector<ContractPoint> const& contractPoints() {
  static std::vector<ContractPoint> const points{
      {"1 every solve ends in one truth", everySolveEndsInOneTruth},
      {"2 bound pointers are live", boundPointersAreLive},
      {"3 the solution survives bound changes", solutionSurvivesBoundChanges},
      {"4 a hot start's limit is an iteration limit", hotStartLimitIsAnIterationLimit},
      {"4 a hot start comes back", hotStartComesBack},
      {"5 solutions can be set", solutionsCanBeSet},
      {"6 nothing to delete does nothing", nothingToDeleteDoesNothing},
      {"7 warm starts fit", warmStartsFit},
      {"8 tight rows have their slack status", tightRowsHaveTheirSlackStatus},
      {"9 reduced costs are costs less prices", reducedCostsAreCostsLessPrices},
      {"10 limits are in the user's sense", limitsAreInTheUsersSense},
      {"11 offsets and senses stay", offsetsAndSensesStay},
      {"12 small questions are fast", smallQuestionsAreFast},
      {"13 clones own what they have", clonesOwnWhatTheyHave},
      {"14 resolve may come first", resolveMayComeFirst},
      {"15 arrays are there when infeasible", arraysAreThereWhenInfeasible},
      {"inherited faults are mended", inheritedFaultsAreMended},
  };
  return points;
}

std::vector<std::string> contractViolations(OsiFactory const& factory) {
  std::vector<std::string> all;
  for (ContractPoint const& point : contractPoints()) {
    std::vector<std::string> violations;
    try {
      point.check(factory, violations);
    } catch (CoinError const& e) {
      violations.push_back("CoinError: " + e.message());
    } catch (std::exception const& e) {
      violations.push_back(std::string("exception: ") + e.what());
    }
    for (std::string const& v : violations) all.push_back(std::string(point.name) + ": " + v);
  }
  return all;
}

}  // namespace osi_cuda::testing
