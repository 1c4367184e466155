// SPDX-License-Identifier: EPL-2.0
// The simplex method in rationals: it ends everywhere, and what it ends with can be proved.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/rational/basis_check.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/exact_pivots.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "tests/rational/small_problem.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using rational::ExactPivots;
using rational::Outcome;
using rational::PivotsEnd;

namespace {

/// What the pivots ended with, proved by others; numerical where it is not true.
Status provedStatus(LinearProgram const& lp, ExactPivots const& last) {
  switch (last.end) {
    case PivotsEnd::optimal:
      if (rational::checkBasis(lp, last.basis).outcome == Outcome::proved) return Status::optimal;
      break;
    case PivotsEnd::infeasible:
      if (rational::proveInfeasible(lp, last.basis, last.weights).outcome == Outcome::proved)
        return Status::infeasible;
      break;
    case PivotsEnd::unbounded:
      if (rational::proveUnbounded(lp, last.basis, last.variable, last.direction).outcome ==
          Outcome::proved)
        return Status::unbounded;
      break;
    case PivotsEnd::stopped:
    case PivotsEnd::tooLarge:
      return Status::interrupted;
  }
  return Status::numerical;
}

/// Beale's problem, on which the rule of the largest reduced cost cycles.
LinearProgram cyclingProblem() {
  LinearProgram lp = testing::problemOf(
      {{0.25, -60.0, -1.0 / 25.0, 9.0}, {0.5, -90.0, -1.0 / 50.0, 3.0}, {0.0, 0.0, 1.0, 0.0}}, 4);
  lp.objective = {-0.75, 150.0, -0.02, 6.0};
  lp.rowUpper = {0.0, 0.0, 1.0};
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_pivots)

BOOST_AUTO_TEST_CASE(everyProblemComesToItsEnd) {
  int ends[3] = {};
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    testing::RandomLp const random = testing::randomLp(seed);
    ExactPivots const last = rational::exactPivots(random.lp, testing::slackBasis(random.lp));
    Status const status = provedStatus(random.lp, last);
    BOOST_TEST_REQUIRE((status == random.expected), random.description);
    if (status == Status::optimal)
      BOOST_TEST(rational::checkBasis(random.lp, last.basis).objectiveValue == random.objective,
                 random.description);
    ++ends[status == Status::optimal ? 0 : status == Status::infeasible ? 1 : 2];
  }
  for (int const count : ends) BOOST_TEST(count > 10);
}

// Ties everywhere: many pivots have length 0.
BOOST_AUTO_TEST_CASE(degenerateProblemsDoNotCycle) {
  BOOST_TEST((provedStatus(
                  cyclingProblem(),
                  rational::exactPivots(cyclingProblem(), testing::slackBasis(cyclingProblem()))) ==
              Status::optimal));
  testing::Random random(3);
  for (int round = 0; round < 60; ++round) {
    std::size_t const m = 4 + random() % 5, n = 5 + random() % 5;
    std::vector<std::vector<double>> rows(m, std::vector<double>(n));
    for (auto& row : rows)
      for (double& a : row) a = static_cast<double>(random() % 3) - 1.0;
    LinearProgram lp = testing::problemOf(rows, n);
    for (double& cost : lp.objective) cost = static_cast<double>(random() % 5) - 2.0;
    lp.rowUpper.assign(m, 0.0);
    lp.rowUpper[0] = lp.rowLower[0] = 0.0;
    ExactPivots const last = rational::exactPivots(lp, testing::slackBasis(lp));
    BOOST_TEST((provedStatus(lp, last) != Status::numerical));
    BOOST_TEST(last.pivots < 1000);
  }
}

BOOST_AUTO_TEST_CASE(anyStartWillDo) {
  LinearProgram lp = testing::problemOf({{1, 1}, {1, 1}}, 2);
  lp.objective = {1, 2};
  lp.rowLower = {1, 1};
  using S = VariableStatus;
  for (Basis const& start :
       {Basis{{S::basic, S::basic}, {S::atLower, S::atLower}}, Basis{}, Basis{{S::basic}, {}}}) {
    ExactPivots const last = rational::exactPivots(lp, start);
    BOOST_TEST((provedStatus(lp, last) == Status::optimal));
    BOOST_TEST((last.basis.columns == std::vector{S::basic, S::atLower}));
  }
  lp.columnLower[1] = 2.0;
  lp.columnUpper[1] = 1.0;
  BOOST_TEST((provedStatus(lp, rational::exactPivots(lp, {})) == Status::infeasible));
}

BOOST_AUTO_TEST_CASE(stopsWhenTold) {
  LinearProgram lp = cyclingProblem();
  int asked = 0;
  rational::Limits limits;
  limits.stop = [&] { return ++asked > 0; };
  limits.memory = 1;
  ExactPivots const last = rational::exactPivots(lp, testing::slackBasis(lp), limits);
  BOOST_TEST((last.end == PivotsEnd::tooLarge || last.end == PivotsEnd::stopped));
}

BOOST_AUTO_TEST_SUITE_END()
