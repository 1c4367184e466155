// SPDX-License-Identifier: EPL-2.0
// osi-cuda solve --trace: what the file holds, and what becomes of it when something goes wrong.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/solve_files.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::ProgramResult;
using testing::runOsiCuda;
using testing::TemporaryFolder;

/// The events of a trace; a line that is no JSON object fails the test.
std::vector<Json> eventsOf(std::string const& text) {
  std::vector<Json> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    events.push_back(Json::parse(line));
    BOOST_TEST(events.back().is_object());
  }
  return events;
}

std::vector<Json> ofKind(std::vector<Json> const& events, std::string const& kind) {
  std::vector<Json> found;
  for (Json const& event : events)
    if (event["event"] == kind) found.push_back(event);
  return found;
}

struct Fixture {
  TemporaryFolder folder;
  std::string problem = folder.write("problem.mps", testing::assignmentMps(30));
  std::string trace = folder.file("trace.jsonl");

  Json solve(std::vector<std::string> options) {
    options.insert(options.begin(), {"solve", problem, "--json", "--engine", "host"});
    ProgramResult const result = runOsiCuda(options);
    BOOST_TEST(result.status == 0, result.errors);
    return Json::parse(result.output);
  }
};

BOOST_FIXTURE_TEST_SUITE(trace, Fixture)

BOOST_AUTO_TEST_CASE(everyLaunchHasALine) {
  for (std::string const algorithm : {"primal", "dual"}) {
    Json const json = solve({"--trace", trace, "--algorithm", algorithm, "--block-size", "8"});
    std::vector<Json> const events = eventsOf(testing::readWholeFile(trace));
    BOOST_REQUIRE(!events.empty());
    BOOST_TEST(events.front()["event"] == "begin");
    BOOST_TEST(events.front()["file"] == problem);
    BOOST_TEST(events.front()["algorithm"] == algorithm);
    BOOST_TEST(events.front()["block-size"] == "8");
    BOOST_TEST(!events.front().contains("pricing"), "only what differs from the default");

    std::int64_t pivots = 0;
    std::vector<Json> const launches = ofKind(events, "launch");
    BOOST_TEST(launches.size() >= 2u);
    for (Json const& launch : launches) {
      pivots += launch["pivots"].get<std::int64_t>() + launch["flips"].get<std::int64_t>();
      BOOST_TEST(launch["iterations"] == pivots);
      for (char const* key : {"phase", "rule", "primal_tolerance", "dual_tolerance",
                              "pivot_tolerance", "relative_pivot", "budget", "altered", "stop",
                              "degenerate", "worst_pivot", "primal_sum", "primal_max",
                              "primal_count", "dual_sum", "dual_max", "dual_count", "objective"})
        BOOST_TEST(launch.contains(key), key);
    }
    BOOST_TEST(json["iterations"] == pivots);
    BOOST_TEST(ofKind(events, "start").front()["columns"] == 900);
    BOOST_TEST(ofKind(events, "phase_end").size() >= 1u);
    std::vector<Json> const proofs = ofKind(events, "proof");
    BOOST_TEST(proofs.back()["claim"] == "optimal");
    BOOST_TEST(proofs.back()["proved"] == true);
    BOOST_TEST(events.back()["event"] == "end");
    BOOST_TEST(events.back()["status"] == "optimal");
    BOOST_TEST(events.back()["objective"] == json["objective"]);
    BOOST_TEST(!std::filesystem::exists(trace + ".bas"));
  }
}

BOOST_AUTO_TEST_CASE(aTraceChangesNoPivot) {
  Json const with = solve({"--trace", trace});
  Json const without = solve({});
  BOOST_TEST(with["iterations"] == without["iterations"]);
  BOOST_TEST(with["objective"] == without["objective"]);
}

BOOST_AUTO_TEST_CASE(perturbationsAndTheirEndAreEvents) {
  solve({"--trace", trace, "--perturbation", "on", "--algorithm", "dual"});
  std::vector<Json> const events = eventsOf(testing::readWholeFile(trace));
  BOOST_TEST(ofKind(events, "perturb_costs").size() + ofKind(events, "modify_costs").size() >= 1u);
  BOOST_TEST(ofKind(events, "restore").size() >= 1u);
}

BOOST_AUTO_TEST_CASE(aLimitSaysWhyThePhaseEnded) {
  ProgramResult const result =
      runOsiCuda({"solve", problem, "--iteration-limit", "3", "--trace", trace});
  BOOST_TEST(result.status == 2);
  std::vector<Json> const events = eventsOf(testing::readWholeFile(trace));
  BOOST_TEST(ofKind(events, "phase_end").back()["stop"] == "interrupted");
  BOOST_TEST(ofKind(events, "phase_end").back()["why"] == "iteration_limit");
}

BOOST_AUTO_TEST_CASE(aFileThatCannotBeWrittenIsToldBeforeTheSolve) {
  ProgramResult const result =
      runOsiCuda({"solve", problem, "--trace", folder.file("missing/trace")});
  BOOST_TEST(result.status == 73);
  BOOST_TEST(result.errors == "osi-cuda: can't write '" + folder.file("missing/trace") +
                                  "': No such file or directory\n");
  ProgramResult const standard = runOsiCuda({"solve", problem, "--trace", "-"});
  BOOST_TEST(standard.status == 64);
  BOOST_TEST(standard.errors.find("--trace needs the name of a file") != std::string::npos,
             standard.errors);
}

BOOST_AUTO_TEST_CASE(aFullDiskEndsTheTraceAndNotTheSolve,
                     *osi_cuda::testing::needsFile("/dev/full")) {
  Json const json = solve({"--trace", "/dev/full"});
  BOOST_TEST(json["status"] == "optimal");
  std::vector<std::string> const notices = json["notices"];
  BOOST_REQUIRE(!notices.empty());
  BOOST_TEST(notices.front() ==
             "The trace ends here: can't write '/dev/full': No space left on device");
}

BOOST_AUTO_TEST_CASE(numbersThatAreNotFiniteAreNull) {
  TraceEvent event;
  event.kind = "round";
  event.fields = {{"a", std::numeric_limits<double>::infinity()}, {"b", true}, {"c", "\xff"}};
  BOOST_TEST(cli::traceLine(event) ==
             R"({"event":"round","seconds":0.0,"iterations":0,"a":null,"b":true,"c":")"
             "\xef\xbf\xbd"
             R"("})");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
