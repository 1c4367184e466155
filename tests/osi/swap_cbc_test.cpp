// SPDX-License-Identifier: EPL-2.0
// What programs written for OsiClp rely on under branch and bound, through Cbc and without it.
#include <cstdlib>
#include "osi/OsiCudaSolverInterface.hpp"

#include "CbcHeuristicFPump.hpp"
#include "CbcModel.hpp"
#include "CglGomory.hpp"
#include "CglKnapsackCover.hpp"
#include "CglMixedIntegerRounding2.hpp"
#include "CglProbing.hpp"
#include "tests/osi/swap.hpp"

using namespace osi_cuda::testing;

BOOST_AUTO_TEST_SUITE(swapped)

// OsiClp's own search is a plain one.
BOOST_AUTO_TEST_CASE(branch_and_bound_finds_integers) {
  std::vector<double> optima;
  onBoth([&](OsiSolverInterface& solver) {
    BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
    double const upper = solver.getColUpper()[0];
    solver.initialSolve();
    solver.branchAndBound();
    BOOST_TEST(solver.isProvenOptimal());
    BOOST_TEST(close(solver.getObjValue(), 3089.0));
    for (int j = 0; j < solver.getNumCols(); ++j)
      BOOST_TEST(close(solver.getColSolution()[j], std::round(solver.getColSolution()[j]), 1e-6));
    if (dynamic_cast<OsiCudaSolverInterface*>(&solver))
      BOOST_TEST(solver.getColUpper()[0] == upper);
  });
  auto const infeasible = makeOsiCuda();
  addTwoColumns(*infeasible);
  infeasible->setInteger(0);
  int const first = 0;
  double const two = 2.0;
  infeasible->addRow(1, &first, &two, 1.0, 1.0);  // 2 x = 1
  infeasible->initialSolve();
  BOOST_TEST(infeasible->isProvenOptimal());
  infeasible->branchAndBound();
  BOOST_TEST(infeasible->isProvenPrimalInfeasible());
  BOOST_TEST(!infeasible->isProvenOptimal());
}

// A clone of a solved problem knows its optimum, and notices every kind of change.
BOOST_AUTO_TEST_CASE(clones_know_the_optimum) {
  onBoth([](OsiSolverInterface& solver) {
    addTwoColumns(solver);
    int const both[] = {0, 1};
    double const ones[] = {1.0, 1.0}, other[] = {2.0, 1.0}, up[] = {2.0, 9.0}, down[] = {1.0, 0.0};
    solver.addRow(2, both, ones, 3.0, 5.0);
    solver.initialSolve();
    auto const optimumOfClone = [&](auto change) {
      std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
      copy->resolve();
      BOOST_TEST(copy->getIterationCount() == 0);
      change(*copy);
      copy->resolve();
      BOOST_TEST(copy->isProvenOptimal());
      return copy->getObjValue();
    };
    using Osi = OsiSolverInterface;
    BOOST_TEST(close(optimumOfClone([](Osi&) {}), 3.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setColUpper(0, 2.0); }), 4.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.setColUpper(up); }), 4.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setColLower(1, 1.0); }), 4.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setColBounds(0, 0.0, 1.0); }), 5.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setRowLower(0, 4.0); }), 4.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setRowBounds(0, 1.0, 1.0); }), 1.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setRowType(0, 'G', 2.0, 0.0); }), 2.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setObjCoeff(0, 3.0); }), 6.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.setObjective(other); }), 3.0));
    BOOST_TEST(close(optimumOfClone([](Osi& s) { s.setObjSense(-1.0); }), 10.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.setColSolution(down); }), 3.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.addRow(2, both, other, 7.0, 9.0); }), 3.5));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.addCol(1, both, ones, 0.0, 2.0, 0.5); }), 2.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.deleteRows(1, both); }), 0.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) { s.deleteCols(1, both); }), 6.0));
    BOOST_TEST(close(optimumOfClone([&](Osi& s) {
                       std::unique_ptr<CoinWarmStart> const none(s.getEmptyWarmStart());
                       s.setWarmStart(none.get());
                     }),
                     3.0));
    std::unique_ptr<OsiSolverInterface> const copy(solver.clone());
    copy->setColSolution(down);
    copy->resolve();
    BOOST_TEST(close(copy->getColSolution()[0], 3.0));  // not what was set
  });
}

// The program of docs/guide/osi.md that stands for CbcMain0 and CbcMain1.
BOOST_AUTO_TEST_CASE(a_cbc_model_replaces_cbc_main) {
  onBoth([](OsiSolverInterface& solver) {
    BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
    CbcModel model(solver);
    model.setLogLevel(0);
    model.setMaximumSeconds(60.0);
    model.setAllowableFractionGap(0.0001);
    CglProbing probing;
    CglGomory gomory;
    CglKnapsackCover knapsack;
    CglMixedIntegerRounding2 rounding;
    model.addCutGenerator(&probing, -1, "Probing");
    model.addCutGenerator(&gomory, -1, "Gomory");
    model.addCutGenerator(&knapsack, -1, "Knapsack");
    model.addCutGenerator(&rounding, -1, "MixedIntegerRounding2");
    CbcHeuristicFPump pump(model);
    model.addHeuristic(&pump);
    model.initialSolve();
    model.branchAndBound();
    BOOST_TEST(model.isProvenOptimal());
    BOOST_TEST(close(model.getObjValue(), 3089.0, 1e-3));
  });
}

BOOST_AUTO_TEST_CASE(branch_and_bound_without_its_module_is_one_error) {
  Folder const folder;
  ::setenv("OSI_CUDA_CBC_PATH", folder.path.c_str(), 1);
  auto const solver = makeOsiCuda();
  addTwoColumns(*solver);
  solver->branchAndBound();  // without integers it is a solve
  BOOST_TEST(solver->isProvenOptimal());
  solver->setInteger(0);
  solver->branchAndBound();  // and with them the own search
  BOOST_TEST(solver->isProvenOptimal());
  dynamic_cast<OsiCudaSolverInterface&>(*solver).setSolverOption("search", "cbc");
  std::string message;
  try {
    solver->branchAndBound();
  } catch (CoinError const& error) {
    message = error.message();
  }
  ::unsetenv("OSI_CUDA_CBC_PATH");
  BOOST_TEST(message.find("no file OsiCudaCbc.so was found") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
