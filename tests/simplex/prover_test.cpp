// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/prover.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/rational/small_problem.hpp"
#include "tests/simplex/control_parts.hpp"
#include "tests/support/small_lp.hpp"

namespace osi_cuda {
namespace {

using testing::ControlParts;
using testing::smallLp;

/// Rounds of measure and algorithm until something is claimed.
Claim claimOf(ControlParts& p, Algorithm algorithm) {
  for (int round = 0; round < 10; ++round) {
    Measure const measure = p.measure();
    if (measure.primalCount + measure.dualCount == 0) return Claim::settled;
    Claim const claim = p.algorithms.run(algorithm, measure);
    if (claim != Claim::settled) return claim;
    algorithm = p.measure().primalCount > 0 ? Algorithm::dual : Algorithm::primal;
  }
  return Claim::stuck;
}

Solution withObjective(double objective) {
  Solution solution;
  solution.objective = objective;
  return solution;
}

BOOST_AUTO_TEST_SUITE(prover)

BOOST_AUTO_TEST_CASE(anOptimumIsProved) {
  for (auto const algorithm : {Algorithm::primal, Algorithm::dual}) {
    ControlParts p(smallLp());
    BOOST_TEST((claimOf(p, algorithm) == Claim::settled));
    BOOST_TEST((p.prover.prove(Claim::settled) == Outcome::proved));
    Solution const solution = p.prover.conclude();
    BOOST_TEST((solution.status == Status::optimal));
    BOOST_TEST(solution.objective == 3.0);
    BOOST_TEST(!p.prover.quality().loose);
    BOOST_TEST(!p.prover.quality().twoParts);
    BOOST_TEST(p.prover.quality().residual <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(aBasisThatIsNotOptimalIsRefusedAndNotClaimed) {
  ControlParts p(smallLp());
  double const before = p.tolerances.primal();
  // The slack basis, at which the engine itself sees violations.
  BOOST_TEST((p.prover.prove(Claim::settled) == Outcome::seen));
  BOOST_TEST(p.tolerances.primal() < before);
  Solution const solution = p.prover.conclude();
  BOOST_TEST((solution.status == Status::numerical));
  BOOST_TEST(solution.message.find("condition number") != std::string::npos, solution.message);
}

// Pivots in doubles would follow the rounding of a basis whose condition number is 1e12.
BOOST_AUTO_TEST_CASE(whatIsBeyondDoublesIsLeftToMoreDigitsAtOnce) {
  for (double const entry : {1e6, 10.0}) {
    LinearProgram lp = testing::problemOf({{1, entry}, {0, 1}}, 2);
    lp.rowLower = lp.rowUpper = {1, 2};  // far from a vertex within the columns' bounds
    for (Effort const effort : {Effort::brief, Effort::whole}) {
      ControlParts p(lp, {}, {}, effort);
      p.engine->refactor({1, 1, 0, 0});
      bool const leaves = effort == Effort::brief && entry > 10.0;
      BOOST_TEST((p.prover.prove(Claim::settled) == Outcome::hopeless) == leaves);
    }
  }
}

BOOST_AUTO_TEST_CASE(infeasibilityIsProvedByItsMultipliers) {
  for (auto const algorithm : {Algorithm::primal, Algorithm::dual}) {
    LinearProgram lp = smallLp();
    lp.columnUpper[0] = 1.0;  // x1 + 2 x2 <= 3
    ControlParts p(std::move(lp));
    BOOST_TEST((claimOf(p, algorithm) == Claim::infeasible));
    BOOST_TEST((p.prover.prove(Claim::infeasible) == Outcome::proved));
    Solution const solution = p.prover.conclude();
    BOOST_TEST((solution.status == Status::infeasible));
    BOOST_TEST(solution.farkas.size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(aWrongClaimOfInfeasibilityLowersTolerances) {
  ControlParts p(smallLp());
  double const before = p.tolerances.pivot();
  BOOST_TEST((p.prover.prove(Claim::infeasible) == Outcome::refused));
  BOOST_TEST(p.rounds.failedProofs() == 1);
  BOOST_TEST(p.tolerances.pivot() < before);
}

BOOST_AUTO_TEST_CASE(aRayIsProvedWithAFeasiblePoint) {
  LinearProgram lp = smallLp();
  lp.objective[0] = -1.0;
  ControlParts p(std::move(lp));
  BOOST_TEST((claimOf(p, Algorithm::primal) == Claim::unbounded));
  BOOST_TEST((p.prover.prove(Claim::unbounded) == Outcome::proved));
  Solution const solution = p.prover.conclude();
  BOOST_TEST((solution.status == Status::unbounded));
  BOOST_TEST(solution.ray.size() == 2u);
}

BOOST_AUTO_TEST_CASE(aLimitOfTheObjectiveIsProvedByTheMultipliers) {
  Options options;
  options.objectiveLimit = 10.0;  // the optimum, 3, is better
  ControlParts p(smallLp(), options);
  claimOf(p, Algorithm::dual);
  BOOST_TEST((p.prover.prove(Claim::cutoff) == Outcome::refused));
  BOOST_TEST(p.rounds.failedCutoffs() == 1);
  p.options.objectiveLimit = 2.0;
  BOOST_TEST((p.prover.prove(Claim::cutoff) == Outcome::proved));
  BOOST_TEST((p.prover.conclude().status == Status::objectiveLimit));
}

BOOST_AUTO_TEST_CASE(crossedBoundsAreTheirOwnProof) {
  ControlParts fine(smallLp());
  BOOST_TEST(!fine.prover.proveCrossedBounds());
  LinearProgram lp = smallLp();
  lp.columnLower[1] = 2.0;
  ControlParts p(std::move(lp));
  BOOST_TEST(p.prover.proveCrossedBounds());
  BOOST_TEST((p.prover.conclude().status == Status::infeasible));
}

BOOST_AUTO_TEST_CASE(thePresentPointHasTheProblemsOwnBounds) {
  ControlParts p(smallLp());
  p.problem.perturb(Algorithm::primal);
  Solution const solution = p.prover.presentSolution();
  BOOST_TEST(solution.columnValues[0] == 0.0);
  BOOST_TEST(p.problem.altered() == std::string());
  BOOST_TEST(solution.residuals.primal > 0.1);
}

BOOST_AUTO_TEST_CASE(aPointOfDoublesThatStandsUpGoesBeforeOthers) {
  BestPoint best;
  BOOST_TEST(!best.found());
  BOOST_TEST(!best.good());
  best.offer(withObjective(1.0), 1e-3, false);
  BOOST_TEST(!best.good());
  best.offer(withObjective(2.0), 1e-2, false);
  BOOST_TEST(best.point().objective == 1.0);
  best.offer(withObjective(3.0), 1e-12, false);
  BOOST_TEST(best.point().objective == 3.0);
  BOOST_TEST(best.good());
  best.offer(withObjective(4.0), 1e-7, true);
  BOOST_TEST(best.point().objective == 4.0);
  BOOST_TEST(best.plain());
  best.offer(withObjective(5.0), 1e-15, false);
  BOOST_TEST(best.point().objective == 4.0);
  best.offer(withObjective(6.0), 1e-8, true);
  BOOST_TEST(best.point().objective == 6.0);
  BOOST_TEST(best.residual() == 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
