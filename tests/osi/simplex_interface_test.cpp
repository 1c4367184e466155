// SPDX-License-Identifier: EPL-2.0
// The simplex interface beyond what Osi's tests try: pivots beside OsiClp's, dual pivots, bases
// that are set, tableaus after edits, the work of warm starts.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <random>

#include "CoinPackedVector.hpp"
#include "CoinWarmStartBasis.hpp"
#include "OsiClpSolverInterface.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/osi/contract.hpp"
#include "tests/support/needs.hpp"

namespace {

std::string const sample = OSI_CUDA_SAMPLE_FOLDER;

void load(OsiCudaSolverInterface& solver, std::string const& name) {
  osi_cuda::testing::applyTestEngine(solver);
  solver.messageHandler()->setLogLevel(0);
  BOOST_REQUIRE(solver.readMps((sample + "/" + name).c_str(), "mps") == 0);
}

bool close(double a, double b) {
  return std::fabs(a - b) <= 1e-7 * (1.0 + std::fabs(b));
}

/// B times B^-1, by rows of the inverse.
void checkInverse(OsiSolverInterface const& s) {
  auto const m = static_cast<std::size_t>(s.getNumRows());
  std::vector<int> basics(m);
  s.getBasics(basics.data());
  std::vector<double> row(m), column(m);
  for (std::size_t r = 0; r < m; ++r) {
    s.getBInvRow(static_cast<int>(r), row.data());
    for (std::size_t k = 0; k < m; ++k) {
      double product = 0.0;
      if (basics[k] >= s.getNumCols()) {
        product = row[static_cast<std::size_t>(basics[k] - s.getNumCols())];
      } else {
        auto const vector = s.getMatrixByCol()->getVector(basics[k]);
        for (int e = 0; e < vector.getNumElements(); ++e)
          product +=
              vector.getElements()[e] * row[static_cast<std::size_t>(vector.getIndices()[e])];
      }
      BOOST_TEST(std::fabs(product - (k == r ? 1.0 : 0.0)) < 1e-9);
    }
    s.getBInvCol(static_cast<int>(r), column.data());
    std::vector<double> other(m);
    s.getBInvRow(0, other.data());
    BOOST_TEST(close(column[0], other[r]));
  }
}

/// Branching moves one bound of a basic structural past its value: for ten of them, the iterations
/// of a solve from the optimal basis as a share of those from slacks.
void addWarmStartShares(std::string const& file, std::vector<double>& shares) {
  OsiCudaSolverInterface s;
  s.messageHandler()->setLogLevel(0);
  osi_cuda::testing::applyTestEngine(s);
  BOOST_REQUIRE(s.readMps(file.c_str(), "mps") == 0);
  s.initialSolve();
  BOOST_TEST(s.isProvenOptimal());
  std::unique_ptr<CoinWarmStart> const optimal(s.getWarmStart());
  auto const* const basis = dynamic_cast<CoinWarmStartBasis const*>(optimal.get());
  std::vector<double> const x(s.getColSolution(), s.getColSolution() + s.getNumCols());
  int changes = 0;
  for (int j = 0; j < s.getNumCols() && changes < 10; ++j) {
    auto const k = static_cast<std::size_t>(j);
    if (basis->getStructStatus(j) != CoinWarmStartBasis::basic || x[k] < 1e-3) continue;
    double const upper = s.getColUpper()[j];
    s.setColUpper(j, 0.9 * x[k]);
    std::unique_ptr<OsiSolverInterface> cold(s.clone());
    CoinWarmStartBasis slack;
    slack.setSize(s.getNumCols(), s.getNumRows());
    for (int i = 0; i < s.getNumRows(); ++i) slack.setArtifStatus(i, CoinWarmStartBasis::basic);
    cold->setWarmStart(&slack);
    cold->initialSolve();
    s.setWarmStart(optimal.get());
    s.resolve();
    BOOST_TEST(s.isProvenOptimal() == cold->isProvenOptimal());
    if (cold->isProvenOptimal()) BOOST_TEST(close(s.getObjValue(), cold->getObjValue()));
    shares.push_back(static_cast<double>(s.getIterationCount()) /
                     std::max(1, cold->getIterationCount()));
    s.setColUpper(j, upper);
    ++changes;
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 1.0 : values[values.size() / 2];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simplex_interface)

BOOST_AUTO_TEST_CASE(primal_pivots_are_those_of_osi_clp) {
  OsiCudaSolverInterface own;
  OsiClpSolverInterface clp;
  own.messageHandler()->setLogLevel(0);
  clp.messageHandler()->setLogLevel(0);
  for (OsiSolverInterface* s : std::initializer_list<OsiSolverInterface*>{&own, &clp}) {
    // max 5x + 4y + 3z, three rows <=; the same pivots by hand on both
    CoinBigIndex const starts[] = {0, 3, 6, 9};
    int const indices[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double const values[] = {2, 4, 3, 3, 1, 4, 1, 2, 2}, cost[] = {-5, -4, -3},
                 rowUpper[] = {5, 11, 8}, upper[] = {1.5, COIN_DBL_MAX, COIN_DBL_MAX};
    s->loadProblem(3, 3, starts, indices, values, nullptr, upper, cost, nullptr, rowUpper);
    double const none[] = {0, 0, 0};
    s->setObjective(none);
    s->initialSolve();
    s->setObjective(cost);
    s->enableSimplexInterface(true);
  }
  // x to its own upper bound, then z, then the slack of row 0 goes back
  struct Step {
    int in, direction;
  };
  for (Step const step : {Step{0, 1}, Step{2, 1}, Step{1, 1}}) {
    int out[2] = {99, 99}, status[2] = {9, 9};
    double t[2] = {-1, -1};
    int const code =
        own.primalPivotResult(step.in, step.direction, out[0], status[0], t[0], nullptr);
    int const clpCode =
        clp.primalPivotResult(step.in, step.direction, out[1], status[1], t[1], nullptr);
    BOOST_TEST(code == clpCode);
    BOOST_TEST(out[0] == out[1]);
    BOOST_TEST(status[0] == status[1]);
    BOOST_TEST(close(t[0], t[1]));
    for (int j = 0; j < 3; ++j) {
      BOOST_TEST(close(own.getColSolution()[j], clp.getColSolution()[j]));
      BOOST_TEST(close(own.getReducedCost()[j], clp.getReducedCost()[j]));
    }
  }
  own.disableSimplexInterface();
  clp.disableSimplexInterface();
  own.resolve();
  BOOST_TEST(own.isProvenOptimal());
}

BOOST_AUTO_TEST_CASE(a_ray_is_reported_where_nothing_blocks) {
  OsiCudaSolverInterface s;
  s.messageHandler()->setLogLevel(0);
  CoinPackedVector row;
  row.insert(0, 1.0);
  row.insert(1, -1.0);
  double const cost[] = {0.0, 0.0};
  CoinPackedMatrix matrix(false, 0, 0);
  matrix.setDimensions(0, 2);
  matrix.appendRow(row);
  double const rowUpper[] = {2.0};
  s.loadProblem(matrix, nullptr, nullptr, cost, nullptr, rowUpper);
  s.initialSolve();
  s.enableSimplexInterface(true);
  int out = 99, status = 0;
  double t = 0.0;
  CoinPackedVector direction;
  BOOST_TEST(s.primalPivotResult(0, 1, out, status, t, &direction) == 0);  // row 0 blocks x at 2
  BOOST_TEST(out == -1);
  BOOST_TEST(status == 1);
  BOOST_TEST(t == 2.0);
  BOOST_TEST(direction[0] == 1.0);
  CoinPackedVector ray;
  BOOST_TEST(s.primalPivotResult(1, 1, out, status, t, &ray) == -1);  // y takes x along for ever
  BOOST_TEST(ray[0] == 1.0);
  BOOST_TEST(ray[1] == 1.0);
}

// From an optimal basis, a bound is moved past a basic value and repaired by dual pivots alone.
BOOST_AUTO_TEST_CASE(dual_pivots_reach_the_optimum) {
  OsiCudaSolverInterface s;
  load(s, "p0033");
  s.initialSolve();
  int column = -1;
  for (int j = 0; j < s.getNumCols(); ++j) {
    double const x = s.getColSolution()[j];
    if (x > 0.1 && x < 0.9) column = j;
  }
  BOOST_REQUIRE(column >= 0);
  s.setColLower(column, 1.0);
  std::unique_ptr<OsiSolverInterface> reference(s.clone());
  reference->resolve();
  s.enableSimplexInterface(false);
  for (int k = 0; k < 50; ++k) {
    int out = 99, status = 0;
    double worst = 1e-7;
    for (int v = -s.getNumRows(); v < s.getNumCols(); ++v) {
      double const x = v < 0 ? s.getRowActivity()[-1 - v] : s.getColSolution()[v];
      double const lower = v < 0 ? s.getRowLower()[-1 - v] : s.getColLower()[v];
      double const upper = v < 0 ? s.getRowUpper()[-1 - v] : s.getColUpper()[v];
      double const gap = std::max(lower - x, x - upper);
      if (gap <= worst) continue;
      worst = gap;
      out = v;
      status = x > upper ? 1 : -1;
    }
    if (out == 99) break;
    int in = 0, sign = 0;
    double t = -1.0;
    CoinPackedVector ray;
    BOOST_REQUIRE(s.dualPivotResult(in, sign, out, status, t, &ray) == 0);
    BOOST_TEST(t >= 0.0);
    BOOST_TEST((sign == 1 || sign == -1));
    BOOST_TEST(ray.getNumElements() > 0);
  }
  s.disableSimplexInterface();
  s.resolve();
  BOOST_TEST(s.isProvenOptimal());
  BOOST_TEST(s.getIterationCount() == 0);
  BOOST_TEST(close(s.getObjValue(), reference->getObjValue()));
}

BOOST_AUTO_TEST_CASE(bases_can_be_set_without_pivots) {
  OsiCudaSolverInterface s, t;
  load(s, "p0201");
  load(t, "p0201");
  s.initialSolve();
  auto const n = static_cast<std::size_t>(s.getNumCols()),
             m = static_cast<std::size_t>(s.getNumRows());
  std::vector<int> columns(n), rows(m), columnsBack(n), rowsBack(m);
  s.getBasisStatus(columns.data(), rows.data());
  BOOST_TEST(t.setBasisStatus(columns.data(), rows.data()) == 0);
  BOOST_TEST(t.isProvenOptimal());
  BOOST_TEST(close(t.getObjValue(), s.getObjValue()));
  t.getBasisStatus(columnsBack.data(), rowsBack.data());
  BOOST_TEST(columns == columnsBack, boost::test_tools::per_element());
  // the slack basis is no optimum, and an exchange of one variable for itself changes nothing
  std::fill(columns.begin(), columns.end(), 3);
  std::fill(rows.begin(), rows.end(), 1);
  BOOST_TEST(t.setBasisStatus(columns.data(), rows.data()) == 0);
  BOOST_TEST(!t.isProvenOptimal());
  BOOST_TEST(t.getColSolution()[0] == t.getColLower()[0]);
  // a pivot by hand, and back
  int const row = t.getMatrixByCol()->getVector(0).getIndices()[0];
  BOOST_TEST(t.pivot(0, -1 - row, 1) == 0);
  t.getBasisStatus(columnsBack.data(), rowsBack.data());
  BOOST_TEST(columnsBack[0] == 1);
  BOOST_TEST(rowsBack[static_cast<std::size_t>(row)] != 1);
  BOOST_TEST(close(t.getRowActivity()[row], t.getRowUpper()[row]));
  BOOST_TEST(t.pivot(-1 - row, 0, -1) == 0);
  t.getBasisStatus(columnsBack.data(), rowsBack.data());
  BOOST_TEST(columnsBack[0] == 3);
  BOOST_TEST(t.pivot(1, 0, -1) == -1);  // 0 is not basic any more
}

BOOST_AUTO_TEST_CASE(the_tableau_follows_rows_and_columns_that_come_and_go) {
  OsiCudaSolverInterface s;
  load(s, "p0033");
  s.initialSolve();
  checkInverse(s);
  std::mt19937 random(7);
  for (int round = 0; round < 6; ++round) {
    for (int k = 0; k < 3; ++k) {
      CoinPackedVector row, column;
      for (int j = 0; j < s.getNumCols(); ++j)
        if (random() % 4u == 0) row.insert(j, 1.0 + static_cast<double>(random() % 9u));
      for (int i = 0; i < s.getNumRows(); ++i)
        if (random() % 4u == 0) column.insert(i, 1.0 + static_cast<double>(random() % 9u));
      s.addRow(row, -COIN_DBL_MAX, 40.0 + static_cast<double>(random() % 40u));
      column.insert(s.getNumRows() - 1, 2.0);
      s.addCol(column, 0.0, 3.0, 5.0);
    }
    checkInverse(s);
    s.resolve();
    BOOST_TEST(s.isProvenOptimal());
    int const rows[] = {static_cast<int>(random()) & 7, s.getNumRows() - 1};
    int const columns[] = {static_cast<int>(random()) & 15, s.getNumCols() - 2};
    s.deleteRows(2, rows);
    s.deleteCols(2, columns);
    checkInverse(s);
    s.resolve();
    OsiClpSolverInterface clp;
    clp.messageHandler()->setLogLevel(0);
    clp.loadProblem(*s.getMatrixByCol(), s.getColLower(), s.getColUpper(), s.getObjCoefficients(),
                    s.getRowLower(), s.getRowUpper());
    clp.initialSolve();
    BOOST_TEST(s.isProvenOptimal() == clp.isProvenOptimal());
    if (clp.isProvenOptimal()) BOOST_TEST(close(s.getObjValue() + 0.0, clp.getObjValue()));
  }
}

BOOST_AUTO_TEST_CASE(warm_starts_pay) {
  std::vector<double> shares;
  for (std::string const name : {"brandy", "e226", "finnis", "p0201", "p0548"})
    addWarmStartShares(sample + "/" + name, shares);
  BOOST_TEST(shares.size() >= 40u);
  BOOST_TEST(median(shares) <= 0.1);
}

BOOST_AUTO_TEST_CASE(a_cutoff_stops_the_dual_early) {
  OsiCudaSolverInterface s;
  load(s, "p0548");
  s.initialSolve();
  double const root = s.getObjValue();
  int full = 0, cut = 0, reached = 0;
  for (int j = 0; j < s.getNumCols(); ++j) {
    double const x = s.getColSolution()[j];
    if (x < 0.05 || x > 0.95) continue;
    std::unique_ptr<OsiSolverInterface> down(s.clone());
    down->setColUpper(j, 0.0);
    std::unique_ptr<OsiSolverInterface> limited(down->clone());
    down->setHintParam(OsiDoDualInResolve, true, OsiHintTry);
    limited->setHintParam(OsiDoDualInResolve, true, OsiHintTry);
    down->resolve();
    double const gain = down->isProvenOptimal() ? down->getObjValue() - root : 10.0;
    limited->setDblParam(OsiDualObjectiveLimit, root + 0.2 * gain);
    limited->resolve();
    full += down->getIterationCount();
    cut += limited->getIterationCount();
    if (gain < 1e-6) continue;
    BOOST_TEST((limited->isDualObjectiveLimitReached() || limited->isProvenPrimalInfeasible()));
    BOOST_TEST(!limited->isAbandoned());
    ++reached;
  }
  BOOST_TEST(reached > 10);
  BOOST_TEST(cut < full);
}

BOOST_AUTO_TEST_SUITE_END()

// Twenty problems of the Netlib set, where OSI_CUDA_DATA says it is.
BOOST_AUTO_TEST_SUITE(warm_starts_long)
BOOST_AUTO_TEST_CASE(warm_starts_pay_on_netlib, *osi_cuda::testing::needs([]() -> std::string {
                       return std::getenv("OSI_CUDA_DATA") ? "" : "OSI_CUDA_DATA is not set";
                     })) {
  char const* const data = std::getenv("OSI_CUDA_DATA");
  std::vector<double> shares;
  for (char const* const name :
       {"adlittle", "afiro",  "agg",    "agg2",    "bandm",   "beaconfd", "blend",
        "brandy",   "capri",  "e226",   "israel",  "sc50a",   "lotfi",    "sc105",
        "scorpion", "scagr7", "scfxm1", "share1b", "share2b", "stocfor1"})
    addWarmStartShares(std::string(data) + "/netlib/" + name, shares);
  BOOST_TEST_MESSAGE(shares.size() << " re-solves, median share " << median(shares));
  BOOST_TEST(shares.size() > 150u);
  BOOST_TEST(median(shares) <= 0.1);
}
BOOST_AUTO_TEST_SUITE_END()
