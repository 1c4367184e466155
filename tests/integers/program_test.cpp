// SPDX-License-Identifier: EPL-2.0
// osi-cuda solve --integers as its users meet it.
#include <signal.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "readers/write.hpp"
#include "tests/support/dense_mips.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::osiCudaProgram;
using testing::Program;
using testing::ProgramResult;
using testing::readWholeFile;
using testing::runOsiCuda;
using testing::TemporaryFolder;

/// max x + y; 2 x + 2 y <= 3 (or = 3), whole.
std::string halfMps(char sense) {
  return std::string("NAME half\nROWS\n N cost\n ") + sense +
         " most\nCOLUMNS\n M1 'MARKER' 'INTORG'\n x cost -1 most 2\n y cost -1 most 2\n"
         " M1 'MARKER' 'INTEND'\nRHS\n rhs most 3\nBOUNDS\n UP b x 5\n UP b y 5\nENDATA\n";
}

ProgramResult solve(std::string const& file, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"solve", file, "--integers", "--engine", "host"};
  words.insert(words.end(), more.begin(), more.end());
  return runOsiCuda(words);
}

struct Files {
  TemporaryFolder folder;
  std::string half = folder.write("half.mps", halfMps('L'));
  std::string longSearch = folder.file("long.mps");
  Files() {
    readers::write(longSearch, testing::denseMip("knapsack:20x200:1"),
                   readers::FileFormat::freeMps);
  }
};

BOOST_AUTO_TEST_SUITE(integer_program)

BOOST_FIXTURE_TEST_CASE(anOptimum, Files) {
  std::string const solution = folder.file("half.sol");
  ProgramResult const result = solve(half, {"--json", "--solution", solution});
  BOOST_TEST(result.status == 0, result.errors);
  Json const json = Json::parse(result.output);
  BOOST_TEST(json["status"] == "optimal");
  BOOST_TEST(json["objective"] == -1.0);
  BOOST_TEST(json["proof"] == "tolerance");
  BOOST_TEST(json["search"]["by"] == "own");  // a dense problem
  BOOST_TEST(json["search"]["bound_proved"] == true);
  BOOST_TEST(json["search"]["confirmed_by"] == 0);
  BOOST_TEST(json["search"]["point_proof"] == "tolerance");
  BOOST_TEST(json["search"]["bound"].get<double>() <= -1.0);
  BOOST_TEST(json["search"]["gap"].get<double>() < 1e-5);
  for (char const* const key : {"nodes", "cuts", "linear_programs"})
    BOOST_TEST(json["search"][key].is_number_integer(), key);
  BOOST_TEST(json["objective_lower"].get<double>() <= -1.0);
  BOOST_TEST(json["objective_upper"] == -1.0);
  BOOST_TEST(json["notices"].empty(), json["notices"].dump());
  BOOST_TEST(readWholeFile(solution).find("optimal") != std::string::npos);
  ProgramResult const text = solve(half);
  BOOST_TEST(text.status == 0);
  BOOST_TEST(text.output.find("objective   -1.0000000000\n") != std::string::npos, text.output);
  BOOST_TEST(text.output.find("the bound, by 1 nodes") != std::string::npos, text.output);
  ProgramResult const claim = solve(half, {"--search", "cbc"});
  BOOST_TEST(claim.output.find("the bound is the search's claim") != std::string::npos,
             claim.output);
  // Without the option integers are relaxed with a notice.
  ProgramResult const relaxed = runOsiCuda({"solve", half});
  BOOST_TEST(relaxed.output.find("objective   -1.5000000000\n") != std::string::npos);
  BOOST_TEST(relaxed.errors.find("Relaxed: 2 integer columns (--integers keeps them)") !=
             std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(theOtherEnds, Files) {
  ProgramResult const infeasible =
      solve(folder.write("odd.mps", halfMps('E')), {"--json", "--quiet"});
  BOOST_TEST(infeasible.status == 1);
  Json json = Json::parse(infeasible.output);
  BOOST_TEST(json["status"] == "infeasible");
  BOOST_TEST(json["proof"] == "exact");
  BOOST_TEST(json["objective"].is_null());
  json = Json::parse(
      solve(folder.write("infeasible.mps", testing::infeasibleMps()), {"--json"}).output);
  BOOST_TEST(json["status"] == "infeasible");
  BOOST_TEST(json["proof"] != "none");
  ProgramResult const unbounded =
      solve(folder.write("unbounded.mps", testing::unboundedMps()), {"--json"});
  BOOST_TEST(unbounded.status == 1);
  BOOST_TEST(Json::parse(unbounded.output)["status"] == "unbounded");
}

BOOST_FIXTURE_TEST_CASE(limits, Files) {
  std::string const solution = folder.file("last.sol");
  ProgramResult const timed =
      solve(longSearch, {"--json", "--time-limit", "2", "--solution", solution});
  BOOST_TEST(timed.status == 2, timed.errors);
  Json json = Json::parse(timed.output);
  BOOST_TEST(json["status"] == "time_limit");
  BOOST_TEST(json["objective"].is_number());
  BOOST_TEST(readWholeFile(solution).find("time_limit") != std::string::npos);
  // Its incumbent is where another one starts.
  ProgramResult const again =
      solve(longSearch, {"--json", "--node-limit", "0", "--cuts", "off", "--start", solution});
  BOOST_TEST(again.status == 2, again.errors);
  BOOST_TEST(Json::parse(again.output)["objective"].get<double>() <=
             json["objective"].get<double>() + 1e-6);
  ProgramResult const none = solve(longSearch, {"--json", "--time-limit", "0"});
  BOOST_TEST(none.status == 2);
  BOOST_TEST(Json::parse(none.output)["objective"].is_null());
  ProgramResult const gap = solve(longSearch, {"--json", "--relative-gap", "0.05"});
  BOOST_TEST(gap.status == 0);
  BOOST_TEST(Json::parse(gap.output)["search"]["gap"].get<double>() <= 0.05);
}

BOOST_FIXTURE_TEST_CASE(ctrlCKeepsTheIncumbent, Files) {
  std::string const solution = folder.file("last.sol");
  Program program({osiCudaProgram(), "solve", longSearch, "--integers", "--json", "--verbose",
                   "--engine", "host", "--solution", solution});
  BOOST_REQUIRE(program.hasSaid("Incumbent: "));
  program.signal(SIGINT);
  BOOST_TEST(program.wait() == 2, program.errors());
  Json const json = Json::parse(program.output());
  BOOST_TEST(json["status"] == "interrupted");
  BOOST_TEST(json["objective"].is_number());
  BOOST_TEST(json["search"]["point_proof"] == "tolerance");
  BOOST_TEST(readWholeFile(solution).find("interrupted") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(setsAndSemicontinuousColumns, Files) {
  std::string const file =
      folder.write("sets.lp",
                   "max\n 3 x + 2 y + 4 z\nst\n c: x + y + z <= 9\nbounds\n 6 <= x <= 7\n"
                   " y <= 5\n z <= 4\nsemi\n x\nsos\n s: S2:: x:1 y:2 z:3\nend\n");
  ProgramResult const relaxed = runOsiCuda({"solve", file});
  BOOST_TEST(relaxed.output.find("1 semicontinuous column, 1 special ordered set (--integers keeps "
                                 "them)") != std::string::npos,
             relaxed.output);
  ProgramResult const found = solve(file, {"--json"});
  BOOST_TEST(found.status == 0, found.errors);
  Json const json = Json::parse(found.output);
  BOOST_TEST(json["objective"] == 26.0);  // y = 5, z = 4; x = 6 leaves 3 for y: 24
  BOOST_TEST(json["relaxed_sets"] == 0);
  BOOST_TEST(json["relaxed_semicontinuous"] == 0);
  BOOST_TEST(json["search"]["bound_proved"] == true);
  for (std::vector<std::string> const& more :
       std::vector<std::vector<std::string>>{{"--search", "cbc"}, {"--proof", "tree.vipr"}}) {
    ProgramResult const refused = solve(file, more);
    BOOST_TEST(refused.status == 64, refused.errors);
    BOOST_TEST(refused.errors.find("special ordered sets") != std::string::npos, refused.errors);
  }
  // From format to format, and back.
  for (std::string const& other : {folder.file("a.mps"), folder.file("b.lps")}) {
    BOOST_TEST(runOsiCuda({"convert", file, other}).status == 0);
    BOOST_TEST(Json::parse(solve(other, {"--json"}).output)["objective"] == 26.0);
  }
  BOOST_TEST(runOsiCuda({"convert", file, folder.file("c.npz")}).status != 0);
}

BOOST_FIXTURE_TEST_CASE(badInput, Files) {
  std::string const indicator =
      folder.write("indicator.lp", "max x + y\nst\n c: y = 1 -> x <= 3\nbinary\n y\nend\n");
  BOOST_TEST(solve(indicator).status == 65);
  for (std::vector<std::string> const& more :
       std::vector<std::vector<std::string>>{{"--cuts", "some"},
                                             {"--relative-gap", "-1"},
                                             {"--node-limit", "x"},
                                             {"--search-threads", "0"},
                                             {"--ranging", "r.json"},
                                             {"--proof", "p.json"},
                                             {"--basis-out", "b.bas"},
                                             {"--relax", "sum"},
                                             {"--trace", "t"}})
    BOOST_TEST(solve(half, more).status == 64, more.front());
  BOOST_TEST(runOsiCuda({"solve", half, "--start", half}).status == 65);
  BOOST_TEST(solve(half, {"--start", folder.file("none.sol")}).status == 66);
  BOOST_TEST(solve(half, {"--start", half}).status == 65);
  BOOST_TEST(solve(folder.file("none.mps")).status == 66);
}

BOOST_FIXTURE_TEST_CASE(aMissingModule, Files) {
  ::setenv("OSI_CUDA_CBC_PATH", "/nowhere", 1);
  ProgramResult const result = solve(half, {"--json", "--search", "cbc"});
  ProgramResult const own = solve(half, {"--json"});
  ::unsetenv("OSI_CUDA_CBC_PATH");
  BOOST_TEST(own.status == 0);
  BOOST_TEST(Json::parse(own.output)["search"]["by"] == "own");
  BOOST_TEST(result.status == 69);
  BOOST_TEST(result.errors.find("wheels of osi-cuda have it") != std::string::npos, result.errors);
  BOOST_TEST(Json::parse(result.output)["exit_status"] == 69);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
