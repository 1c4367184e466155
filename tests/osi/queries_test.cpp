// SPDX-License-Identifier: EPL-2.0
// What is answered between two solves, beside OsiClp's answers to the same.
#include <boost/test/unit_test.hpp>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <sstream>

#include "CbcModel.hpp"
#include "tests/osi/swap.hpp"
#include "tests/osi/twin_edits.hpp"

using namespace osi_cuda::testing;

namespace {

/// max 3x + 2y with x + y <= 4, x + 3y <= 6, x <= 3; solved unless told otherwise.
std::unique_ptr<OsiSolverInterface> small(bool ours) {
  return smallProblem(ours ? OsiFactory(makeOsiCuda) : OsiFactory(makeOsiClp));
}

void makeInfeasible(OsiSolverInterface& solver) {
  solver.setRowLower(0, 3.0);
  solver.setColUpper(0, 0.0);
  solver.setColUpper(1, 1.0);
}

/// Counts who asks for a matrix to change.
class Counted final : public OsiCudaSolverInterface {
 public:
  explicit Counted(int& asked) : asked_(&asked) { messageHandler()->setLogLevel(0); }
  OsiSolverInterface* clone(bool = true) const override { return new Counted(*this); }
  CoinPackedMatrix* getMutableMatrixByCol() const override {
    ++*asked_;
    return OsiCudaSolverInterface::getMutableMatrixByCol();
  }

 private:
  int* asked_;
};

using Change = std::function<void(OsiSolverInterface&)>;

/// Every kind of change of the small problem, by the method that makes it.
std::vector<std::pair<char const*, Change>> changes() {
  CoinPackedVector vector;
  vector.insert(0, 1.0);
  auto const first = 0;
  return {
      {"setObjCoeff", [](auto& s) { s.setObjCoeff(0, 2.5); }},
      {"setObjective",
       [](auto& s) {
         double const costs[] = {1.0, 5.0};
         s.setObjective(costs);
       }},
      {"setObjSense", [](auto& s) { s.setObjSense(-s.getObjSense()); }},
      {"offset", [](auto& s) { s.setDblParam(OsiObjOffset, 7.0); }},
      {"setColLower", [](auto& s) { s.setColLower(1, 0.5); }},
      {"setColUpper", [](auto& s) { s.setColUpper(0, 2.0); }},
      {"setColBounds", [](auto& s) { s.setColBounds(0, 0.0, 1.0); }},
      {"setRowLower", [](auto& s) { s.setRowLower(1, 1.0); }},
      {"setRowUpper", [](auto& s) { s.setRowUpper(1, 5.0); }},
      {"setRowBounds", [](auto& s) { s.setRowBounds(0, 0.0, 3.0); }},
      {"setRowType", [](auto& s) { s.setRowType(0, 'L', 2.0, 0.0); }},
      {"addRow", [vector](auto& s) { s.addRow(vector, 0.0, 1.0); }},
      {"addCol", [vector](auto& s) { s.addCol(vector, 0.0, 1.0, 9.0); }},
      {"deleteRows", [first](auto& s) { s.deleteRows(1, &first); }},
      {"deleteCols", [first](auto& s) { s.deleteCols(1, &first); }},
      {"applyRowCuts",
       [vector](auto& s) {
         OsiRowCut cut;
         cut.setRow(vector);
         cut.setUb(1.0);
         s.applyRowCuts(1, &cut);
       }},
      {"replaceMatrix",
       [](auto& s) {
         CoinPackedMatrix matrix(*s.getMatrixByCol());
         matrix.modifyCoefficient(0, 0, 2.0);
         s.replaceMatrix(matrix);
       }},
      {"getMutableMatrixByCol",
       [](auto& s) { s.getMutableMatrixByCol()->modifyCoefficient(0, 0, 2.0); }},
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(queries)

/// OSI_CUDA_TWINS="FIRST COUNT STEPS": others than the test's own.
BOOST_AUTO_TEST_CASE(answers_are_those_of_osi_clp_after_any_edits) {
  int first = 1, count = 300, steps = 25, compared = 0;
  if (char const* const text = std::getenv("OSI_CUDA_TWINS"))
    std::istringstream(text) >> first >> count >> steps;
  for (int seed = first; seed < first + count; ++seed) {
    Twins twins(static_cast<unsigned>(seed));
    std::string history;
    for (int k = 0; k < steps; ++k) {
      twins.step(seed % 4 > 0);
      history += twins.last() + ", ";
      auto const theirs = answersOf(twins.clp()), ours = answersOf(twins.own());
      for (auto const& [query, answer] : theirs)
        BOOST_TEST((same(answer, ours.at(query)) || twins.mayDiffer(query)),
                   query << " differs, seed " << seed << " after " << history);
      ++compared;
    }
  }
  BOOST_TEST(compared == count * steps);
}

BOOST_AUTO_TEST_CASE(no_proof_outlives_the_problem) {
  for (auto const& [name, change] : changes()) {
    BOOST_TEST_CONTEXT(name) {
      auto const solver = small(true);
      auto& own = dynamic_cast<OsiCudaSolverInterface&>(*solver);
      own.setColUpper(1, 100.0);  // rounding of a reduced cost needs a bound
      own.initialSolve();
      BOOST_TEST(own.getObjectiveEnclosure().error < 1.0);
      change(own);
      BOOST_TEST(own.getObjectiveEnclosure().lower == -COIN_DBL_MAX);
      BOOST_TEST(own.getObjectiveEnclosure().upper == COIN_DBL_MAX);
      own.initialSolve();
      if (own.isProvenOptimal()) {
        BOOST_TEST(own.getObjectiveEnclosure().lower <= own.getObjValue() + 1e-9);
        BOOST_TEST(own.getObjectiveEnclosure().upper >= own.getObjValue() - 1e-9);
      }

      auto const infeasible = small(true);
      makeInfeasible(*infeasible);
      infeasible->initialSolve();
      BOOST_TEST(faultOf(*infeasible) == "");
      BOOST_TEST(infeasible->isProvenPrimalInfeasible());
      change(*infeasible);
      for (double* const ray : infeasible->getDualRays(1)) {
        BOOST_TEST(exact::provesInfeasible(*infeasible, {ray, ray + infeasible->getNumRows()}));
        delete[] ray;
      }

      auto const unbounded = small(true);
      double const none[] = {COIN_DBL_MAX, COIN_DBL_MAX};
      unbounded->setColUpper(none);
      unbounded->setRowUpper(0, COIN_DBL_MAX);
      unbounded->setRowUpper(1, COIN_DBL_MAX);
      unbounded->initialSolve();
      BOOST_TEST(unbounded->isProvenDualInfeasible());
      BOOST_TEST(faultOf(*unbounded) == "");
      change(*unbounded);
      for (double* const ray : unbounded->getPrimalRays(1)) {
        BOOST_TEST((std::string(name) == "offset"));
        delete[] ray;
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_value_that_stays_changes_nothing) {
  auto const solver = small(true);
  auto& own = dynamic_cast<OsiCudaSolverInterface&>(*solver);
  own.initialSolve();
  own.setObjCoeff(0, own.getObjCoefficients()[0]);
  own.setObjSense(own.getObjSense());
  own.setColUpper(0, own.getColUpper()[0]);
  own.setDblParam(OsiObjOffset, 0.0);
  BOOST_TEST(own.getObjectiveEnclosure().error < 1.0);
}

BOOST_AUTO_TEST_CASE(an_edit_leaves_the_count_of_iterations) {
  for (bool const ours : {false, true}) {
    for (auto const& [name, change] : changes()) {
      BOOST_TEST_CONTEXT(name << (ours ? ", OsiCuda" : ", OsiClp")) {
        auto const solver = small(ours);
        solver->initialSolve();
        int const count = solver->getIterationCount();
        BOOST_TEST(count > 0);
        change(*solver);
        BOOST_TEST(solver->getIterationCount() == count);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_can_be_changed_in_place) {
  for (bool const ours : {false, true}) {
    BOOST_TEST_CONTEXT((ours ? "OsiCuda" : "OsiClp")) {
      auto const solver = small(ours);
      solver->initialSolve();
      BOOST_TEST(close(solver->getObjValue(), 11.0));
      CoinPackedMatrix* const matrix = solver->getMutableMatrixByCol();
      BOOST_REQUIRE(matrix);
      BOOST_TEST(matrix == solver->getMatrixByCol());
      matrix->modifyCoefficient(0, 0, 2.0);  // 2x + y <= 4
      solver->resolve();
      BOOST_TEST(solver->isProvenOptimal());
      BOOST_TEST(close(solver->getObjValue(), 6.8));  // at (1.2, 1.6)
    }
  }
  auto const solver = small(true);
  solver->getMutableMatrixByCol()->modifyCoefficient(0, 0, std::nan(""));
  BOOST_CHECK_THROW(solver->initialSolve(), CoinError);
}

// It is read anew then: no search may do so at its nodes.
BOOST_AUTO_TEST_CASE(a_search_does_not_ask_for_the_matrix) {
  int asked = 0;
  Counted solver(asked);
  BOOST_REQUIRE(solver.readMps((sample + "/p0033").c_str()) == 0);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.branchAndBound();
  BOOST_TEST(close(model.getObjValue(), 3089.0));
  BOOST_TEST(asked == 0);
}

BOOST_AUTO_TEST_CASE(parameters_begin_as_osi_clps) {
  onBoth([](OsiSolverInterface& solver) {
    int number = 0;
    BOOST_TEST(solver.getIntParam(OsiMaxNumIteration, number));
    BOOST_TEST(number == INT_MAX);
    BOOST_TEST(solver.getIntParam(OsiMaxNumIterationHotStart, number));
    BOOST_TEST(number == 9999999);
    double value = 0.0;
    BOOST_TEST(solver.getDblParam(OsiPrimalObjectiveLimit, value));
    BOOST_TEST(value == COIN_DBL_MAX);
    // A limit turns with the sense.
    solver.setDblParam(OsiDualObjectiveLimit, -50.0);
    solver.setObjSense(-1.0);
    BOOST_TEST(solver.getDblParam(OsiDualObjectiveLimit, value));
    BOOST_TEST(value == 50.0);
    solver.setObjSense(1.0);
    BOOST_TEST(solver.getDblParam(OsiDualObjectiveLimit, value));
    BOOST_TEST(value == -50.0);
  });
}

BOOST_AUTO_TEST_CASE(there_are_no_keys_beyond_the_last) {
  OsiCudaSolverInterface solver;
  for (int const beyond : {0, 1, 2, 3}) {
    int number = 0;
    double value = 0.0;
    std::string text;
    bool yes = false;
    OsiHintStrength strength = OsiHintIgnore;
    void* information = nullptr;
    auto const hint = static_cast<OsiHintParam>(OsiLastHintParam + beyond);
    BOOST_TEST(!solver.getIntParam(static_cast<OsiIntParam>(OsiLastIntParam + beyond), number));
    BOOST_TEST(!solver.getDblParam(static_cast<OsiDblParam>(OsiLastDblParam + beyond), value));
    BOOST_TEST(!solver.getStrParam(static_cast<OsiStrParam>(OsiLastStrParam + beyond), text));
    BOOST_TEST(!solver.getHintParam(hint, yes));
    BOOST_TEST(!solver.getHintParam(hint, yes, strength));
    BOOST_TEST(!solver.getHintParam(hint, yes, strength, information));
    BOOST_TEST(!solver.setHintParam(hint, true, OsiForceDo));
  }
}

BOOST_AUTO_TEST_CASE(the_dual_objective_of_an_infeasible_problem_passes_every_limit) {
  for (bool const ours : {false, true})
    for (double const limit : {COIN_DBL_MAX, -1000.0, 1000.0})
      BOOST_TEST_CONTEXT((ours ? "OsiCuda" : "OsiClp") << ", limit " << limit) {
        auto const solver = small(ours);
        makeInfeasible(*solver);
        solver->initialSolve();
        BOOST_TEST(solver->isProvenPrimalInfeasible());
        solver->setDblParam(OsiDualObjectiveLimit, limit);
        BOOST_TEST(solver->isDualObjectiveLimitReached());
      }
}

// As docs/reference/osi_contract.md has it, each beside what OsiClp says.
BOOST_AUTO_TEST_CASE(what_differs_from_osi_clp_on_purpose) {
  auto const theirs = small(false), ours = small(true);
  BOOST_TEST(theirs->isAbandoned());
  BOOST_TEST(!ours->isAbandoned());
  for (auto* const each : {theirs.get(), ours.get()}) {
    each->initialSolve();
    each->setObjCoeff(0, 1.0);  // at (3, 1)
  }
  BOOST_TEST(close(theirs->getObjValue(), 11.0));
  BOOST_TEST(close(ours->getObjValue(), 5.0));
  BOOST_TEST(!theirs->basisIsAvailable());
  BOOST_TEST(ours->basisIsAvailable());
  auto const columnsOf = [](OsiSolverInterface const& solver) {
    std::unique_ptr<CoinWarmStart> const start(solver.getWarmStart());
    return dynamic_cast<CoinWarmStartBasis const&>(*start).getNumStructural();
  };
  CoinWarmStartBasis tooLong;
  tooLong.setSize(7, 7);
  for (int k = 0; k < 7; ++k) tooLong.setArtifStatus(k, CoinWarmStartBasis::basic);
  for (auto* const each : {theirs.get(), ours.get()}) BOOST_TEST(each->setWarmStart(&tooLong));
  BOOST_TEST(columnsOf(*theirs) == 7);
  BOOST_TEST(columnsOf(*ours) == 2);
  ours->resolve();
  BOOST_TEST(close(ours->getObjValue(), 5.0));
}

// Callbacks may throw what COIN-OR's code throws.
BOOST_AUTO_TEST_CASE(a_text_that_is_thrown_is_a_coin_error) {
  auto const solver = small(true);
  dynamic_cast<OsiCudaSolverInterface&>(*solver).setInterrupt([]() -> bool { throw "a text"; });
  BOOST_CHECK_EXCEPTION(solver->initialSolve(), CoinError,
                        [](CoinError const& error) { return error.message() == "a text"; });
}

BOOST_AUTO_TEST_SUITE_END()
