// SPDX-License-Identifier: EPL-2.0
#include "cli/compare.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "tests/cli/three_problems.hpp"
#include "tests/support/faulty_bridge.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;
using namespace osi_cuda::cli;
using osi_cuda::testing::Fault;
using osi_cuda::testing::FaultyBridge;

namespace {

CompareRequest asked(std::vector<std::string> files, std::string with = "") {
  CompareRequest request;
  request.files = std::move(files);
  request.with = std::move(with);
  return request;
}

struct Outcome {
  ExitStatus status;
  std::string out, log;
};

Outcome compareText(CompareRequest const& request, std::vector<BridgePointer> const& solvers) {
  std::ostringstream out, log;
  auto const status = compareFiles(request, solvers, out, log);
  return {status, out.str(), log.str()};
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

struct Files : testing::TemporaryFolder {
  std::string feasible = write("feasible.mps", testing::feasibleMps);
  std::string infeasible = write("infeasible.mps", testing::infeasibleMps);
  std::string unbounded = write("unbounded.mps", testing::unboundedMps);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(compare_command, Files)

BOOST_AUTO_TEST_CASE(agreementOnAnOptimum) {
  auto const outcome = compareText(asked({feasible}), allSolvers());
  BOOST_TEST(int(outcome.status) == 0);
  for (auto const* label : {"osi_cuda/auto", "glpk/primal", "lp_solve/primal", "clp/dual"})
    BOOST_TEST(contains(outcome.out, label), label);
  BOOST_TEST(contains(outcome.out, "-10.5"));
  BOOST_TEST(contains(outcome.out, "warm start: glpk/primal confirms the final basis"));
  BOOST_TEST(contains(outcome.out, "warm start: clp/dual confirms the final basis"));
  BOOST_TEST(contains(outcome.out, "optimal -10.5, proved by"));
}

BOOST_AUTO_TEST_CASE(agreementOnProblemsWithoutOptimum) {
  for (auto const& file : {infeasible, unbounded}) {
    auto const outcome = compareText(asked({file}), allSolvers());
    BOOST_TEST(int(outcome.status) == 1, outcome.out);
    BOOST_TEST(contains(outcome.out, ", proved by"));
  }
}

BOOST_AUTO_TEST_CASE(aFaultySolverIsCaughtAndNamed) {
  for (auto const fault : {Fault::objective, Fault::point, Fault::duals, Fault::saysInfeasible,
                           Fault::saysUnbounded, Fault::falseCertificate}) {
    auto solvers = allSolvers();
    solvers.push_back(std::make_shared<FaultyBridge>(fault));
    auto const outcome = compareText(asked({feasible}, "clp,faulty"), solvers);
    BOOST_TEST(int(outcome.status) == 4, outcome.out);
    BOOST_TEST(contains(outcome.out, "faulty/only (wrong): "), outcome.out);
    BOOST_TEST(!contains(outcome.out, "clp/dual (wrong)"), outcome.out);
  }
}

BOOST_AUTO_TEST_CASE(jsonIsOneArray) {
  auto request = asked({feasible, unbounded}, "clp,glpk");
  request.json = true;
  auto const outcome = compareText(request, allSolvers());
  auto const json = nlohmann::json::parse(outcome.out);
  BOOST_TEST(json.size() == 2u);
  BOOST_TEST(json[0]["truth"]["objective"].get<double>() == -10.5,
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(json[0]["answers"].size() == 3u);
  BOOST_TEST(json[0]["answers"][0]["solver"] == "osi_cuda");
  BOOST_TEST(json[0]["answers"][0]["residuals"]["primal"].get<double>() < 1e-9);
  BOOST_TEST(json[0]["warm_starts"].size() == 2u);
  BOOST_TEST(json[1]["truth"]["status"] == "unbounded");
  BOOST_TEST(json[1]["exit_status"] == 1);
  BOOST_TEST(int(outcome.status) == 1);
}

BOOST_AUTO_TEST_CASE(aBadFileDoesNotHideTheOthers) {
  auto const bad = write("bad.mps", "ROWS\n Q  COST\nENDATA\n");
  auto const outcome =
      compareText(asked({bad, file("missing.mps"), feasible}, "clp"), allSolvers());
  BOOST_TEST(int(outcome.status) == 65);
  BOOST_TEST(contains(outcome.log, "bad.mps:2:"));
  BOOST_TEST(contains(outcome.log, "missing.mps"));
  BOOST_TEST(contains(outcome.out, "optimal -10.5"));
}

BOOST_AUTO_TEST_CASE(anInterruptStopsBetweenFiles) {
  auto request = asked({feasible, feasible});
  request.options.interrupted = [] { return true; };
  auto const outcome = compareText(request, allSolvers());
  BOOST_TEST(int(outcome.status) == 2);
  BOOST_TEST(outcome.out.empty());
}

BOOST_AUTO_TEST_CASE(engineByName) {
  auto const outcome = compareText(asked({feasible}, "osi_cuda@host/all,clp"), allSolvers());
  BOOST_TEST(int(outcome.status) == 0);
  BOOST_TEST(contains(outcome.out, "osi_cuda@host/dual"));
  BOOST_TEST(!contains(outcome.out, "osi_cuda/auto"));
}

BOOST_AUTO_TEST_SUITE_END()
