// SPDX-License-Identifier: EPL-2.0
// The account of one call, and what its caller hears of it.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "osi_cuda/model/run.hpp"

using namespace osi_cuda;
using namespace std::chrono_literals;

namespace {

/// A caller who notes all that he is told.
struct Listener {
  std::vector<Progress> progress;
  std::vector<TraceEvent> events;
  std::vector<Checkpoint> checkpoints;
  std::vector<PlanChoice> choices;
  Callbacks callbacks;
  Budget budget{Budget::unlimitedSeconds, 100, {}};
  Run run{callbacks, budget};

  Listener() {
    callbacks.progress = [this](Progress const& told) { progress.push_back(told); };
    callbacks.trace = [this](TraceEvent const& told) { events.push_back(told); };
    callbacks.checkpoint = [this](Checkpoint const& told) { checkpoints.push_back(told); };
    callbacks.plan = [this](PlanChoice const& told) { choices.push_back(told); };
  }
};

Basis const small{{VariableStatus::basic}, {VariableStatus::atLower}};

}  // namespace

BOOST_AUTO_TEST_SUITE(run)

BOOST_AUTO_TEST_CASE(later_stages_count_from_the_beginning) {
  Listener heard;
  Run& run = heard.run;
  {
    Run::Scope const scope(run, SolveStage::barrier);
    run.spendBarrier(7);
    Progress progress;
    progress.stage = Stage::barrier;
    progress.iterations = 7;
    run.progress(progress);
    std::this_thread::sleep_for(2ms);
  }
  {
    Run::Scope const scope(run, SolveStage::pivots);
    run.spend(5, true);
    run.progress({});
    run.spend(4);
    run.progress({});
    run.trace("launch", {});
    run.checkpoint(small, SolveAlgorithm::dual);
  }
  BOOST_TEST_REQUIRE(heard.progress.size() == 3u);
  BOOST_TEST(heard.progress[0].iterations == 7);
  BOOST_TEST(heard.progress[1].iterations == 5);
  BOOST_TEST(heard.progress[2].iterations == 9);
  BOOST_TEST(heard.progress[1].seconds >= 2e-3);
  BOOST_TEST(heard.events.at(0).iterations == 9);
  BOOST_TEST(heard.events.at(0).seconds >= heard.progress[2].seconds);
  BOOST_TEST(heard.checkpoints.at(0).iterations == 9);
  Solution solution;
  run.conclude(solution);
  BOOST_TEST(solution.iterations == 9);
  BOOST_TEST(solution.phase1Iterations == 5);
  BOOST_TEST(solution.barrierIterations == 7);
  BOOST_TEST(solution.barrierSeconds >= 2e-3);
  BOOST_TEST(solution.seconds >= solution.barrierSeconds);
  BOOST_TEST(heard.budget.iterationsSpent() == 16);
  BOOST_TEST_REQUIRE(solution.plan.stages.size() == 2u);
  BOOST_TEST(solution.plan.stages[0].stage == "barrier");
  BOOST_TEST(solution.plan.stages[1].stage == "pivots");
}

// An engine that is made in the middle of a solve is part of it, the first one is not.
BOOST_AUTO_TEST_CASE(a_stage_has_its_own_seconds) {
  Listener heard;
  Run& run = heard.run;
  auto const load = [&] {
    Run::Scope const scope(run, SolveStage::load);
    std::this_thread::sleep_for(20ms);
  };
  load();
  BOOST_TEST(run.seconds() == 0.0);
  {
    Run::Scope const scope(run, SolveStage::pivots);
    std::this_thread::sleep_for(2ms);
    load();
  }
  BOOST_TEST(run.seconds() >= 22e-3);
  BOOST_TEST(run.seconds(SolveStage::load) >= 40e-3);
  BOOST_TEST(run.seconds(SolveStage::pivots) >= 2e-3);
  BOOST_TEST(run.seconds(SolveStage::load) + run.seconds(SolveStage::pivots) >=
             run.seconds() + 19e-3);
  double const before = run.seconds();
  std::this_thread::sleep_for(1ms);
  BOOST_TEST(run.seconds() == before);
}

BOOST_AUTO_TEST_CASE(the_limit_of_a_part_does_not_end_the_solve) {
  Listener heard;
  Run& run = heard.run;
  Budget few(heard.budget, 3);
  {
    Run::Within const within(run, few);
    run.spend(3);
    BOOST_TEST((run.budget().reached() == Limit::iterations));
    run.checkpoint(small, SolveAlgorithm::primal, Status::iterationLimit);
    run.checkpoint(small, SolveAlgorithm::primal, Status::optimal);
  }
  BOOST_TEST(run.budget().iterationsLeft() == 97);
  run.spend(97);
  run.checkpoint(small, SolveAlgorithm::primal, Status::iterationLimit);
  BOOST_TEST_REQUIRE(heard.checkpoints.size() == 3u);
  BOOST_TEST(!heard.checkpoints[0].status);
  BOOST_TEST((heard.checkpoints[1].status == Status::optimal));
  BOOST_TEST((heard.checkpoints[2].status == Status::iterationLimit));
}

BOOST_AUTO_TEST_CASE(checkpoints_of_another_problem_are_of_the_given_one) {
  Listener heard;
  Basis const large{{VariableStatus::basic, VariableStatus::free}, {}};
  {
    Run::Elsewhere const elsewhere(heard.run, [&](Basis const& basis) {
      BOOST_TEST((basis == small));
      return large;
    });
    heard.run.checkpoint(small, SolveAlgorithm::dual, Status::optimal);
  }
  heard.run.checkpoint(small, SolveAlgorithm::dual, Status::optimal);
  BOOST_TEST_REQUIRE(heard.checkpoints.size() == 2u);
  BOOST_TEST((heard.checkpoints[0].basis == large));
  BOOST_TEST(!heard.checkpoints[0].status);
  BOOST_TEST((heard.checkpoints[1].basis == small));
  BOOST_TEST((heard.checkpoints[1].status == Status::optimal));
}

BOOST_AUTO_TEST_CASE(a_run_beside_counts_on_and_is_taken_over) {
  Listener heard;
  Callbacks const quiet;
  Budget own(1e9, 50, {});
  heard.run.spend(10, true);
  Run beside(quiet, own);
  beside.goOnFrom(heard.run);
  beside.spend(6);
  BOOST_TEST(beside.iterations() == 16);
  heard.run.take(beside);
  BOOST_TEST(heard.run.iterations() == 16);
  BOOST_TEST(heard.run.firstIterations() == 10);
  BOOST_TEST(heard.budget.iterationsSpent() == 16);
}

BOOST_AUTO_TEST_CASE(a_plan_is_told_and_kept) {
  Listener heard;
  heard.run.plan({"engine", "host", "few cells", {{"host", 0.5}, {"cuda"}}});
  BOOST_TEST_REQUIRE(heard.choices.size() == 1u);
  BOOST_TEST(sentenceOf(heard.choices[0]) == "plan: engine host (few cells)");
  Solution solution;
  heard.run.conclude(solution);
  BOOST_TEST_REQUIRE(solution.plan.choices.size() == 1u);
  BOOST_TEST(solution.plan.choices[0].ways.size() == 2u);
  BOOST_TEST(solution.plan.stages.empty());
}

BOOST_AUTO_TEST_SUITE_END()
