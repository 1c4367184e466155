// SPDX-License-Identifier: EPL-2.0
//
// Whole campaigns with workers that are shell scripts, so that they crash, hang and lie on demand.

#include "lab/stress/campaign.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <sstream>

#include "lab/stress/summary.hpp"
#include "lab/stress/worker_process.hpp"

using namespace osi_cuda;
using namespace osi_cuda::stress;

namespace {

std::vector<std::string> shell(std::string const& script) {
  return {"/bin/sh", "-c", script};
}

Claim optimumOf(std::string const& solver, double residual) {
  Claim claim;
  claim.solver = solver;
  claim.answer = Answer::optimal;
  claim.judged = {residual, 0.0, 0.0, 1.0};
  return claim;
}

/// A worker whose own solve does what `own` says, and whose peer has an answer that stands up.
std::vector<std::string> scripted(std::string const& own) {
  return shell(R"(while read -r line; do case "$line" in
    problem*) echo "made 1 1 1" >&3 ;;
    own*) )" + own +
               R"( ;;
    peer*) printf '%s\n' ')" +
               lineOf(optimumOf("clp", 0.0)) +
               R"(' >&3 ;;
    *) echo "failed here" >&3 ;;
  esac; done)");
}

ProblemResult resultOf(std::string const& own) {
  Campaign campaign;
  campaign.kinds = {"assignment"};
  campaign.constructedPerSeed = 1;
  campaign.variants = {{"host", "dual", "auto"}};
  campaign.peers = {"clp"};
  campaign.worker = scripted(own);
  std::vector<ProblemResult> results;
  run(campaign, [&](ProblemResult const& result) { results.push_back(result); });
  BOOST_REQUIRE(results.size() == 1);
  BOOST_REQUIRE(results.front().claims.size() == 2);
  return results.front();
}

std::string reply(Claim const& claim) {
  return "printf '%s\\n' '" + lineOf(claim) + "' >&3";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(campaigns)

BOOST_AUTO_TEST_CASE(a_process_that_replies_crashes_or_hangs) {
  WorkerProcess good(shell("while read -r line; do echo \"got $line\" >&3; done"));
  auto reply = good.ask("a", 10.0);
  BOOST_TEST((reply.outcome == WorkerProcess::Outcome::replied));
  BOOST_TEST(reply.line == "got a");
  BOOST_TEST(good.ask("b", 10.0).line == "got b");

  WorkerProcess crashing(shell("read -r line; kill -SEGV $$"));
  BOOST_TEST((crashing.ask("a", 10.0).outcome == WorkerProcess::Outcome::crashed));
  BOOST_TEST((crashing.ask("a", 10.0).outcome == WorkerProcess::Outcome::crashed));  // a new one

  auto const start = std::chrono::steady_clock::now();
  WorkerProcess hanging(shell("read -r line; exec sleep 600"));
  BOOST_TEST((hanging.ask("a", 0.3).outcome == WorkerProcess::Outcome::late));
  BOOST_TEST((std::chrono::steady_clock::now() - start < std::chrono::seconds(60)));

  WorkerProcess absent({"/no/such/program"});
  BOOST_CHECK_THROW(absent.ask("a", 1.0), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_right_answer) {
  auto const result = resultOf(reply(optimumOf("own", 1e-9)));
  BOOST_TEST((result.judgements[0].verdict == Verdict::right));
  BOOST_TEST(!result.judgements[0].missing);
}

BOOST_AUTO_TEST_CASE(a_false_answer) {
  auto const result = resultOf(reply(optimumOf("own", 1e-3)));
  BOOST_TEST((result.judgements[0].verdict == Verdict::wrong));
  BOOST_TEST((result.judgements[1].verdict == Verdict::right));
  Summary summary;
  summary.add(result);
  BOOST_TEST(summary.total().wrong == 1);
  BOOST_TEST(summary.total().wanted == 1);
  BOOST_TEST(summary.total().peers.at("clp").wrong == 0);
  std::ostringstream table;
  summary.printShort(table, {"clp"});
  BOOST_TEST(table.str().find("| all |  | 1 | 1 | 1 | 0 | 0 | 0 |") != std::string::npos);
  BOOST_TEST(csvLines(result).find(",false,0,") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_crash_is_a_missing_answer) {
  auto const result = resultOf("kill -SEGV $$");
  BOOST_TEST((result.claims[0].answer == Answer::crash));
  BOOST_TEST((result.judgements[0].verdict == Verdict::none));
  BOOST_TEST(result.judgements[0].missing);
  BOOST_TEST(result.claims[1].solver == "clp");  // asked of a new process
}

BOOST_AUTO_TEST_CASE(a_worker_that_throws_is_a_missing_answer) {
  auto const result = resultOf("echo failed out of memory >&3");
  BOOST_TEST((result.claims[0].answer == Answer::numerical));
  BOOST_TEST(result.claims[0].message == "failed out of memory");
  BOOST_TEST(result.judgements[0].missing);
}

BOOST_AUTO_TEST_CASE(as_many_seeds_as_solves_need) {
  Campaign campaign;
  campaign.kinds = {"assignment", "klee-minty"};
  campaign.constructedPerSeed = 3;
  campaign.variants = {{"host", "dual", "auto"}, {"host", "primal", "auto"}};
  BOOST_TEST(variantsOf(campaign, "assignment").size() == 2u);
  BOOST_TEST(variantsOf(campaign, "klee-minty").size() == 12u);
  BOOST_TEST(tasksOf(campaign).size() == 6u);
  campaign.solves = 100;  // 42 a seed
  BOOST_TEST(tasksOf(campaign).size() == 18u);
  campaign.kinds = {"no such kind"};
  BOOST_CHECK_THROW(tasksOf(campaign), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
