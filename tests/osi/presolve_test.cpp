// SPDX-License-Identifier: EPL-2.0
// The hints that switch presolve on and off, and what the interface gives afterwards.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/osi/contract.hpp"

namespace {

/// Keeps the lines of a solve.
class Listener : public CoinMessageHandler {
 public:
  Listener() { setLogLevel(2); }
  int print() override {
    text += messageBuffer();
    text += '\n';
    return 0;
  }
  CoinMessageHandler* clone() const override { return new Listener(*this); }
  std::string text;
};

struct Fixture {
  OsiCudaSolverInterface solver;
  Listener listener;

  Fixture() {
    osi_cuda::testing::applyTestEngine(solver);
    std::string const file = std::string(OSI_CUDA_SAMPLE_FOLDER) + "/p0033";
    solver.messageHandler()->setLogLevel(0);
    BOOST_REQUIRE(solver.readMps(file.c_str(), "mps") == 0);
    solver.passInMessageHandler(&listener);
  }

  bool presolved() const { return listener.text.find("presolve: ") != std::string::npos; }
  void forget() { listener.text.clear(); }

  void checkOptimum() {
    BOOST_TEST(solver.isProvenOptimal());
    BOOST_TEST(std::fabs(solver.getObjValue() - 2520.571739130435) <= 1e-6);
    std::vector<int> basics(static_cast<std::size_t>(solver.getNumRows()));
    solver.getBasics(basics.data());
    std::vector<double> row(basics.size());
    solver.getBInvRow(0, row.data());
    for (int i = 0; i < solver.getNumRows(); ++i)
      BOOST_TEST(solver.getRowActivity()[i] <= solver.getRowUpper()[i] + 1e-6);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(presolve, Fixture)

BOOST_AUTO_TEST_CASE(initial_solves_by_hint) {
  solver.initialSolve();
  checkOptimum();
  BOOST_TEST(!presolved());  // small: not by itself
  forget();
  solver.setHintParam(OsiDoPresolveInInitial, true, OsiHintTry);
  solver.setWarmStart(nullptr);
  solver.initialSolve();
  checkOptimum();
  BOOST_TEST(presolved(), listener.text);
}

BOOST_AUTO_TEST_CASE(resolves_by_hint) {
  solver.setHintParam(OsiDoPresolveInInitial, true, OsiHintDo);
  solver.initialSolve();
  checkOptimum();
  BOOST_TEST(presolved());
  forget();
  solver.setColUpper(3, 0.0);
  solver.resolve();
  BOOST_TEST(solver.isProvenOptimal());
  BOOST_TEST(!presolved());
  double const wanted = solver.getObjValue();
  solver.setHintParam(OsiDoPresolveInResolve, true, OsiHintTry);
  solver.setColLower(4, 0.0);
  solver.setColUpper(3, 0.0);
  solver.resolve();
  BOOST_TEST(solver.isProvenOptimal());
  BOOST_TEST(std::fabs(solver.getObjValue() - wanted) <= 1e-7 * (1.0 + std::fabs(wanted)));
}

BOOST_AUTO_TEST_CASE(the_option_and_a_hint_against_it) {
  solver.setSolverOption("presolve", "on");
  solver.initialSolve();
  checkOptimum();
  BOOST_TEST(presolved());
  forget();
  solver.setHintParam(OsiDoPresolveInInitial, false, OsiHintTry);
  solver.setWarmStart(nullptr);
  solver.initialSolve();
  checkOptimum();
  BOOST_TEST(!presolved());
}

BOOST_AUTO_TEST_SUITE_END()
