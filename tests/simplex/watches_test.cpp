// SPDX-License-Identifier: EPL-2.0
// What the control of a solve watches: tolerances, limits, stalls, drift, rounds.
#include <boost/test/unit_test.hpp>

#include "osi_cuda/proof/verifier.hpp"
#include "tests/simplex/control_parts.hpp"
#include "tests/support/small_lp.hpp"

namespace osi_cuda {
namespace {

using testing::ControlParts;
using testing::smallLp;

PivotReport run(int iterations, int degenerate) {
  PivotReport report;
  report.iterations = iterations;
  report.degenerate = degenerate;
  return report;
}

Options const& byGreatestImprovement() {
  static Options const options = [] {
    Options o;
    o.pricing = Pricing::greatest;
    return o;
  }();
  return options;
}

BOOST_AUTO_TEST_SUITE(watches)

BOOST_AUTO_TEST_CASE(toleranceTightensOnlyWhereResidualsAskForIt) {
  ControlParts p(smallLp());
  Tolerances t(p.task);
  BOOST_TEST(t.primal() == p.options.primalTolerance);
  BOOST_TEST(t.goal() == Verifier::target);
  BOOST_TEST(!t.precise());
  BOOST_TEST(t.tighten({1e-3, 0.0, 0.0}));
  BOOST_TEST(t.primal() == Verifier::target);
  BOOST_TEST(t.dual() == Verifier::target);  // it was looser than what is aimed at
  BOOST_TEST(t.tighten({1e-3, 0.0, 0.0}));
  BOOST_TEST(t.primal() < Verifier::target);
  BOOST_TEST(t.dual() == Verifier::target);
  BOOST_TEST(!t.tighten({1e-3, 0.0, 0.0}));  // as tight as doubles allow
}

BOOST_AUTO_TEST_CASE(failedProofsLowerWhatCountsAsZero) {
  ControlParts p(smallLp());
  Tolerances t(p.task);
  double const pivot = t.pivot(), dual = t.dual();
  t.countSmallerPivots();
  BOOST_TEST(t.pivot() < pivot);
  BOOST_TEST(t.dual() == dual);
  double const lower = t.pivot();
  t.distrustMultipliers();
  BOOST_TEST(t.pivot() < lower);
  BOOST_TEST(t.dual() < dual);
  for (int k = 0; k < 50; ++k) t.distrustMultipliers();
  BOOST_TEST(t.pivot() >= 1e-11);
  BOOST_TEST(t.dual() >= 1e-13);
}

BOOST_AUTO_TEST_CASE(goalsFollowTheEngineAndTheEffort) {
  LinearProgram const lp = smallLp();
  ControlParts whole(lp), brief(lp, {}, {}, Effort::brief), confirm(lp, {}, {}, Effort::confirm);
  BOOST_TEST(brief.tolerances.goal() < whole.tolerances.goal());
  BOOST_TEST(ControlParts(lp, {}, {}, Effort::resumed).tolerances.goal() == Verifier::target);
  Options many;
  many.oneOfMany = true;
  BOOST_TEST(ControlParts(lp, many, {}, Effort::resumed).tolerances.goal() == many.dualTolerance);
  BOOST_TEST(ControlParts(lp, many).tolerances.goal() == whole.tolerances.goal());
  Options strict;
  strict.primalTolerance = 1e-11;
  BOOST_TEST(ControlParts(lp, strict, {}, Effort::resumed).tolerances.goal() == 1e-11);
  BOOST_TEST(confirm.tolerances.goal() < brief.tolerances.goal());
  auto const precise = makePreciseEngine({});
  precise->load(whole.form);
  Tolerances const t({lp, whole.form, *precise, whole.options, whole.run});
  BOOST_TEST(t.precise());
  BOOST_TEST(t.goal() == brief.tolerances.goal());
  BOOST_TEST(t.relativePivot() < whole.tolerances.relativePivot());
}

BOOST_AUTO_TEST_CASE(limitsSayWhichOneWasReached) {
  Options options;
  options.iterationLimit = 7;
  ControlParts p(smallLp(), options);
  p.budget.spend(6);
  BOOST_TEST(!p.limits.reached());
  p.budget.spend(1);
  BOOST_TEST(p.limits.reached());
  BOOST_TEST((p.limits.which() == Status::iterationLimit));
  options.timeLimit = 0.0;
  ControlParts late(smallLp(), options);
  BOOST_TEST(late.limits.reached());
  BOOST_TEST((late.limits.which() == Status::timeLimit));
  Callbacks callbacks;
  callbacks.interrupted = [] { return true; };
  ControlParts stopped(smallLp(), options, callbacks);
  BOOST_TEST(stopped.limits.outOfTime());
  BOOST_TEST((stopped.limits.which() == Status::interrupted));
  stopped.limits.declare(Status::iterationLimit);
  BOOST_TEST((stopped.limits.which() == Status::iterationLimit));
}

BOOST_AUTO_TEST_CASE(degenerateRunsInARowAreAStall) {
  ControlParts p(smallLp());
  StallWatch watch(p.form);
  double merit = 0.0;
  auto const observe = [&](PivotReport const& report) { watch.observe(report, merit -= 1.0); };
  watch.reset();
  observe(run(31, 31));
  BOOST_TEST(!watch.degenerate());
  observe(run(8, 2));  // a quarter is not most
  observe(run(31, 31));
  BOOST_TEST(!watch.degenerate());
  observe(run(1, 1));
  BOOST_TEST(watch.degenerate());
  watch.reset();
  BOOST_TEST(!watch.degenerate());
}

BOOST_AUTO_TEST_CASE(iterationsWithoutGainAreAStall) {
  ControlParts p(smallLp());
  StallWatch watch(p.form);
  watch.reset();
  watch.observe(run(400, 0), -1.0);  // the first merit is a gain
  BOOST_TEST(watch.withoutGain() == 0);
  watch.observe(run(400, 0), -1.0);
  BOOST_TEST(watch.withoutGain() == 400);
  BOOST_TEST(!watch.fruitless());
  watch.observe(run(100, 0), -1.0 - 1e-13);  // rounding
  BOOST_TEST(watch.fruitless());
  watch.observe(run(1, 0), -1.1);
  BOOST_TEST(!watch.fruitless());
}

BOOST_AUTO_TEST_CASE(driftIsComparedWithWhatAFreshTableauHas) {
  ControlParts p(smallLp());
  DriftWatch watch(p.task);
  BOOST_TEST(!watch.tooFar({1e-10, 1e-10}, false));
  BOOST_TEST(watch.tooFar({1e-8, 0.0}, false));
  BOOST_TEST(watch.tooFar({0.0, 1e-8}, false));
  BOOST_TEST(!watch.tooFar({0.0, 1e-8}, true));  // reduced costs of phase 1 are others
  watch.takeFresh({5e-9, 0.0});
  BOOST_TEST(!watch.tooFar({1e-8, 0.0}, false));
  BOOST_TEST(watch.tooFar({1e-7, 0.0}, false));
  watch.takeFresh({1.0, 1.0});  // a bad basis is no licence
  BOOST_TEST(watch.tooFar({1e-6, 0.0}, false));
}

BOOST_AUTO_TEST_CASE(runsOfOnePivotAreNotLookedAtMoreOftenThanOthers) {
  ControlParts usual(smallLp()), greatest(smallLp(), byGreatestImprovement());
  DriftWatch watch(usual.task), single(greatest.task);
  int const most = greatest.engine->traits().blockSize;
  BOOST_TEST(most > 1);
  BOOST_TEST(watch.dueBy(1));
  BOOST_TEST(!single.dueBy(most - 1));
  BOOST_TEST(!single.look(most - 1));
  BOOST_TEST(single.look(most));
  BOOST_TEST(!single.look(most + 1));  // there has just been one
}

BOOST_AUTO_TEST_CASE(roundsEndWhereTheyLeadNowhere) {
  ControlParts p(smallLp());
  RoundWatch rounds(p.task, p.counts);
  BOOST_TEST(rounds.mayGoOn(59));
  BOOST_TEST(!rounds.mayGoOn(60));
  Measure measure;
  measure.primalMax = 1.0;
  for (int change = 0; change < 16; ++change) {
    BOOST_TEST(rounds.gaining(Algorithm::primal, measure));
    measure.primalMax *= 0.4;  // nearer by more than half each time
  }
  int changes = 0;
  while (rounds.gaining(Algorithm::primal, measure) && changes < 100) ++changes;
  BOOST_TEST(changes > 0);
  BOOST_TEST(changes < 100);
  BOOST_TEST(!rounds.mayGoOn());
}

BOOST_AUTO_TEST_CASE(fewPivotsAreMadeBeyondTheTarget) {
  ControlParts p(smallLp(), {}, {}, Effort::brief);
  p.counts.iterations = 500;
  p.rounds.reachedTarget();
  p.counts.iterations = 510;
  BOOST_TEST(p.rounds.mayGoOn());
  p.rounds.reachedTarget();  // the first time counts
  p.counts.iterations = 605;
  BOOST_TEST(!p.rounds.mayGoOn());
}

BOOST_AUTO_TEST_CASE(aBriefSolveGivesUpEarlier) {
  ControlParts p(smallLp(), {}, {}, Effort::brief), q(smallLp());
  for (RoundWatch* rounds : {&p.rounds, &q.rounds})
    for (int k = 0; k < 2; ++k) rounds->gotStuck();
  BOOST_TEST(!p.rounds.mayGoOn());
  BOOST_TEST(q.rounds.mayGoOn());
  RoundWatch failing(p.task, p.counts);
  failing.proofFailed();
  failing.proofFailed();
  BOOST_TEST(failing.failedProofs() == 2);
  BOOST_TEST(!failing.mayGoOn());
  p.counts.iterations = 1'000'000;
  BOOST_TEST(!failing.mayGoOn());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
