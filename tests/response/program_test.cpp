// SPDX-License-Identifier: EPL-2.0
// The program as a user meets it: output, exit status, files.
#include <boost/test/unit_test.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace osi_cuda::response {
namespace {

using testing::Program;
using testing::ProgramResult;
using testing::readWholeFile;
using testing::TemporaryFolder;

ProgramResult run(std::vector<std::string> words) {
  std::string const ours = testing::osiCudaProgram();
  words.insert(words.begin(), ours.substr(0, ours.rfind('/')) + "/response");
  Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

nlohmann::json json(ProgramResult const& result) {
  return nlohmann::json::parse(result.output);
}

BOOST_AUTO_TEST_CASE(fromAMeshFileToAPicture) {
  TemporaryFolder const folder;
  std::string const mesh = folder.file("plate.msh"), svg = folder.file("plate.svg");
  ProgramResult const made = run({"mesh", "--cells", "12", "--out", mesh, "--svg", svg, "--json"});
  BOOST_TEST(made.status == 0);
  BOOST_TEST(readWholeFile(svg).find("</svg>") != std::string::npos);
  std::string const out = folder.file("strengths.csv"), field = folder.file("field.svg");
  std::vector<std::string> const words{"--msh",          mesh,  "--sources", "8",
                                       "--observations", "30",  "--engine",  "host",
                                       "--radius",       "0.1", "--json"};
  std::vector<std::string> first{"solve", "--svg", field, "--out", out};
  first.insert(first.end(), words.begin(), words.end());
  ProgramResult const result = run(first);
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.errors == "");
  nlohmann::json const answer = json(result);
  BOOST_TEST(answer["status"] == "optimal");
  BOOST_TEST(answer["triangles"] == json(made)["triangles"]);
  BOOST_TEST(answer["rows"] == 60);
  BOOST_TEST(answer["strengths"].size() == 8u);
  BOOST_TEST(readWholeFile(field).find("deviations up to") != std::string::npos);
  BOOST_TEST(readWholeFile(out).starts_with("source,x,y,strength\n"));
  // The other solver finds the same.
  std::vector<std::string> second{"solve", "--solver", "clp"};
  second.insert(second.end(), words.begin(), words.end());
  BOOST_TEST(
      json(run(second))["worst_deviation"].get<double>() == answer["worst_deviation"].get<double>(),
      boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(whatCantBeIsExplained) {
  ProgramResult const result =
      run({"solve", "--cells", "12", "--sources", "6", "--observations", "20", "--engine", "host",
           "--radius", "0.1", "--upper", "0.5", "--within", "0.05", "--target", "uniform"});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(result.output.find("why          with strengths in their bounds") !=
             std::string::npos);
}

/// Each goal is best at what it asks for.
BOOST_AUTO_TEST_CASE(periodicGrids) {
  std::map<std::string, nlohmann::json> answers;
  for (std::string const goal : {"minimax", "sum", "few"}) {
    ProgramResult const result =
        run({"grid", "--rows", "40", "--columns", "50", "--steps", "10", "--sources", "10",
             "--observations", "40", "--engine", "host", "--goal", goal, "--json"});
    BOOST_TEST(result.status == 0);
    answers[goal] = json(result);
  }
  auto const of = [&](char const* goal, char const* what) {
    return answers[goal][what].get<double>();
  };
  constexpr double rounding = 1e-7;
  BOOST_TEST(of("minimax", "worst_deviation") <= of("sum", "worst_deviation") + rounding);
  BOOST_TEST(of("sum", "sum_of_deviations") <= of("minimax", "sum_of_deviations") + rounding);
  BOOST_TEST(of("few", "sources_on") <= of("minimax", "sources_on"));
  BOOST_TEST(of("few", "worst_deviation") <= 1.25 * of("minimax", "worst_deviation") + rounding);
  BOOST_TEST(of("minimax", "worst_deviation") < 1.0);  // that of no sources at all
}

BOOST_AUTO_TEST_CASE(wrongUsage) {
  BOOST_TEST(run({"solve", "--degree", "5"}).status == 64);
  BOOST_TEST(run({"solve", "--lower", "2", "--upper", "1"}).status == 64);
  BOOST_TEST(run({"solve", "--guards", "3"}).status == 64);
  BOOST_TEST(run({"mesh", "--msh", "/nowhere.msh"}).status == 66);
  TemporaryFolder const folder;
  ProgramResult const bad = run({"mesh", "--msh", folder.write("bad.msh", "no mesh\n"), "--json"});
  BOOST_TEST(bad.status == 65);
  BOOST_TEST(json(bad)["line"] == 1);
  BOOST_TEST(run({"mesh", "--cells", "4", "--out", "/nowhere/plate.msh"}).status == 73);
}

}  // namespace
}  // namespace osi_cuda::response
