// SPDX-License-Identifier: EPL-2.0
// Runs of pivots, the phases of both algorithms, and pushes to the bounds.
#include "osi_cuda/simplex/pivot_runs.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "osi_cuda/simplex/pushes.hpp"
#include "osi_cuda/simplex/task.hpp"
#include "osi_cuda/simplex/weights.hpp"
#include "tests/simplex/control_parts.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/small_lp.hpp"

namespace osi_cuda {
namespace {

using testing::ControlParts;
using testing::denseLp;
using testing::smallLp;

BOOST_AUTO_TEST_SUITE(pivot_runs)

BOOST_AUTO_TEST_CASE(aPhaseRunsUntilNothingIsLeftToImprove) {
  std::vector<Progress> seen;
  Callbacks callbacks;
  callbacks.progress = [&](Progress const& progress) { seen.push_back(progress); };
  ControlParts p(denseLp(40, 30, 1, true), {}, callbacks);  // the slack basis is primal feasible
  BOOST_TEST((p.runs.runPhase(Algorithm::primal, Phase::two, Stage::primal2) == Stop::optimal));
  BOOST_TEST(p.measure().dualCount == 0);
  BOOST_TEST(p.counts.iterations > 0);
  BOOST_TEST(p.run.firstIterations() == 0);
  BOOST_TEST((p.runs.running() == Algorithm::primal));
  BOOST_REQUIRE(!seen.empty());
  BOOST_TEST((seen.back().stage == Stage::primal2));
  BOOST_TEST(seen.back().iterations == p.counts.iterations);
}

BOOST_AUTO_TEST_CASE(aPhaseEndsAtTheLimit) {
  Options options;
  options.iterationLimit = 3;
  ControlParts p(denseLp(40, 30, 1, true), options);
  BOOST_TEST((p.runs.runPhase(Algorithm::primal, Phase::two, Stage::primal2) == Stop::interrupted));
  BOOST_TEST(p.counts.iterations == 3);
  BOOST_TEST((p.limits.which() == Status::iterationLimit));
}

BOOST_AUTO_TEST_CASE(aFreshTableauKeepsThePoint) {
  ControlParts p(denseLp(40, 30, 1, true));
  p.runs.runPhase(Algorithm::primal, Phase::two, Stage::primal2);
  double const objective = p.measure().objective;
  BOOST_TEST(p.counts.sinceRefactor == p.counts.iterations);
  p.runs.refactor();
  BOOST_TEST(p.counts.sinceRefactor == 0);
  BOOST_TEST(p.measure().objective == objective, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(p.measure().dualCount == 0);
}

BOOST_AUTO_TEST_CASE(aStartThatIsAskedToBePerturbedIs) {
  Options options;
  options.perturbation = Toggle::on;
  ControlParts p(denseLp(40, 30, 1, true), options);
  p.runs.runPhase(Algorithm::primal, Phase::two, Stage::primal2);
  BOOST_TEST(p.problem.boundsPerturbed());
}

BOOST_AUTO_TEST_CASE(aStartThatIsNotFeasibleIsMadeSoOnce) {
  std::set<Stage> stages;
  Callbacks callbacks;
  callbacks.progress = [&](Progress const& progress) { stages.insert(progress.stage); };
  ControlParts p(denseLp(40, 30, 1, false), {}, callbacks);
  BOOST_TEST((p.algorithms.run(Algorithm::primal, p.measure()) == Claim::settled));
  BOOST_TEST((stages == std::set{Stage::primal1}));
  BOOST_TEST(p.run.firstIterations() == p.counts.iterations);
  BOOST_TEST(!p.problem.startAltered());
  BOOST_TEST(p.measure().dualCount == 0);  // the dual can go on from here
  stages.clear();
  BOOST_TEST((p.algorithms.run(Algorithm::dual, p.measure()) == Claim::settled));
  BOOST_TEST((stages == std::set{Stage::dual2}));
  BOOST_TEST(p.measure().primalCount == 0);
}

BOOST_AUTO_TEST_CASE(whatIsBetweenItsBoundsIsPushedToOneOrIntoTheBasis) {
  ControlParts p(denseLp(40, 30, 1, true));
  Pushes pushes(p.parts, p.runs);
  std::vector<double> const inside(static_cast<std::size_t>(p.form.variables()), 1e-3);
  BOOST_TEST(pushes.run(inside));
  BOOST_TEST(p.counts.iterations > 0);
  BOOST_TEST(p.run.firstIterations() == p.counts.iterations);
  Snapshot const point = p.engine->snapshot();
  for (int variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    BOOST_TEST((point.value[v] == p.form.lower[v] || point.value[v] == p.form.upper[v]));
  }
  BOOST_TEST(p.engine->costs() == p.form.cost);
}

BOOST_AUTO_TEST_CASE(pushesEndAtALimitWithTheProblemsOwnNumbers) {
  Options options;
  options.iterationLimit = 0;
  ControlParts p(denseLp(40, 30, 1, true), options);
  Pushes pushes(p.parts, p.runs);
  BOOST_TEST(!pushes.run(std::vector<double>(static_cast<std::size_t>(p.form.variables()), 1e-3)));
  BOOST_TEST(!p.problem.startAltered());
  BOOST_TEST(p.engine->costs() == p.form.cost);
}

BOOST_AUTO_TEST_CASE(aKeptPointIsPresentUntilPivotsAreMade) {
  std::vector<Checkpoint> saved;
  bool due = false;
  Callbacks callbacks;
  callbacks.checkpointDue = [&] { return due; };
  callbacks.checkpoint = [&](Checkpoint const& checkpoint) { saved.push_back(checkpoint); };
  ControlParts p(denseLp(40, 30, 1, true), {}, callbacks);
  BOOST_TEST(!p.kept.isPresent());
  p.kept.take();
  BOOST_TEST(p.kept.isPresent());
  BOOST_TEST(p.kept.age() >= 0.0);
  BOOST_TEST(!p.kept.checkpointDue());
  p.runs.runPhase(Algorithm::primal, Phase::two, Stage::primal2);
  BOOST_TEST(!p.kept.isPresent());
  BOOST_TEST(saved.empty());
  due = true;
  BOOST_TEST(p.kept.checkpointDue());
  p.kept.take();
  p.kept.saveCheckpoint(Algorithm::primal);
  BOOST_REQUIRE(saved.size() == 1u);
  BOOST_TEST(saved[0].iterations == p.counts.iterations);
  BOOST_TEST((saved[0].algorithm == SolveAlgorithm::primal));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pricing)

BOOST_AUTO_TEST_CASE(aRuleThatIsNoneForAPhaseIsStoodInFor) {
  ControlParts p(smallLp());
  for (PricingRule const& rule : pricingRules) {
    p.options.pricing = rule.rule;
    BOOST_TEST((pricingOf(p.task, Algorithm::dual) == rule.rule));
    BOOST_TEST((pricingOf(p.task, Algorithm::primal, Phase::two) == rule.rule));
    Pricing const elsewhere = rule.everywhere ? rule.rule : rule.elsewhere;
    BOOST_TEST((pricingOf(p.task, Algorithm::primal, Phase::one) == elsewhere));
    BOOST_TEST((pricingOf(p.task, Algorithm::dual, Phase::two) == elsewhere));
    BOOST_TEST(ruleOf(elsewhere).everywhere);
    BOOST_TEST((elsewhere != Pricing::automatic));
  }
  p.options.pricing = Pricing::automatic;
  BOOST_TEST((pricingOf(p.task, Algorithm::primal) == p.engine->traits().primalPricing));
}

BOOST_AUTO_TEST_CASE(setsOfRulesFollowTheTable) {
  for (PricingRule const& rule : pricingRules) {
    BOOST_TEST(keeps<Weights::none>(rule.rule) == (rule.weights == Weights::none));
    BOOST_TEST(keeps<Weights::exact>(rule.rule) == (rule.weights == Weights::exact));
    BOOST_TEST(keeps<Weights::sketched>(rule.rule) == (rule.weights == Weights::sketched));
    BOOST_TEST(keeps<Weights::reference>(rule.rule) == (rule.weights == Weights::reference));
    BOOST_TEST(contains(rulesWithRandomTies, rule.rule) == rule.randomTies);
    BOOST_TEST(contains(rulesOfWholeSteps, rule.rule) == rule.wholeSteps);
  }
}

BOOST_AUTO_TEST_CASE(keysAreWeightedByWhatTheRuleKeeps) {
  PriceKey const weighted = priceKey(Pricing::devex, 1, 0),
                 plain = priceKey(Pricing::dantzig, 1, 0);
  BOOST_TEST(weighted.key(-3.0, 2.0) == 4.5);
  BOOST_TEST(plain.key(-3.0, 2.0) == 3.0);
  BOOST_TEST(weighted.tie(7) == 7u);
  BOOST_TEST(plain.tie(7) == rules::randomTie(1, 0, 7));
  BOOST_TEST(plain.tie(7) != priceKey(Pricing::dantzig, 1, 1).tie(7));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
