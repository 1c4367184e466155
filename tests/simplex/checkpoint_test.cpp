// SPDX-License-Identifier: EPL-2.0
// Callbacks::checkpoint: what is saved, when, and that a solve goes on from it.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"

namespace osi_cuda {
namespace {

using enum VariableStatus;

Options hostOptions(AlgorithmChoice algorithm) {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.blockSize = 4;  // short launches, so that there are many
  options.algorithm = algorithm;
  return options;
}

/// Every basis that a solve offers to save.
std::vector<Checkpoint> checkpointsOf(LinearProgram const& lp, Options const& options,
                                      Solution* solution = nullptr) {
  std::vector<Checkpoint> saved;
  Callbacks callbacks;
  callbacks.checkpointDue = [] { return true; };
  callbacks.checkpoint = [&](Checkpoint const& checkpoint) { saved.push_back(checkpoint); };
  Solver solver(lp);
  Solution const found = solver.solve(options, callbacks);
  if (solution) *solution = found;
  return saved;
}

bool restsWhereItCan(VariableStatus status, double lower, double upper) {
  switch (status) {
    case atLower:
      return std::isfinite(lower);
    case atUpper:
      return std::isfinite(upper);
    case free:
      return !std::isfinite(lower) && !std::isfinite(upper);
    case basic:
      break;
  }
  return true;
}

BOOST_AUTO_TEST_SUITE(checkpoint)

// Bounds that were perturbed, relaxed or taken away for a while are no part of what is saved.
BOOST_AUTO_TEST_CASE(everyBasisIsOneOfTheProblemItself) {
  LinearProgram const lp = testing::sparseLp(60, 90, 4, 3);
  for (auto const algorithm : {AlgorithmChoice::primal, AlgorithmChoice::dual}) {
    Options options = hostOptions(algorithm);
    options.perturbation = Toggle::on;
    std::vector<Checkpoint> const saved = checkpointsOf(lp, options);
    BOOST_REQUIRE(saved.size() > 5u);
    for (Checkpoint const& checkpoint : saved) {
      Basis const& basis = checkpoint.basis;
      BOOST_REQUIRE(basis.columns.size() == 90u);
      BOOST_REQUIRE(basis.rows.size() == 60u);
      BOOST_TEST(std::count(basis.columns.begin(), basis.columns.end(), basic) +
                     std::count(basis.rows.begin(), basis.rows.end(), basic) ==
                 60);
      for (std::size_t j = 0; j < 90; ++j)
        BOOST_TEST(restsWhereItCan(basis.columns[j], lp.columnLower[j], lp.columnUpper[j]));
      for (std::size_t i = 0; i < 60; ++i)
        BOOST_TEST(restsWhereItCan(basis.rows[i], lp.rowLower[i], lp.rowUpper[i]));
    }
  }
}

BOOST_AUTO_TEST_CASE(theSolveGoesOnFromAnyOfThem) {
  LinearProgram const lp = testing::denseLp(40, 40, 7, false);
  for (auto const algorithm : {AlgorithmChoice::primal, AlgorithmChoice::dual}) {
    Options options = hostOptions(algorithm);
    Solution reference;
    std::vector<Checkpoint> const saved = checkpointsOf(lp, options, &reference);
    BOOST_TEST((reference.status == Status::optimal));
    for (Checkpoint const& checkpoint : saved) {
      Solver solver(lp);
      solver.setBasis(checkpoint.basis);
      options.algorithm = checkpoint.algorithm == SolveAlgorithm::primal ? AlgorithmChoice::primal
                                                                         : AlgorithmChoice::dual;
      Solution const resumed = solver.solve(options);
      BOOST_TEST((resumed.status == Status::optimal));
      BOOST_TEST(resumed.objective == reference.objective, boost::test_tools::tolerance(1e-9));
    }
  }
}

// A start that is optimal as it stands ends the solve without a pivot: told and saved all the same.
BOOST_AUTO_TEST_CASE(aConfirmedStartIsSavedAndTraced) {
  LinearProgram const lp = testing::sparseLp(60, 90, 4, 3);
  Options options = hostOptions(AlgorithmChoice::dual);
  options.exact = Toggle::off;  // whose basis may have fixed variables on their other bound
  Solution const first = Solver(lp).solve(options);
  BOOST_REQUIRE((first.status == Status::optimal));
  BOOST_TEST(first.iterations > 0);
  std::vector<Checkpoint> saved;
  std::vector<std::string> events;
  Callbacks callbacks;
  callbacks.checkpoint = [&](Checkpoint const& checkpoint) { saved.push_back(checkpoint); };
  callbacks.trace = [&](TraceEvent const& event) { events.emplace_back(event.kind); };
  Solver solver(lp);
  solver.setBasis(first.basis);
  Solution const again = solver.solve(options, callbacks);
  BOOST_TEST((again.status == Status::optimal));
  BOOST_TEST(again.iterations == 0);
  BOOST_REQUIRE(saved.size() == 1u);
  BOOST_TEST((saved[0].basis == first.basis));
  BOOST_TEST((saved[0].status == Status::optimal));
  BOOST_TEST(events == (std::vector<std::string>{"placement", "method", "start", "proof", "end"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(theyAreInOrderAndEndWithTheStatus) {
  LinearProgram const lp = testing::denseLp(40, 40, 7, false);
  Solution solution;
  std::vector<Checkpoint> const saved =
      checkpointsOf(lp, hostOptions(AlgorithmChoice::dual), &solution);
  BOOST_REQUIRE(saved.size() > 3u);
  for (std::size_t i = 0; i + 1 < saved.size(); ++i) {
    BOOST_TEST(saved[i].iterations <= saved[i + 1].iterations);
    BOOST_TEST(saved[i].seconds <= saved[i + 1].seconds);
    BOOST_TEST(!saved[i].status);
  }
  BOOST_TEST((saved.back().status == Status::optimal));
  BOOST_TEST(saved.back().iterations == solution.iterations);
  BOOST_CHECK(saved.back().basis == solution.basis);
  Solver solver(lp);
  solver.setBasis(saved.back().basis);
  BOOST_TEST(solver.solve(hostOptions(AlgorithmChoice::automatic)).iterations == 0);
}

BOOST_AUTO_TEST_CASE(savingChangesNoPivot) {
  LinearProgram const lp = testing::sparseLp(60, 90, 4, 3);
  for (auto const algorithm : {AlgorithmChoice::primal, AlgorithmChoice::dual}) {
    Solution with;
    checkpointsOf(lp, hostOptions(algorithm), &with);
    Solution const without = Solver(lp).solve(hostOptions(algorithm));
    BOOST_TEST(with.iterations == without.iterations);
    BOOST_CHECK(with.columnValues == without.columnValues);
  }
}

BOOST_AUTO_TEST_CASE(nothingIsSavedUnlessItIsDue) {
  Callbacks callbacks;
  int saved = 0;
  callbacks.checkpointDue = [] { return false; };
  callbacks.checkpoint = [&](Checkpoint const& checkpoint) {
    BOOST_TEST((checkpoint.status == Status::optimal));
    ++saved;
  };
  Solver solver(testing::denseLp(40, 40, 7, true));
  solver.solve(hostOptions(AlgorithmChoice::primal), callbacks);
  BOOST_TEST(saved == 1);
}

// The basis to start from has to be factored first. A solve that is stopped before that is done
// must not take the slack basis, where the engine still is, for how far it has come.
BOOST_AUTO_TEST_CASE(aLimitBeforeTheStartIsReachedLosesNothing) {
  LinearProgram const lp = testing::denseLp(40, 40, 7, false);
  Solution const optimum = Solver(lp).solve(hostOptions(AlgorithmChoice::dual));
  Solver solver(lp);
  solver.setBasis(optimum.basis);
  Options options = hostOptions(AlgorithmChoice::dual);
  options.blockSize = 64;  // so that the basis is factored, not reached by exchanges
  options.timeLimit = 0.0;
  int saved = 0;
  Callbacks callbacks;
  callbacks.checkpointDue = [] { return true; };
  callbacks.checkpoint = [&](Checkpoint const&) { ++saved; };
  Solution const stopped = solver.solve(options, callbacks);
  BOOST_TEST((stopped.status == Status::timeLimit));
  BOOST_CHECK(stopped.basis == optimum.basis);
  BOOST_CHECK(solver.basis() == optimum.basis);
  BOOST_TEST(saved == 0);
  BOOST_TEST(solver.solve(hostOptions(AlgorithmChoice::dual)).iterations == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
