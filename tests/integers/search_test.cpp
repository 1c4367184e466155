// SPDX-License-Identifier: EPL-2.0
// solveIntegers beside enumeration, its ends, and what it proves.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include "osi_cuda/integers/integer_search.hpp"
#include "tests/integers/small_problems.hpp"
#include "tests/support/dense_mips.hpp"

namespace osi_cuda {
namespace {

using testing::enumerated;
using testing::isPoint;
using testing::smallProblem;

/// Cbc alone.
Options onHost() {
  Options options = testing::onHost();
  options.search = SearchChoice::cbc;
  return options;
}

/// max x + y; 2 x + 2 y <= 3: 1, where the relaxation has 1.5.
LinearProgram half() {
  LinearProgram lp;
  lp.sense = Sense::maximize;
  lp.matrix.rows = 1;
  lp.matrix.columns = 2;
  lp.matrix.starts = {0, 1, 2};
  lp.matrix.indices = {0, 0};
  lp.matrix.values = {2, 2};
  lp.objective = {1, 1};
  lp.columnLower = {0, 0};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = {-infinity};
  lp.rowUpper = {3};
  lp.integer = {1, 1};
  return lp;
}

LinearProgram longSearch() {
  return testing::denseMip("knapsack:20x200:1");
}

BOOST_AUTO_TEST_SUITE(integer_search)

BOOST_AUTO_TEST_CASE(findsWhatEnumerationFinds) {
  int points = 0, none = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    LinearProgram const lp = smallProblem(seed, 2 + static_cast<int>(seed % 3), 5,
                                          seed % 2 ? Sense::minimize : Sense::maximize);
    std::optional<double> const best = enumerated(lp);
    for (Cuts const cuts : {Cuts::off, Cuts::few, Cuts::all}) {
      Options options = onHost();
      options.cuts = cuts;
      IntegerSolution const found = solveIntegers(lp, options);
      Solution const& solution = found.solution;
      BOOST_TEST_CONTEXT("seed " << seed) {
        BOOST_TEST((solution.status == (best ? Status::optimal : Status::infeasible)));
        if (!best) {
          ++none;
          BOOST_TEST((solution.proof != ProofGrade::none) == !found.searched);
          continue;
        }
        ++points;
        BOOST_TEST(std::fabs(solution.objective - *best) < 1e-7);
        BOOST_TEST(isPoint(lp, solution.columnValues), [&] {
          std::string text =
              std::string(toString(solution.status)) + (found.searched ? " searched" : " relaxed");
          for (double const value : solution.columnValues) text += " " + std::to_string(value);
          return text;
        }());
        BOOST_TEST((found.pointProof != ProofGrade::none));
        BOOST_TEST(found.search.gap() < 1e-5);
        // What is said to be proved is true.
        BOOST_TEST(solution.objectiveEnclosure.lower <= *best);
        BOOST_TEST(solution.objectiveEnclosure.upper >= *best);
        double const bound = found.search.bound;
        BOOST_TEST((lp.sense == Sense::minimize ? bound <= *best + 1e-9 : bound >= *best - 1e-9));
        if (solution.proof != ProofGrade::none)
          BOOST_TEST(solution.objectiveEnclosure.upper - solution.objectiveEnclosure.lower < 1e-5);
      }
    }
  }
  BOOST_TEST(points > 60);
  BOOST_TEST(none > 10);
}

BOOST_AUTO_TEST_CASE(theBoundIsProvedOnlyByTheRelaxation) {
  IntegerSolution const open = solveIntegers(half(), onHost());
  BOOST_TEST((open.solution.status == Status::optimal));
  BOOST_TEST(open.solution.objective == 1.0);
  BOOST_TEST((open.solution.proof == ProofGrade::none));
  BOOST_TEST((open.pointProof == ProofGrade::tolerance));
  BOOST_TEST(open.solution.objectiveEnclosure.upper >= 1.5);
  BOOST_TEST(open.solution.objectiveEnclosure.lower == 1.0);
  LinearProgram whole = half();
  whole.rowUpper = {4};
  IntegerSolution const closed = solveIntegers(whole, onHost());
  BOOST_TEST(closed.solution.objective == 2.0);
  BOOST_TEST((closed.solution.proof == ProofGrade::tolerance));
  // Rational arithmetic is asked for the point, and says nothing of the rest.
  Options exact = onHost();
  exact.exact = Toggle::on;
  IntegerSolution const proved = solveIntegers(half(), exact);
  BOOST_TEST((proved.pointProof == ProofGrade::exact));
  BOOST_TEST(proved.pointExact.proved);
  BOOST_TEST(!proved.solution.exact.tried);
}

BOOST_AUTO_TEST_CASE(continuousColumnsAreCompleted) {
  LinearProgram lp = half();  // max x + y, x whole
  lp.integer = {1, 0};
  lp.columnUpper = {infinity, 0.25};
  IntegerSolution const found = solveIntegers(lp, onHost());
  BOOST_TEST((found.solution.status == Status::optimal));
  BOOST_TEST(std::fabs(found.solution.objective - 1.25) < 1e-9);
  BOOST_TEST(found.solution.columnValues[0] == 1.0);
  BOOST_TEST(found.solution.residuals.primal <= 1e-7);
}

BOOST_AUTO_TEST_CASE(withoutIntegersItIsTheLinearProgram) {
  LinearProgram lp = half();
  for (std::vector<char> const& none : {std::vector<char>{}, std::vector<char>{0, 0}}) {
    lp.integer = none;
    IntegerSolution const found = solveIntegers(lp, onHost());
    BOOST_TEST(found.solution.objective == 1.5);
    BOOST_TEST(!found.searched);
    BOOST_TEST((found.solution.proof != ProofGrade::none));
    BOOST_TEST(found.search.gap() == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(infeasibleAndUnbounded) {
  LinearProgram lp = half();
  lp.rowLower = {4};  // above the upper: the relaxation
  IntegerSolution const relaxation = solveIntegers(lp, onHost());
  BOOST_TEST((relaxation.solution.status == Status::infeasible));
  BOOST_TEST((relaxation.solution.proof != ProofGrade::none));
  BOOST_TEST(!relaxation.searched);
  lp.rowLower = {3};  // 2 x + 2 y = 3: no whole point, as 3 is odd
  lp.columnUpper = {5, 5};
  IntegerSolution const odd = solveIntegers(lp, onHost());
  BOOST_TEST((odd.solution.status == Status::infeasible));
  BOOST_TEST((odd.solution.proof == ProofGrade::exact));
  BOOST_TEST(odd.solution.message.find("row R1 is a multiple of 2") != std::string::npos);
  BOOST_TEST(!odd.searched);
  BOOST_TEST(odd.search.bound == -infinity);
  lp.matrix.values = {2, 3};
  lp.rowLower = lp.rowUpper = {1};  // 2 x + 3 y = 1, x, y >= 0
  IntegerSolution const search = solveIntegers(lp, onHost());
  BOOST_TEST((search.solution.status == Status::infeasible));
  BOOST_TEST((search.solution.proof == ProofGrade::none));
  BOOST_TEST(search.solution.columnValues.empty());
  BOOST_TEST(search.search.bound == -infinity);
  lp = half();
  lp.matrix.values = {2, -2};
  IntegerSolution const unbounded = solveIntegers(lp, onHost());
  BOOST_TEST((unbounded.solution.status == Status::unbounded));
  BOOST_TEST((unbounded.solution.proof == ProofGrade::none));  // there may be no integer point
  BOOST_TEST(unbounded.solution.message.find("relaxation") != std::string::npos);
  BOOST_TEST(unbounded.solution.ray.size() == 2u);
}

BOOST_AUTO_TEST_CASE(limitsKeepTheIncumbent) {
  Options options = onHost();
  options.timeLimit = 2.0;
  double told = -infinity;
  int incumbents = 0;
  IntegerCallbacks callbacks;
  LinearProgram const lp = longSearch();
  callbacks.incumbent = [&](SearchProgress const& at, std::span<double const> values) {
    ++incumbents;
    told = -at.objective;
    BOOST_TEST(values.size() == 200u);
    BOOST_TEST(isPoint(lp, [&] {
      std::vector<double> whole(values.begin(), values.end());
      for (double& value : whole) value = std::round(value);
      return whole;
    }()));
  };
  IntegerSolution const timed = solveIntegers(lp, options, callbacks);
  BOOST_TEST((timed.solution.status == Status::timeLimit));
  BOOST_TEST(incumbents > 0);
  BOOST_TEST(isPoint(lp, timed.solution.columnValues));
  BOOST_TEST(-timed.solution.objective >= told - 1e-6);
  BOOST_TEST(timed.search.bound <= timed.solution.objective);
  BOOST_TEST(timed.search.gap() < 0.1);
  BOOST_TEST(timed.solution.seconds < 20.0);
  options = onHost();
  options.nodeLimit = 3;
  IntegerSolution const nodes = solveIntegers(lp, options);
  BOOST_TEST((nodes.solution.status == Status::iterationLimit));
  BOOST_TEST(nodes.search.nodes < 200);
  options = onHost();
  options.relativeGap = 0.05;
  IntegerSolution const gap = solveIntegers(lp, options);
  BOOST_TEST((gap.solution.status == Status::optimal));
  BOOST_TEST(gap.search.gap() <= 0.05);
  BOOST_TEST(gap.search.gap() > 0.0);
  options = onHost();
  options.timeLimit = 0.0;
  IntegerSolution const nothing = solveIntegers(lp, options);
  BOOST_TEST((nothing.solution.status == Status::timeLimit));
  BOOST_TEST(std::isnan(nothing.solution.objective));
  BOOST_TEST(nothing.solution.columnValues.empty());
}

BOOST_AUTO_TEST_CASE(interruptsAndExceptionsOfCallbacksEndIt) {
  IntegerCallbacks callbacks;
  bool seen = false;
  callbacks.incumbent = [&](SearchProgress const&, std::span<double const>) { seen = true; };
  callbacks.interrupted = [&] { return seen; };
  IntegerSolution const found = solveIntegers(longSearch(), onHost(), callbacks);
  BOOST_TEST((found.solution.status == Status::interrupted));
  BOOST_TEST(!std::isnan(found.solution.objective));
  BOOST_TEST((found.pointProof != ProofGrade::none));
  callbacks.interrupted = nullptr;
  callbacks.incumbent = [](SearchProgress const&, std::span<double const>) {
    throw std::runtime_error("enough");
  };
  BOOST_CHECK_THROW(solveIntegers(longSearch(), onHost(), callbacks), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(aStartIsTheFirstIncumbent) {
  LinearProgram const lp = longSearch();
  Options options = onHost();
  options.timeLimit = 3.0;
  options.nodeLimit = 20;
  Solution const before = solveIntegers(lp, options).solution;
  options.nodeLimit = 0;
  options.cuts = Cuts::off;
  Solution const after = solveIntegers(lp, options, {}, before.columnValues).solution;
  BOOST_TEST(after.objective <= before.objective + 1e-6);
  std::vector<std::string> notices;
  IntegerCallbacks callbacks;
  callbacks.notice = [&](std::string const& text) { notices.push_back(text); };
  std::vector<double> const all(200, 1.0);  // takes more than there is
  options.nodeLimit = 5;
  solveIntegers(lp, options, callbacks, all);
  BOOST_TEST(std::ranges::count_if(notices, [](std::string const& text) {
               return text.find("start is left out") != std::string::npos;
             }) == 1);
  std::vector<double> const few(3, 0.0);
  BOOST_CHECK_THROW(solveIntegers(lp, options, {}, few), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(anObjectiveLimitIsTheRelaxations) {
  Options options = onHost();
  options.algorithm = AlgorithmChoice::dual;
  options.objectiveLimit = 1.25;  // between the integer optimum and the relaxation's
  BOOST_TEST((solveIntegers(half(), options).solution.status == Status::optimal));
  LinearProgram lp = half();
  lp.columnUpper = {5, 5};
  options.objectiveLimit = 2.0;  // beyond the relaxation
  options.scaling = false;
  IntegerSolution const beyond = solveIntegers(lp, options);
  BOOST_TEST((beyond.solution.status == Status::objectiveLimit ||
              beyond.solution.status == Status::optimal));
  if (beyond.solution.status == Status::objectiveLimit) BOOST_TEST(!beyond.searched);
}

BOOST_AUTO_TEST_CASE(severalThreadsFindTheSame) {
  LinearProgram const lp = testing::denseMip("cover:20x60:20:1");
  Options options = onHost();
  double const alone = solveIntegers(lp, options).solution.objective;
  options.searchThreads = 3;
  IntegerSolution const together = solveIntegers(lp, options);
  BOOST_TEST((together.solution.status == Status::optimal));
  BOOST_TEST(std::fabs(together.solution.objective - alone) < 1e-6);
}

BOOST_AUTO_TEST_CASE(aMissingModuleIsNamed) {
  ::setenv("OSI_CUDA_CBC_PATH", "/nowhere", 1);
  std::string message;
  try {
    Options options = onHost();
    options.search = SearchChoice::cbc;
    solveIntegers(half(), options);
  } catch (EngineUnavailable const& missing) {
    message = missing.what();
  }
  ::unsetenv("OSI_CUDA_CBC_PATH");
  BOOST_TEST(message.find("wheels of osi-cuda have it") != std::string::npos, message);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
