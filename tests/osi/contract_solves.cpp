// SPDX-License-Identifier: EPL-2.0
// The points of the contract about solves, bases and limits.
#include <memory>

#include "CoinPackedVector.hpp"
#include "CoinWarmStartBasis.hpp"
#include "tests/osi/contract_points.hpp"
#include "tests/support/random.hpp"

namespace osi_cuda::testing {
namespace {

std::unique_ptr<CoinWarmStartBasis> basisOf(OsiSolverInterface const& solver) {
  return std::unique_ptr<CoinWarmStartBasis>(
      dynamic_cast<CoinWarmStartBasis*>(solver.getWarmStart()));
}

int truths(OsiSolverInterface const& s) {
  return int{s.isProvenOptimal()} + int{s.isProvenPrimalInfeasible()} +
         int{s.isProvenDualInfeasible()} + int{s.isIterationLimitReached()} + int{s.isAbandoned()};
}

}  // namespace

Solver randomProblem(OsiFactory const& factory, unsigned seed, int rows, int columns) {
  Random random(seed);
  auto const entry = [&] { return random.whole(-5, 5); };
  CoinPackedMatrix matrix(true, 0, 0);
  matrix.setDimensions(rows, 0);
  std::vector<double> lower, upper, cost, activity(static_cast<std::size_t>(rows), 0.0);
  for (int j = 0; j < columns; ++j) {
    CoinPackedVector column;
    double const inside = 1.0 + 0.5 * (entry() + 5);
    for (int i = 0; i < rows; ++i) {
      int const a = random.below(3) == 0 ? entry() : 0;
      if (a == 0) continue;
      column.insert(i, a);
      activity[static_cast<std::size_t>(i)] += a * inside;
    }
    matrix.appendCol(column);
    lower.push_back(0.0);
    upper.push_back(8.0);
    cost.push_back(entry());
  }
  std::vector<double> rowLower, rowUpper;
  for (double const a : activity) {
    int const kind = random.below(3);
    rowLower.push_back(kind == 0 ? -COIN_DBL_MAX : a - 2.0);
    rowUpper.push_back(kind == 1 ? COIN_DBL_MAX : a + 3.0);
  }
  Solver solver = factory();
  solver->loadProblem(matrix, lower.data(), upper.data(), cost.data(), rowLower.data(),
                      rowUpper.data());
  return solver;
}

void everySolveEndsInOneTruth(OsiFactory const& factory, Violations& out) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Solver s = randomProblem(factory, seed);
    s->initialSolve();
    EXPECT(truths(*s) == 1 && s->isProvenOptimal());
    Random random(seed);
    for (int k = 0; k < 5; ++k) {
      int const j = random.below(18);
      double const x = s->getColSolution()[j];
      if (random.below(2))
        s->setColUpper(j, std::floor(x));
      else
        s->setColLower(j, std::ceil(x));
      s->resolve();
      EXPECT(truths(*s) == 1);
      EXPECT(s->isProvenOptimal() || s->isProvenPrimalInfeasible());
    }
  }
}

void hotStartLimitIsAnIterationLimit(OsiFactory const& factory, Violations& out) {
  int limited = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Solver s = randomProblem(factory, seed, 20, 30);
    s->initialSolve();
    s->setIntParam(OsiMaxNumIterationHotStart, 1);
    s->markHotStart();
    for (int j = 0; j < 30; ++j) {
      double const upper = s->getColUpper()[j], x = s->getColSolution()[j];
      if (x < 2.0) continue;
      s->setColUpper(j, std::floor(0.5 * x));
      s->solveFromHotStart();
      EXPECT(truths(*s) == 1 && !s->isAbandoned());
      if (s->isIterationLimitReached()) ++limited;
      EXPECT(s->getIterationCount() <= 3);
      s->setColUpper(j, upper);
    }
    s->unmarkHotStart();
  }
  EXPECT(limited > 10);
}

void hotStartComesBack(OsiFactory const& factory, Violations& out) {
  Solver s = randomProblem(factory, 3, 20, 30);
  s->initialSolve();
  std::vector<double> const x(s->getColSolution(), s->getColSolution() + 30);
  s->markHotStart();
  std::vector<double> first;
  for (int round = 0; round < 2; ++round) {
    for (int j = 0; j < 30; ++j) {
      double const upper = s->getColUpper()[j];
      s->setColUpper(j, std::floor(0.5 * x[static_cast<std::size_t>(j)]));
      s->solveFromHotStart();
      Solver fresh(s->clone());
      fresh->setWarmStart(std::make_unique<CoinWarmStartBasis>().get());
      fresh->initialSolve();
      EXPECT(s->isProvenOptimal() == fresh->isProvenOptimal());
      if (fresh->isProvenOptimal()) {
        EXPECT(close(s->getObjValue(), fresh->getObjValue()));
      }
      s->setColUpper(j, upper);
    }
  }
  s->unmarkHotStart();
}

void warmStartsFit(OsiFactory const& factory, Violations& out) {
  Solver s = randomProblem(factory, 5);
  s->initialSolve();
  auto const before = basisOf(*s);
  EXPECT(before->getNumStructural() == 18 && before->getNumArtificial() == 12);
  CoinPackedVector row;
  row.insert(0, 1.0);
  row.insert(3, 1.0);
  s->addRow(row, -COIN_DBL_MAX, 12.0);
  auto after = basisOf(*s);
  EXPECT(after->getNumStructural() == 18 && after->getNumArtificial() == 13);
  if (after->getNumArtificial() == 13)
    EXPECT(after->getArtifStatus(12) == CoinWarmStartBasis::basic);
  CoinPackedVector column;
  column.insert(1, 1.0);
  s->addCol(column, 0.0, 4.0, 1.0);
  after = basisOf(*s);
  EXPECT(after->getNumStructural() == 19 && after->getNumArtificial() == 13);
  if (after->getNumStructural() == 19)
    EXPECT(after->getStructStatus(18) != CoinWarmStartBasis::basic);
  s->resolve();
  EXPECT(s->isProvenOptimal());
  int const lastRow = 12, lastColumn = 18;
  s->deleteRows(1, &lastRow);
  s->deleteCols(1, &lastColumn);
  after = basisOf(*s);
  EXPECT(after->getNumStructural() == 18 && after->getNumArtificial() == 12);
  // Shorter and longer ones are taken.
  CoinWarmStartBasis small;
  small.setSize(4, 3);
  EXPECT(s->setWarmStart(&small));
  s->resolve();
  EXPECT(s->isProvenOptimal());
  CoinWarmStartBasis large(*before);
  large.resize(40, 50);
  EXPECT(s->setWarmStart(&large));
  s->resolve();
  EXPECT(s->isProvenOptimal());
  EXPECT(s->setWarmStart(before.get()));
  s->resolve();
  EXPECT(s->isProvenOptimal() && s->getIterationCount() <= 1);
  // A difference of two bases leads from one to the other.
  auto const now = basisOf(*s);
  CoinWarmStartBasis slack;
  slack.setSize(18, 12);
  for (int i = 0; i < 12; ++i) slack.setArtifStatus(i, CoinWarmStartBasis::basic);
  std::unique_ptr<CoinWarmStartDiff> const difference(now->generateDiff(&slack));
  CoinWarmStartBasis rebuilt(slack);
  rebuilt.applyDiff(difference.get());
  EXPECT(s->setWarmStart(&slack) && s->setWarmStart(&rebuilt));
  s->resolve();
  EXPECT(s->getIterationCount() <= 1);
}

void tightRowsHaveTheirSlackStatus(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);
  s->addRow(CoinPackedVector(), -1.0, 1.0);
  s->setRowUpper(1, 7.0);                  // loose, so that there is one optimal basis
  s->setRowBounds(0, -COIN_DBL_MAX, 4.0);  // tight from above at the maximum
  s->initialSolve();
  auto basis = basisOf(*s);
  EXPECT(basis->getArtifStatus(0) == CoinWarmStartBasis::atLowerBound);
  std::vector<int> columnStatus(2), rowStatus(3);
  s->enableFactorization();
  s->getBasisStatus(columnStatus.data(), rowStatus.data());
  EXPECT(rowStatus[0] == 3);
  s->disableFactorization();
  s->setObjSense(1.0);
  s->setRowBounds(0, 2.0, COIN_DBL_MAX);  // tight from below at the minimum
  s->resolve();
  basis = basisOf(*s);
  EXPECT(basis->getArtifStatus(0) == CoinWarmStartBasis::atUpperBound);
  s->enableFactorization();
  s->getBasisStatus(columnStatus.data(), rowStatus.data());
  EXPECT(rowStatus[0] == 2);
  s->disableFactorization();
}

void reducedCostsAreCostsLessPrices(OsiFactory const& factory, Violations& out) {
  for (double const sense : {1.0, -1.0})
    for (unsigned seed = 1; seed <= 10; ++seed) {
      Solver s = randomProblem(factory, seed);
      s->setObjSense(sense);
      s->initialSolve();
      EXPECT(s->isProvenOptimal());
      std::vector<double> product(18);
      s->getMatrixByCol()->transposeTimes(s->getRowPrice(), product.data());
      double dualObjective = 0.0;
      for (int j = 0; j < 18; ++j) {
        double const d = s->getObjCoefficients()[j] - product[static_cast<std::size_t>(j)];
        EXPECT(close(s->getReducedCost()[j], d, 1e-8));
        double const x = s->getColSolution()[j];
        if (sense * d > 1e-6) EXPECT(close(x, s->getColLower()[j]));
        if (sense * d < -1e-6) EXPECT(close(x, s->getColUpper()[j]));
        dualObjective += d * x;
      }
      for (int i = 0; i < 12; ++i) {
        double const y = s->getRowPrice()[i], a = s->getRowActivity()[i];
        if (sense * y > 1e-6) EXPECT(close(a, s->getRowLower()[i]));
        if (sense * y < -1e-6) EXPECT(close(a, s->getRowUpper()[i]));
        dualObjective += y * a;
      }
      EXPECT(close(dualObjective, s->getObjValue()));
    }
}

void limitsAreInTheUsersSense(OsiFactory const& factory, Violations& out) {
  Solver s = smallProblem(factory);  // maximum 11
  double limit = 0.0;
  s->getDblParam(OsiDualObjectiveLimit, limit);
  EXPECT(limit * s->getObjSense() > 1e30);  // what branch and bound takes for its cutoff
  s->initialSolve();
  EXPECT(!s->isDualObjectiveLimitReached() && !s->isPrimalObjectiveLimitReached());
  s->setDblParam(OsiDualObjectiveLimit, 12.0);  // at least 12 was wanted
  s->resolve();
  EXPECT(s->isDualObjectiveLimitReached());
  s->setDblParam(OsiDualObjectiveLimit, 10.0);
  s->resolve();
  EXPECT(!s->isDualObjectiveLimitReached() && s->isProvenOptimal());
  s->setDblParam(OsiPrimalObjectiveLimit, 10.0);
  s->resolve();
  EXPECT(s->isPrimalObjectiveLimitReached());
  s->setDblParam(OsiPrimalObjectiveLimit, 11.5);
  s->resolve();
  EXPECT(!s->isPrimalObjectiveLimitReached() && s->isProvenOptimal());
}

}  // namespace osi_cuda::testing
