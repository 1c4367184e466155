// SPDX-License-Identifier: EPL-2.0
// What the program says to what it can't do: exit status and the exact words.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "osi_cuda/solve/engines.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using testing::ProgramResult;
using testing::runOsiCuda;
using testing::TemporaryFolder;

struct Refused {
  std::vector<std::string> arguments;
  int status;
  std::string line;
};

/// A fault within a command points to that command's help.
std::string helpHint(std::vector<std::string> const& words) {
  bool const inCommand = !words.empty() && (words[0] == "solve" || words[0] == "batch");
  return "Run osi-cuda " + (inCommand ? words[0] + " " : "") + "--help for help.\n";
}

void check(Refused const& refused) {
  std::string shown = "osi-cuda";
  for (std::string const& word : refused.arguments) shown += " " + word;
  BOOST_TEST_CONTEXT(shown) {
    ProgramResult const result = runOsiCuda(refused.arguments);
    BOOST_TEST(result.status == refused.status);
    BOOST_TEST(result.errors ==
               refused.line + "\n" + (refused.status == 64 ? helpHint(refused.arguments) : ""));
    BOOST_TEST(result.output == "");
  }
}

BOOST_AUTO_TEST_SUITE(usage)

BOOST_AUTO_TEST_CASE(wrongUsageIs64) {
  Refused const cases[] = {
      {{}, 64, "osi-cuda: a command is missing"},
      {{"slove", "x.mps"}, 64, "osi-cuda: unknown command 'slove'; did you mean 'solve'?"},
      {{"help", "slove"}, 64, "osi-cuda: unknown command 'slove'; did you mean 'solve'?"},
      {{"batch", "x.csv", "--jobs", "0"}, 64, "osi-cuda: --jobs: Value 0 not in range 1 to 4096"},
      {{"--fast"}, 64, "osi-cuda: unknown option '--fast'"},
      {{"solve"}, 64, "osi-cuda: FILE is required"},
      {{"solve", "x.mps", "y.mps"}, 64, "osi-cuda: unexpected argument 'y.mps'"},
      {{"solve", "x.mps", "--engin", "host"},
       64,
       "osi-cuda: unknown option '--engin'; did you mean '--engine'?"},
      {{"solve", "x.mps", "--zzzzz=1"}, 64, "osi-cuda: unknown option '--zzzzz'"},
      {{"solve", "x.mps", "--engine"}, 64, "osi-cuda: --engine: a value is missing"},
      {{"solve", "x.mps", "--engine", "gpu"},
       64,
       "osi-cuda: --engine: expected auto, cuda or host, found 'gpu'"},
      {{"solve", "x.mps", "--time-limit", "1h"},
       64,
       "osi-cuda: --time-limit: expected none or a number >= 0, found '1h'"},
      {{"solve", "x.mps", "--primal-tolerance=0"},
       64,
       "osi-cuda: --primal-tolerance: expected a number from 1e-12 to 0.1, found '0'"},
  };
  for (Refused const& refused : cases) check(refused);
}

BOOST_AUTO_TEST_CASE(filesThatAreNotThereAre66) {
  TemporaryFolder const folder;
  check({{"none.mps"}, 66, "osi-cuda: none.mps: No such file or directory"});
  check({{"solve", folder.file("none.mps")},
         66,
         "osi-cuda: " + folder.file("none.mps") + ": No such file or directory"});
  check({{"solve", folder.path().string()},
         66,
         "osi-cuda: " + folder.path().string() + ": Is a directory"});
  std::string const lp = folder.write("small.mps", testing::smallMps());
  check({{"solve", lp, "--quiet", "--basis-in", folder.file("none.bas")},
         66,
         "osi-cuda: " + folder.file("none.bas") + ": No such file or directory"});
}

BOOST_AUTO_TEST_CASE(badFilesAre65WithTheirPlace) {
  TemporaryFolder const folder;
  std::string const file = folder.write("bad.mps", "NAME bad\nROWS\n N cost\n Q row\n");
  check({{"solve", file}, 65, file + ":4:2: expected a row type (N, E, L or G), found \"Q\""});
  std::string const lp = folder.write("small.mps", testing::smallMps());
  std::string const basis = folder.write("bad.bas", "NAME\n XU x nowhere\nENDATA\n");
  ProgramResult const result = runOsiCuda({"solve", lp, "--quiet", "--basis-in", basis});
  BOOST_TEST(result.status == 65);
  BOOST_TEST(result.errors.rfind(basis + ":2:", 0) == 0u, result.errors);
}

std::string whyEngineIsThere() {
  return findEngines().back().devices.empty() ? "" : "here the engine cuda is not missing";
}

BOOST_AUTO_TEST_CASE(missingEngineIs69, *testing::needs(whyEngineIsThere)) {
  ProgramResult const info = runOsiCuda({"info", "--json"});
  auto const engines = nlohmann::json::parse(info.output)["engines"];
  BOOST_REQUIRE(engines.size() == 2u);
  BOOST_REQUIRE(engines[1]["name"] == "cuda");
  TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  std::string const reason = engines[1]["reason"];
  check({{"solve", lp, "--quiet", "--engine", "cuda"}, 69, "osi-cuda: engine cuda: " + reason});
}

BOOST_AUTO_TEST_CASE(errorsUnderJsonAreAnObject) {
  ProgramResult const usage = runOsiCuda({"solve", "--json", "x.mps", "--pricing", "best"});
  BOOST_TEST(usage.status == 64);
  auto const object = nlohmann::json::parse(usage.output);
  BOOST_TEST(object["status"] == "error");
  BOOST_TEST(object["exit_status"] == 64);
  BOOST_TEST(
      object["message"] ==
      "--pricing: expected auto, steepest, sketched, devex, dantzig or greatest, found 'best'");

  TemporaryFolder const folder;
  std::string const file = folder.write("bad.mps", "NAME bad\nROWS\n N cost\n Q row\n");
  ProgramResult const bad = runOsiCuda({"solve", "--json", file});
  BOOST_TEST(bad.status == 65);
  auto const place = nlohmann::json::parse(bad.output);
  BOOST_TEST(place["file"] == file);
  BOOST_TEST(place["line"] == 4);
  BOOST_TEST(place["column"] == 2);
  BOOST_TEST(place["found"] == "\"Q\"");
}

BOOST_AUTO_TEST_CASE(aFileAloneIsSolved) {
  TemporaryFolder const folder;
  std::string const lp = folder.write("small.mps", testing::smallMps());
  ProgramResult const alone = runOsiCuda({lp, "--engine", "host", "--json"});
  BOOST_TEST(alone.status == 0, alone.errors);
  BOOST_TEST(nlohmann::json::parse(alone.output)["objective"] == -10.0);
}

BOOST_AUTO_TEST_CASE(helpFitsATerminalAndListsTheSolversOptionsOnce) {
  for (char const* command : {"solve", "batch", "compare", "regress", "merge", "report", "convert",
                              "doctor", "ampl", "info"}) {
    ProgramResult const result = runOsiCuda({"help", command});
    BOOST_TEST_CONTEXT(command) {
      BOOST_TEST(result.status == 0);
      BOOST_TEST(result.output == runOsiCuda({command, "--help"}).output);
      std::istringstream lines(result.output);
      for (std::string line; std::getline(lines, line);) BOOST_TEST(line.size() <= 80u, line);
      bool const lists = result.output.find("--primal-tolerance") != std::string::npos;
      BOOST_TEST(lists == (command == std::string("solve")));
      for (char const* raw : {"INT", "TEXT", "FLOAT", "{", " in ["})
        BOOST_TEST(result.output.find(raw) == std::string::npos, raw << " in " << result.output);
    }
  }
  BOOST_TEST(runOsiCuda({"help"}).output == runOsiCuda({"--help"}).output);
  BOOST_TEST(runOsiCuda({"-V"}).output == OSI_CUDA_VERSION "\n");
}

BOOST_AUTO_TEST_CASE(helpIsNoError) {
  ProgramResult const general = runOsiCuda({"--help"});
  BOOST_TEST(general.status == 0);
  BOOST_TEST(general.output.find("compare") != std::string::npos);
  ProgramResult const solve = runOsiCuda({"solve", "--help"});
  BOOST_TEST(solve.status == 0);
  BOOST_TEST(solve.output.find("--primal-tolerance") != std::string::npos);
  ProgramResult const version = runOsiCuda({"--version"});
  BOOST_TEST(version.status == 0);
  BOOST_TEST(version.output == OSI_CUDA_VERSION "\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
