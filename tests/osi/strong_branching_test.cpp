// SPDX-License-Identifier: EPL-2.0
// Strong branching beside hot starts, one bound at a time, and beside Clp.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "OsiClpSolverInterface.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

namespace {

using End = OsiCudaSolverInterface::BranchEnd;

std::vector<int> fractionalColumns(OsiSolverInterface const& solver) {
  std::vector<int> columns;
  for (int j = 0; j < solver.getNumCols(); ++j) {
    double const x = solver.getColSolution()[j];
    if (solver.isInteger(j) && std::fabs(x - std::round(x)) > 1e-5) columns.push_back(j);
  }
  return columns;
}

void readSample(OsiSolverInterface& solver, std::string const& name) {
  solver.messageHandler()->setLogLevel(0);
  solver.readMps((std::string(OSI_CUDA_SAMPLE_FOLDER) + "/" + name).c_str(), "mps");
  solver.initialSolve();
}

/// The side says what Clp finds with that bound, and its basis is where it says.
void compareWithClp(OsiClpSolverInterface& clp, OsiCudaSolverInterface const& solver, int column,
                    bool up, double bound, OsiCudaSolverInterface::BranchSide const& side) {
  double const lower = clp.getColLower()[column], upper = clp.getColUpper()[column];
  double const before = solver.getObjValue();
  if (up)
    clp.setColLower(column, bound);
  else
    clp.setColUpper(column, bound);
  clp.resolve();
  BOOST_TEST((side.end == (clp.isProvenOptimal() ? End::optimal : End::infeasible)));
  if (clp.isProvenOptimal()) {
    double const worse = clp.getObjSense() * (clp.getObjValue() - before);
    BOOST_TEST(std::fabs(side.degradation - worse) <= 1e-7 * (1.0 + std::fabs(before)));
    BOOST_REQUIRE(side.basis);
    OsiCudaSolverInterface there(solver);
    if (up)
      there.setColLower(column, bound);
    else
      there.setColUpper(column, bound);
    there.setWarmStart(side.basis.get());
    there.resolve();
    BOOST_TEST(there.isProvenOptimal());
    BOOST_TEST(there.getIterationCount() == 0);
  } else {
    BOOST_TEST(side.degradation == COIN_DBL_MAX);
    BOOST_TEST(!side.basis);
  }
  clp.setColBounds(column, lower, upper);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(strong_branching)

BOOST_AUTO_TEST_CASE(branches_are_those_of_a_solve_each) {
  for (std::string const name : {"p0033", "p0201", "p0548"}) {
    OsiCudaSolverInterface solver;
    OsiClpSolverInterface clp;
    solver.setSolverOption("engine", "host");
    readSample(solver, name);
    readSample(clp, name);
    std::vector<int> const columns = fractionalColumns(solver);
    BOOST_TEST_REQUIRE(columns.size() >= 3);
    std::vector<double> const x(solver.getColSolution(),
                                solver.getColSolution() + solver.getNumCols());
    auto const branches = solver.strongBranch(columns, 0);
    BOOST_TEST_REQUIRE(branches.size() == columns.size());
    for (std::size_t k = 0; k < branches.size(); ++k) {
      auto const& branch = branches[k];
      BOOST_TEST_CONTEXT(name << " column " << branch.column) {
        BOOST_TEST(branch.column == columns[k]);
        compareWithClp(clp, solver, branch.column, false, std::floor(branch.value), branch.down);
        compareWithClp(clp, solver, branch.column, true, std::ceil(branch.value), branch.up);
      }
    }
    // The present solution is where it was.
    BOOST_TEST(std::equal(x.begin(), x.end(), solver.getColSolution()));
    BOOST_TEST(solver.isProvenOptimal());
  }
}

BOOST_AUTO_TEST_CASE(a_limit_of_pivots_leaves_a_bound) {
  OsiCudaSolverInterface solver;
  solver.setSolverOption("engine", "host");
  readSample(solver, "p0201");
  std::vector<int> const columns = fractionalColumns(solver);
  auto const whole = solver.strongBranch(columns, 0), limited = solver.strongBranch(columns, 1);
  int stopped = 0;
  for (std::size_t k = 0; k < whole.size(); ++k)
    for (auto const side :
         {&OsiCudaSolverInterface::Branch::down, &OsiCudaSolverInterface::Branch::up}) {
      auto const &all = whole[k].*side, &some = limited[k].*side;
      if (some.end != End::stopped) continue;
      ++stopped;
      BOOST_TEST(some.iterations == 1);
      BOOST_TEST(some.basis != nullptr);
      BOOST_TEST(some.degradation <= all.degradation + 1e-7 * std::fabs(solver.getObjValue()));
    }
  BOOST_TEST(stopped > 0);
}

BOOST_AUTO_TEST_CASE(there_has_to_be_an_optimum_and_a_column) {
  OsiCudaSolverInterface solver;
  solver.setSolverOption("engine", "host");
  BOOST_CHECK_THROW(solver.strongBranch({}, 5), CoinError);
  readSample(solver, "p0033");
  BOOST_TEST(solver.strongBranch({}, 5).empty());
  BOOST_CHECK_THROW(solver.strongBranch({33}, 5), CoinError);
}

BOOST_AUTO_TEST_SUITE_END()
