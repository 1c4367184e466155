// SPDX-License-Identifier: EPL-2.0
// Hot starts on each representation of the basis: what comes after the mark is forgotten.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "OsiClpSolverInterface.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

namespace {

struct Outcome {
  bool optimal = false;
  int iterations = 0;
  double objective = 0.0;
  std::vector<double> values;
  bool operator==(Outcome const&) const = default;
};

Outcome hotSolve(OsiSolverInterface& solver, int column, double upper) {
  double const before = solver.getColUpper()[column];
  solver.setColUpper(column, upper);
  solver.solveFromHotStart();
  Outcome outcome;
  outcome.optimal = solver.isProvenOptimal();
  outcome.iterations = solver.getIterationCount();
  outcome.objective = solver.getObjValue();
  outcome.values.assign(solver.getColSolution(), solver.getColSolution() + solver.getNumCols());
  solver.setColUpper(column, before);
  return outcome;
}

std::vector<int> fractionalColumns(OsiSolverInterface const& solver) {
  std::vector<int> columns;
  for (int j = 0; j < solver.getNumCols(); ++j) {
    double const x = solver.getColSolution()[j];
    if (solver.isInteger(j) && std::fabs(x - std::round(x)) > 1e-5) columns.push_back(j);
  }
  return columns;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(osi_hot_starts)

BOOST_DATA_TEST_CASE(hot_starts_forget_what_came_after_the_mark,
                     boost::unit_test::data::make({"factors", "tableau"}), representation) {
  for (std::string const name : {"p0033", "p0201", "p0548"}) {
    OsiCudaSolverInterface solver;
    OsiClpSolverInterface clp;
    for (OsiSolverInterface* each :
         {static_cast<OsiSolverInterface*>(&solver), static_cast<OsiSolverInterface*>(&clp)}) {
      each->messageHandler()->setLogLevel(0);
      each->readMps((std::string(OSI_CUDA_SAMPLE_FOLDER) + "/" + name).c_str(), "mps");
      each->setIntParam(OsiMaxNumIterationHotStart, 10000);
    }
    solver.setSolverOption("engine", "host");
    solver.setSolverOption("representation", representation);
    solver.initialSolve();
    clp.initialSolve();
    std::vector<int> const columns = fractionalColumns(solver);
    BOOST_TEST_REQUIRE(columns.size() >= 3);
    solver.markHotStart();
    std::vector<Outcome> first;
    for (int const j : columns) first.push_back(hotSolve(solver, j, 0.0));
    for (std::size_t k = columns.size(); k-- > 0;) {  // in another order
      Outcome const again = hotSolve(solver, columns[k], 0.0);
      BOOST_TEST((again.optimal == first[k].optimal), name << " column " << columns[k]);
      if (std::string(representation) == "factors")  // without a trace, to the bit
        BOOST_TEST((again == first[k]), name << " column " << columns[k]);
      double const before = clp.getColUpper()[columns[k]];
      clp.setColUpper(columns[k], 0.0);
      clp.resolve();
      BOOST_TEST(clp.isProvenOptimal() == again.optimal);
      if (again.optimal)
        BOOST_TEST(std::fabs(clp.getObjValue() - again.objective) <=
                   1e-7 * std::fabs(again.objective));
      clp.setColUpper(columns[k], before);
    }
    solver.unmarkHotStart();
    // A row makes what was kept worthless.
    solver.markHotStart();
    int const column = columns.front();
    double const one = 1.0;
    solver.addRow(1, &column, &one, 0.0, 0.0);
    clp.addRow(1, &column, &one, 0.0, 0.0);
    solver.resolve();
    clp.resolve();
    BOOST_TEST(solver.isProvenOptimal() == clp.isProvenOptimal());
    if (clp.isProvenOptimal())
      BOOST_TEST(std::fabs(clp.getObjValue() - solver.getObjValue()) <=
                 1e-7 * std::fabs(clp.getObjValue()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
