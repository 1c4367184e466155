// SPDX-License-Identifier: EPL-2.0
// Cbc on OsiCuda: one pass of what osi_mip_report repeats, cuts checked against the known optimum,
// strong branching through hot starts.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <thread>

#include "CglGMI.hpp"
#include "CglGomory.hpp"
#include "CglRedSplit2.hpp"
#include "CglTwomir.hpp"
#include "OsiBranchingObject.hpp"
#include "OsiChooseVariable.hpp"
#include "OsiCuts.hpp"
#include "OsiRowCut.hpp"
#include "lab/osi/mip_runs.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/osi/contract.hpp"

using namespace osi_cuda::testing;

namespace {

void load(OsiCudaSolverInterface& solver, std::string const& name, double sense = 1.0) {
  applyTestEngine(solver);
  solver.messageHandler()->setLogLevel(0);
  BOOST_REQUIRE(solver.readMps((std::string(OSI_CUDA_SAMPLE_FOLDER) + "/" + name).c_str(), "mps") ==
                0);
  solver.setObjSense(sense);
}

void expectOptimum(std::string const& name, double sense, double optimum, Mix mix,
                   int threads = 0) {
  if (name == "lseu") mix.cuts &= ~static_cast<unsigned>(knapsack);  // Cgl's own fault there
  Counting<OsiCudaSolverInterface> solver;
  load(solver, name, sense);
  MipRun const run = branchAndCut(solver, mix, threads);
  BOOST_TEST(run.proved, name << ", " << mix.name);
  BOOST_TEST(std::fabs(run.objective - optimum) < 1e-6 * std::fabs(optimum),
             name << ", " << mix.name << ": " << run.objective);
  BOOST_TEST(solver.count().abandoned == 0);
}

/// The best solution of p0033 or p0201, for cuts to be checked against.
std::vector<double> bestSolution(std::string const& name) {
  OsiCudaSolverInterface solver;
  load(solver, name);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  model.branchAndBound();
  BOOST_REQUIRE(model.bestSolution());
  return {model.bestSolution(), model.bestSolution() + model.getNumCols()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mip)

BOOST_DATA_TEST_CASE(every_mix_finds_the_optimum_of_p0033,
                     boost::unit_test::data::xrange(mixes().size()), k) {
  expectOptimum("p0033", 1.0, 3089.0, mixes()[k]);
  expectOptimum("p0033", -1.0, 5201.0, mixes()[k]);
}

BOOST_AUTO_TEST_CASE(larger_ones_are_solved_too) {
  expectOptimum("p0201", 1.0, 7615.0, mixes()[4]);
  expectOptimum("p0201", -1.0, 15300.0, mixes()[6]);
  expectOptimum("p0548", 1.0, 8691.0, mixes()[7]);
  expectOptimum("lseu", 1.0, 1120.0, mixes()[6]);
}

BOOST_AUTO_TEST_CASE(threads_share_nothing) {
  if (!CbcModel::haveMultiThreadSupport()) {  // it would abort
    BOOST_TEST_MESSAGE("this Cbc has no threads");
    return;
  }
  expectOptimum("p0033", 1.0, 3089.0, mixes()[1], 4);
  expectOptimum("lseu", 1.0, 1120.0, mixes()[5], 4);
}

BOOST_AUTO_TEST_CASE(runs_repeat) {
  int nodes[2];
  for (int& count : nodes) {
    Counting<OsiCudaSolverInterface> solver;
    load(solver, "lseu");
    count = branchAndCut(solver, mixes()[5]).nodes;
  }
  BOOST_TEST(nodes[0] == nodes[1]);
}

// Rounds of cuts from the tableau: none may cut off the best solution, and bounds only improve.
BOOST_AUTO_TEST_CASE(tableau_cuts_leave_the_best_solution) {
  for (std::string const name : {"p0033", "p0201"}) {
    std::vector<double> const best = bestSolution(name);
    CglGMI gmi;
    CglRedSplit2 redSplit2Cuts;
    CglTwomir twomir;
    CglGomory gomoryCuts;
    gomoryCuts.setLimit(200);
    for (CglCutGenerator* generator :
         std::initializer_list<CglCutGenerator*>{&gmi, &redSplit2Cuts, &twomir, &gomoryCuts}) {
      OsiCudaSolverInterface solver;
      load(solver, name);
      solver.initialSolve();
      int found = 0;
      for (int round = 0; round < 3; ++round) {
        double const before = solver.getObjValue();
        OsiCuts cuts;
        generator->generateCuts(solver, cuts);
        for (int k = 0; k < cuts.sizeRowCuts(); ++k) {
          OsiRowCut const& cut = cuts.rowCut(k);
          BOOST_TEST(cut.violated(best.data()) < 1e-6, name << ", cut " << k);
          ++found;
        }
        auto const outcome = solver.applyCuts(cuts);
        BOOST_TEST(outcome.getNumInconsistent() == 0);
        solver.resolve();
        BOOST_TEST(solver.isProvenOptimal());
        BOOST_TEST(solver.getObjValue() >= before - 1e-7 * std::fabs(before));
      }
      BOOST_TEST(found > 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(osi_chooses_by_strong_branching) {
  OsiCudaSolverInterface solver;
  load(solver, "p0033");
  solver.initialSolve();
  solver.findIntegers(false);
  OsiBranchingInformation information(&solver, true);
  OsiChooseStrong choose(&solver);
  choose.setNumberStrong(8);
  int const candidates = choose.setupList(&information, true);
  BOOST_TEST(candidates > 0);
  int const outcome = choose.chooseVariable(&solver, &information, false);
  BOOST_TEST(outcome >= -1);
  BOOST_TEST(choose.bestObjectIndex() >= 0);
  BOOST_TEST(choose.upChange() + choose.downChange() > 0.0);
}

// Eight clones on eight threads, each branching its own way.
BOOST_AUTO_TEST_CASE(clones_solve_on_threads_of_their_own) {
  OsiCudaSolverInterface root;
  load(root, "p0201");
  root.initialSolve();
  auto const valueOf = [](OsiSolverInterface const& solver) {
    return solver.isProvenOptimal() ? solver.getObjValue() : -1.0;
  };
  // What the last bounds of a dive come to, and what the host makes of them.
  using Values = std::pair<double, double>;
  auto const dive = [&](int start) {
    OsiCudaSolverInterface solver(root);
    for (int k = 0; k < 25 && solver.isProvenOptimal(); ++k) {
      int const j = (start * 23 + k * 7) % solver.getNumCols();
      double const x = solver.getColSolution()[j];
      solver.setColBounds(j, std::round(x), std::round(x));
      solver.resolve();
    }
    OsiCudaSolverInterface host(solver);
    host.setSolverOption("engine", "host");
    host.initialSolve();
    return Values(valueOf(solver), valueOf(host));
  };
  std::vector<Values> alone, found(8);
  for (int t = 0; t < 8; ++t) alone.push_back(dive(t));
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] { found[static_cast<std::size_t>(t)] = dive(t); });
  for (auto& thread : threads) thread.join();
  // Of several optimal vertices copies that share a device may find any.
  bool const alike = root.getEngineName() != "cuda";
  for (std::size_t t = 0; t < 8; ++t) {
    BOOST_TEST(found[t].first == found[t].second, boost::test_tools::tolerance(1e-9));
    if (alike) BOOST_TEST(found[t].first == alone[t].first);
  }
}

BOOST_AUTO_TEST_SUITE_END()
