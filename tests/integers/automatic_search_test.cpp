// SPDX-License-Identifier: EPL-2.0
// Which search runs where the options leave the choice, and what the own one makes of Cbc's claims.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <string>

#include "osi_cuda/integers/integer_search.hpp"
#include "tests/integers/small_problems.hpp"
#include "tests/support/dense_mips.hpp"

namespace osi_cuda {
namespace {

using testing::enumerated;
using testing::onHost;
using testing::smallProblem;

/// The same problem beside many columns with a row each: no longer dense.
LinearProgram amongOthers(LinearProgram lp) {
  constexpr int others = 80;
  for (int k = 0; k < others; ++k) {
    lp.matrix.indices.push_back(lp.matrix.rows++);
    lp.matrix.values.push_back(1.0);
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    lp.objective.push_back(0.0);
    lp.columnLower.push_back(0.0);
    lp.columnUpper.push_back(1.0);
    lp.integer.push_back(0);
    lp.rowLower.push_back(0.0);
    lp.rowUpper.push_back(0.5);
  }
  lp.matrix.columns += others;
  return lp;
}

struct FalseModule {
  explicit FalseModule(char const* claim) {
    ::setenv("OSI_CUDA_CBC_PATH", OSI_CUDA_FALSE_CBC, 1);
    ::setenv("OSI_CUDA_FALSE_CLAIM", claim, 1);
  }
  ~FalseModule() {
    ::unsetenv("OSI_CUDA_CBC_PATH");
    ::unsetenv("OSI_CUDA_FALSE_CLAIM");
  }
};

BOOST_AUTO_TEST_SUITE(automatic_search)

BOOST_AUTO_TEST_CASE(denseRowsAreTheOwnSearchs) {
  LinearProgram const lp = testing::denseMip("knapsack:3x20:1");
  IntegerSolution const own = solveIntegers(lp, onHost());
  BOOST_TEST(own.own);
  BOOST_TEST(own.boundIsProved);
  BOOST_TEST(own.confirmedBy == 0);
  Options cuts = onHost();  // asked of Cbc
  cuts.cuts = Cuts::few;
  BOOST_TEST(!solveIntegers(lp, cuts).own);
}

// Each claim of Cbc on small sparse problems is proved, and is what enumeration finds.
BOOST_AUTO_TEST_CASE(claimsAreProved) {
  int proved = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    LinearProgram const lp = smallProblem(seed, 2 + static_cast<int>(seed % 3), 5,
                                          seed % 2 ? Sense::minimize : Sense::maximize);
    std::optional<double> const best = enumerated(lp);
    IntegerSolution const found = solveIntegers(amongOthers(lp), onHost());
    BOOST_TEST_CONTEXT("seed " << seed) {
      BOOST_TEST((found.solution.status == (best ? Status::optimal : Status::infeasible)));
      BOOST_TEST((found.solution.proof != ProofGrade::none));
      if (best) BOOST_TEST(std::fabs(found.solution.objective - *best) < 1e-7);
    }
    if (found.searched) BOOST_TEST(!found.own);
    proved += found.confirmedBy > 0;
  }
  BOOST_TEST(proved > 20);
}

BOOST_AUTO_TEST_CASE(falseClaimsAreRefuted) {
  int refuted = 0, infeasible = 0;
  for (char const* const claim : {"infeasible", "lower", "doubts"}) {
    FalseModule const module(claim);
    for (unsigned seed = 1; seed <= 30; ++seed) {
      LinearProgram const lp = smallProblem(seed, 2 + static_cast<int>(seed % 3), 5,
                                            seed % 2 ? Sense::minimize : Sense::maximize);
      std::optional<double> const best = enumerated(lp);
      IntegerSolution const found = solveIntegers(amongOthers(lp), onHost());
      BOOST_TEST_CONTEXT(claim << ", seed " << seed) {
        BOOST_TEST((found.solution.status == (best ? Status::optimal : Status::infeasible)));
        BOOST_TEST((found.solution.proof != ProofGrade::none));
        if (best) BOOST_TEST(std::fabs(found.solution.objective - *best) < 1e-7);
        if (best && found.searched) BOOST_TEST(found.boundIsProved);
      }
      refuted += found.own;
      infeasible += found.searched && !best;
    }
  }
  BOOST_TEST(refuted > 20);
  BOOST_TEST(infeasible > 0);
  // Where Cbc alone is asked for, its claim is the answer.
  FalseModule const module("infeasible");
  Options cbc = onHost();
  cbc.search = SearchChoice::cbc;
  LinearProgram const lp = testing::denseMip("knapsack:3x20:1");
  IntegerSolution const believed = solveIntegers(lp, cbc);
  BOOST_TEST((believed.solution.status == Status::infeasible));
  BOOST_TEST((believed.solution.proof == ProofGrade::none));
}

BOOST_AUTO_TEST_CASE(aConfirmationKeepsToTheLimits) {
  FalseModule const module("lower");
  Options options = onHost();
  options.timeLimit = 1.0;
  IntegerSolution const found =
      solveIntegers(amongOthers(testing::denseMip("knapsack:20x200:1")), options);
  BOOST_TEST(found.own);  // the claim is refuted, and the search has no time to end
  BOOST_TEST((found.solution.status == Status::timeLimit));
  BOOST_TEST(found.solution.seconds < 3.0);
  BOOST_TEST((found.pointProof != ProofGrade::none));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
