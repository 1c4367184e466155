// SPDX-License-Identifier: EPL-2.0
#include "bridges/comparison.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/faulty_bridge.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::Fault;
using osi_cuda::testing::FaultyBridge;
using osi_cuda::testing::randomLp;

namespace {

Comparison against(std::vector<BridgePointer> honest, Fault fault, LinearProgram const& lp) {
  std::vector<Contestant> contestants;
  for (auto const& bridge : honest) contestants.push_back({bridge, bridge->algorithms().front()});
  contestants.push_back({std::make_shared<FaultyBridge>(fault), "only"});
  return compareSolvers(lp, contestants);
}

std::vector<BridgePointer> named(char const* name) {
  return {findBridge(bridges(), name)};
}

testing::RandomLp draw(std::uint64_t seed, Status status) {
  testing::RandomLpShape shape;
  shape.status = status;
  shape.emptyDimensions = false;
  return randomLp(seed, shape);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(honestSolversAgree) {
  auto const result = against(bridges(), Fault::none, draw(3, Status::optimal).lp);
  BOOST_TEST(!result.disagreement());
  BOOST_TEST(result.truth.proved);
}

BOOST_AUTO_TEST_CASE(everyFaultIsSeenAndBlamedOnTheFaultySolver) {
  for (auto const fault : {Fault::objective, Fault::point, Fault::duals, Fault::notOptimal,
                           Fault::saysInfeasible, Fault::saysUnbounded, Fault::falseCertificate}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      auto const made = draw(seed, Status::optimal);
      auto const result = against(named("glpk"), fault, made.lp);
      BOOST_TEST_CONTEXT(made.description << ", fault " << int(fault)) {
        BOOST_TEST((result.answers[0].verdict == Verdict::agrees), result.answers[0].reason);
        BOOST_TEST((result.answers[1].verdict == Verdict::wrong));
        BOOST_TEST(!result.answers[1].reason.empty());
        BOOST_TEST(result.disagreement());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(aFalseOptimumOfAnInfeasibleProblemIsSeen) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const made = draw(seed, Status::infeasible);
    // lp_solve gives no certificate: the arbiter has to find one.
    auto const result = against(named("lp_solve"), Fault::saysOptimal, made.lp);
    BOOST_TEST_CONTEXT(made.description) {
      BOOST_TEST((result.answers[1].verdict == Verdict::wrong),
                 toString(result.answers[1].verdict) << ' ' << result.answers[1].reason);
      BOOST_TEST((result.answers[0].verdict == Verdict::agrees), result.answers[0].reason);
    }
  }
}

BOOST_AUTO_TEST_CASE(twoUnprovedClaimsGoToTheArbiter) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const made = draw(seed, Status::unbounded);
    auto const result = against(named("lp_solve"), Fault::saysInfeasible, made.lp);
    BOOST_TEST_CONTEXT(made.description) {
      BOOST_TEST(result.truth.proved);
      BOOST_TEST((result.truth.status == Status::unbounded));
      BOOST_TEST((result.answers[0].verdict == Verdict::agrees), result.answers[0].reason);
      BOOST_TEST((result.answers[1].verdict == Verdict::wrong));
    }
  }
}

BOOST_AUTO_TEST_CASE(aSolverThatThrowsIsOnlyStopped) {
  auto const result = against(named("clp"), Fault::throws, draw(1, Status::optimal).lp);
  BOOST_TEST((result.answers[1].verdict == Verdict::stopped));
  BOOST_TEST(result.answers[1].reason == "the faulty solver fell over");
  BOOST_TEST(!result.disagreement());
}

BOOST_AUTO_TEST_CASE(aBasisThatIsNotOptimalIsNotConfirmed) {
  auto const made = draw(5, Status::optimal);
  auto const all = bridges();
  Answer answer;
  answer.solver = "test";
  answer.algorithm = "basis";
  answer.solution.status = Status::optimal;
  answer.solution.objective = made.objective;
  answer.solution.basis = made.basis;
  auto const judges = parseContestants("glpk,clp", all);
  for (auto const& check : warmChecks(made.lp, answer, judges, {}))
    BOOST_TEST(check.confirmed, check.sentence);
  answer.solution.objective += 1.0;
  auto const checks = warmChecks(made.lp, answer, judges, {});
  BOOST_TEST(checks.size() == 2u);
  for (auto const& check : checks) {
    BOOST_TEST(!check.confirmed);
    BOOST_TEST(check.sentence.find("0 iterations") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(contestantsByName) {
  auto const all = bridges();
  auto const list = parseContestants("clp/primal,glpk/all,lp_solve", all);
  BOOST_TEST(list.size() == 6u);
  BOOST_TEST(list[0].label() == "clp/primal");
  BOOST_TEST(list[5].label() == "lp_solve/primal");
  BOOST_CHECK_EXCEPTION(parseContestants("cplex", all), std::invalid_argument, [](auto const& e) {
    return std::string(e.what()).starts_with("no solver 'cplex' here; there are glpk with primal");
  });
  BOOST_CHECK_THROW(parseContestants("clp/magic", all), std::invalid_argument);
  BOOST_CHECK_THROW(parseContestants("", all), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(anInterruptKeepsTheAnswersSoFar) {
  auto const all = bridges();
  int calls = 0;
  ComparisonOptions options;
  options.finished = [&](Answer const&) { ++calls; };
  options.interrupted = [&] { return calls >= 2; };
  auto const result =
      compareSolvers(draw(2, Status::optimal).lp, parseContestants("glpk/all,clp", all), options);
  BOOST_TEST(result.answers.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
