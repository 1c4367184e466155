// SPDX-License-Identifier: EPL-2.0
// What programs written for OsiClp rely on, each over OsiClp first: a test that its answers do not
// pass is no test of a replacement. The header comes first, and is the only one of COIN-OR's that
// these helpers of programs come from.
#include "osi/OsiCudaSolverInterface.hpp"

namespace {

/// Compiles with nothing but the header above.
double programsBegin(OsiSolverInterface const& solver) {
  CoinIndexedVector work;
  work.reserve(solver.getNumCols());
  std::vector<double> values(static_cast<std::size_t>(solver.getNumCols()));
  CoinDisjointCopyN(solver.getColLower(), solver.getNumCols(), values.data());
  CoinSort_2(values.data(), values.data() + values.size(), values.data());
  CoinWarmStartBasis basis;
  basis.setSize(1, 1);
  return std::fabs(std::min(CoinMax(-2.0, -3.0), DBL_MAX)) + basis.getNumStructural();
}

}  // namespace

#include <cstdlib>

#include "CoinPackedVector.hpp"
#include "tests/osi/swap.hpp"

using namespace osi_cuda::testing;
namespace fs = std::filesystem;

namespace {

/// The largest of a vector's entries times `factors`, and `first`, in size.
double largestTerm(CoinPackedMatrix const& matrix, int major, double const* factors, double first) {
  auto const vector = matrix.getVector(major);
  double largest = std::fabs(first);
  for (int e = 0; e < vector.getNumElements(); ++e)
    largest =
        CoinMax(largest, std::fabs(vector.getElements()[e] * factors[vector.getIndices()[e]]));
  return largest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(swapped)

BOOST_AUTO_TEST_CASE(the_header_brings_what_programs_need) {
  onBoth([](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    BOOST_TEST(programsBegin(solver) == 3.0);
  });
}

BOOST_AUTO_TEST_CASE(quiet_means_quiet) {
  Lines lines;
  auto const check = [&](auto& solver) {
    solver.passInMessageHandler(&lines);
    solver.setLogLevel(0);
    BOOST_TEST(solver.messageHandler()->logLevel() == 0);
    BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
    solver.initialSolve();
    solver.setLogLevel(1);
    BOOST_TEST(solver.messageHandler()->logLevel() == 1);
    auto const linesOfTen = [&] {
      lines.count = 0;
      for (int k = 0; k < 10; ++k) {
        solver.setColUpper(k, 1.0 - solver.getColUpper()[k]);
        solver.resolve();
      }
      return lines.count;
    };
    BOOST_TEST(linesOfTen() >= 10);
    solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
    BOOST_TEST(linesOfTen() == 0);
    solver.setHintParam(OsiDoReducePrint, false, OsiHintTry);
    BOOST_TEST(linesOfTen() >= 10);
    for (OsiHintStrength const strength : {OsiHintTry, OsiHintIgnore}) {
      solver.setLogLevel(2);
      solver.setHintParam(OsiDoReducePrint, true, strength);
      BOOST_TEST(linesOfTen() == 0);
      BOOST_TEST(solver.messageHandler()->logLevel() == 0);
    }
  };
  OsiClpSolverInterface clp;
  check(clp);
  OsiCudaSolverInterface own;
  osi_cuda::testing::applyTestEngine(own);
  check(own);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_hot_start_is_its_mark) {
  onBoth([](OsiSolverInterface& solver) {
    BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
    solver.initialSolve();
    auto const basis = [&] {
      std::unique_ptr<CoinWarmStart> const start(solver.getWarmStart());
      auto const& statuses = dynamic_cast<CoinWarmStartBasis const&>(*start);
      std::string text;
      for (int j = 0; j < solver.getNumCols(); ++j) text += "fbul"[statuses.getStructStatus(j)];
      return text;
    };
    std::string const marked = basis();
    solver.markHotStart();
    int column = 0;  // one that is not whole: its branch takes pivots
    while (std::fabs(solver.getColSolution()[column] -
                     std::round(solver.getColSolution()[column])) < 1e-6)
      ++column;
    solver.setColUpper(column, 0.0);
    solver.solveFromHotStart();
    solver.setColUpper(column, 1.0);
    solver.unmarkHotStart();
    BOOST_TEST(basis() == marked);
  });
}

BOOST_AUTO_TEST_CASE(slacks_have_columns_of_the_tableau) {
  std::vector<std::vector<double>> columns;
  onBoth([&](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    int const both[] = {0, 1};
    double const first[] = {1.0, 2.0}, second[] = {4.0, -1.0};
    solver.addRow(2, both, first, 3.0, COIN_DBL_MAX);
    solver.addRow(2, both, second, 1.0, 1.0);
    solver.initialSolve();
    BOOST_TEST(solver.isProvenOptimal());
    solver.enableFactorization();
    int basics[2];
    solver.getBasics(basics);
    for (int i = 0; i < 2; ++i) {
      double slack[2], inverse[2];
      solver.getBInvACol(2 + i, slack);
      solver.getBInvCol(i, inverse);
      BOOST_TEST(close(slack[0], inverse[0]));
      BOOST_TEST(close(slack[1], inverse[1]));
      // By variable: the order of the basics is each solver's own.
      std::vector<double> byVariable(4, 0.0);
      for (int k = 0; k < 2; ++k) byVariable[static_cast<std::size_t>(basics[k])] = slack[k];
      columns.push_back(byVariable);
    }
    solver.disableFactorization();
  });
  for (std::size_t k = 0; k < 4; ++k) {
    BOOST_TEST(close(columns[0][k], columns[2][k]));
    BOOST_TEST(close(columns[1][k], columns[3][k]));
  }
  auto const own = makeOsiCuda();
  addTwoColumns(*own);
  double none[1];
  BOOST_CHECK_THROW(own->getBInvACol(2, none), CoinError);
}

BOOST_AUTO_TEST_CASE(entries_in_one_place_are_added_up) {
  onBoth([](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    int const indices[] = {0, 1, 0};
    double const values[] = {1.0, 0.0, 2.0}, same[] = {1.0, 4.0, -1.0};
    solver.addRow(3, indices, values, 6.0, COIN_DBL_MAX);  // 3 x0 >= 6
    solver.addRow(3, indices, same, 8.0, COIN_DBL_MAX);    // 4 x1 >= 8
    solver.initialSolve();
    BOOST_TEST(solver.isProvenOptimal());
    BOOST_TEST(close(solver.getObjValue(), 6.0));
    BOOST_TEST(close(solver.getRowActivity()[0], 6.0));
    int const rows[] = {0, 0};
    double const twice[] = {-1.0, -2.0};
    solver.addCol(2, rows, twice, 0.0, 1.0, -5.0);
    CoinBigIndex const starts[] = {0, 3, 6};
    int const lists[] = {2, 2, 2, 0, 0, 2};
    double const entries[] = {1.0, 1.0, 2.0, 1.0, 0.0, 4.0};
    double const lower[] = {2.0, 7.0}, upper[] = {COIN_DBL_MAX, COIN_DBL_MAX};
    solver.addRows(2, starts, lists, entries, lower, upper);
    solver.resolve();
    BOOST_TEST(close(solver.getObjValue(), -5.0 + 3.0 + 4.0));
  });
  auto const own = makeOsiCuda();
  addTwoColumns(*own);
  int const indices[] = {0, 1, 0};
  double const values[] = {1.0, 0.0, 2.0};
  own->addRow(3, indices, values, 6.0, COIN_DBL_MAX);
  BOOST_TEST(own->getNumElements() == 1);
}

// As above, in a problem that is loaded: OsiClp drops the zero at once.
BOOST_AUTO_TEST_CASE(loaded_zeros_are_dropped) {
  onBoth([](OsiSolverInterface& solver) {
    CoinBigIndex const starts[] = {0, 2, 4};
    int const rows[] = {0, 1, 0, 1};
    double const values[] = {1.0, 0.0, 1.0, 3.0}, lower[] = {2.0, 3.0};
    double const costs[] = {1.0, 1.0};
    solver.loadProblem(2, 2, starts, rows, values, nullptr, nullptr, costs, lower, nullptr);
    BOOST_TEST(solver.getNumElements() == 3);
    solver.initialSolve();
    BOOST_TEST(close(solver.getObjValue(), 2.0));
  });
}

BOOST_AUTO_TEST_CASE(nothing_has_the_objective_zero) {
  onBoth([](OsiSolverInterface& solver) {
    solver.initialSolve();
    BOOST_TEST(solver.getObjValue() == 0.0);
    BOOST_TEST(!std::signbit(solver.getObjValue()));
  });
  BOOST_TEST(!std::signbit(makeOsiCuda()->getObjValue()));
}

BOOST_AUTO_TEST_CASE(tolerances_have_osi_clps_range) {
  for (OsiDblParam const key : {OsiPrimalTolerance, OsiDualTolerance}) {
    onBoth([&](OsiSolverInterface& solver) {
      for (double const tolerance : {1e-12, 1e-11, 1e-7, 1e-2, 0.1}) {
        double value = 0.0;
        BOOST_TEST(solver.setDblParam(key, tolerance));
        BOOST_TEST(solver.getDblParam(key, value));
        BOOST_TEST(value == tolerance);
      }
      BOOST_TEST(!solver.setDblParam(key, 0.0));
      BOOST_TEST(!solver.setDblParam(key, -1.0));
    });
  }
}

// The tightest tolerances are kept, not only taken.
BOOST_AUTO_TEST_CASE(tight_tolerances_are_honoured) {
  for (char const* const name : {"afiro", "adlittle", "share2b", "p0033", "e226"}) {
    if (!fs::exists(sample + "/" + name + ".mps")) continue;
    std::vector<double> optima;
    onBoth([&](OsiSolverInterface& solver) {
      BOOST_REQUIRE(solver.readMps((sample + "/" + name).c_str()) == 0);
      solver.setDblParam(OsiPrimalTolerance, 1e-12);
      solver.setDblParam(OsiDualTolerance, 1e-12);
      solver.initialSolve();
      BOOST_TEST(solver.isProvenOptimal());
      optima.push_back(solver.getObjValue());
    });
    BOOST_TEST(close(optima[0], optima[1]));
  }
}

// Bounds are met or missed, not nearly met; zero is zero.
BOOST_AUTO_TEST_CASE(values_are_on_their_bounds) {
  for (char const* const name : {"p0033", "p0201", "e226", "brandy", "exmip1"}) {
    if (!fs::exists(sample + "/" + name + ".mps")) continue;
    BOOST_TEST_CONTEXT(name) {
      auto const solver = makeOsiCuda();
      BOOST_REQUIRE(solver->readMps((sample + "/" + name).c_str()) == 0);
      solver->initialSolve();
      BOOST_TEST(solver->isProvenOptimal());
      CoinPackedMatrix const& rows = *solver->getMatrixByRow();
      CoinPackedMatrix const& columns = *solver->getMatrixByCol();
      double const *x = solver->getColSolution(), *y = solver->getRowPrice();
      int nearly = 0;
      auto const judge = [&](double value, double bound, double terms) {
        nearly += value != bound && std::fabs(value - bound) <= 1e-12 * terms;
      };
      for (int j = 0; j < solver->getNumCols(); ++j) {
        for (double const bound : {solver->getColLower()[j], solver->getColUpper()[j], 0.0})
          judge(x[j], bound, 1.0);
        judge(solver->getReducedCost()[j], 0.0,
              largestTerm(columns, j, y, solver->getObjCoefficients()[j]));
      }
      for (int i = 0; i < solver->getNumRows(); ++i)
        for (double const bound : {solver->getRowLower()[i], solver->getRowUpper()[i], 0.0})
          judge(solver->getRowActivity()[i], bound, largestTerm(rows, i, x, 0.0));
      BOOST_TEST(nearly == 0);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
