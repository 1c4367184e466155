// SPDX-License-Identifier: EPL-2.0
// osi-cuda solve from end to end: answers, JSON, certificates, files, limits.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "osi_cuda/model/pricing.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "readers/read.hpp"
#include "readers/solution_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::ProgramResult;
using testing::runOsiCuda;
using testing::TemporaryFolder;

std::vector<std::string> keysOf(Json const& json) {
  std::vector<std::string> keys;
  for (auto const& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

std::vector<std::string> const schema = {"status",
                                         "objective",
                                         "objective_lower",
                                         "objective_upper",
                                         "objective_error",
                                         "relaxed_integers",
                                         "relaxed_semicontinuous",
                                         "relaxed_sets",
                                         "iterations",
                                         "phase1_iterations",
                                         "phases",
                                         "plan",
                                         "stages",
                                         "seconds",
                                         "engine",
                                         "device",
                                         "algorithm",
                                         "pricing",
                                         "residuals",
                                         "proof",
                                         "margin",
                                         "rows",
                                         "columns",
                                         "nonzeros",
                                         "file",
                                         "notices",
                                         "version"};

struct Fixture {
  TemporaryFolder folder;
  std::string lp(std::string const& text) const { return folder.write("problem.mps", text); }
};

BOOST_FIXTURE_TEST_SUITE(solve, Fixture)

BOOST_AUTO_TEST_CASE(summaryShowsTheOptimum) {
  ProgramResult const result = runOsiCuda({"solve", lp(testing::smallMps())});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.output.find("problem     small, 2 rows, 2 columns, 4 nonzeros\n"
                                "status      optimal\n"
                                "objective   -10.0000000000\n") == 0u,
             result.output);
  BOOST_TEST(result.errors == "Relaxed: 1 integer column (--integers keeps it).\n");
}

BOOST_AUTO_TEST_CASE(theResultSaysWhatWasRelaxed) {
  std::string const mixed = folder.write("mixed.lp",
                                         "max\n x + y + z\nst\n r: 2 x + 2 y + z <= 9\nbounds\n"
                                         " 2 <= z <= 9\ninteger\n x y\nsemi\n z\nend\n");
  ProgramResult const quiet = runOsiCuda({"solve", mixed, "--quiet"});
  BOOST_TEST(quiet.errors.empty());
  BOOST_TEST(quiet.output.find("relaxed     2 integer columns, 1 semicontinuous column "
                               "(--integers keeps them)\n") != std::string::npos,
             quiet.output);
  std::string const text = folder.file("mixed.sol"), data = folder.file("mixed.json");
  Json const json =
      Json::parse(runOsiCuda({"solve", mixed, "--quiet", "--json", "--solution", text}).output);
  BOOST_TEST(json["relaxed_integers"] == 2);
  BOOST_TEST(json["relaxed_semicontinuous"] == 1);
  BOOST_TEST(testing::readWholeFile(text).find("relaxed_integers 2\nrelaxed_semicontinuous 1\n") !=
             std::string::npos);
  runOsiCuda({"solve", mixed, "--quiet", "--solution", data});
  BOOST_TEST(Json::parse(testing::readWholeFile(data))["relaxed_integers"] == 2);
  BOOST_TEST(runOsiCuda({"solve", mixed, "--quiet", "--start", text}).status == 0);
  // A problem without such columns, and one whose integers were kept.
  std::string const plain = folder.write("plain.lp", "max\n x\nst\n r: 2 x <= 9\nend\n");
  BOOST_TEST(runOsiCuda({"solve", plain}).output.find("relaxed") == std::string::npos);
  std::string const whole =
      folder.write("whole.lp", "max\n x\nst\n r: 2 x <= 9\ninteger\n x\nend\n");
  BOOST_TEST(Json::parse(runOsiCuda({"solve", whole, "--json", "--quiet", "--integers"})
                             .output)["relaxed_integers"] == 0);
  // The other commands.
  std::string const list = folder.write("list.csv", "name,file\nmixed,mixed.lp\nplain,plain.lp\n");
  std::string const lines = runOsiCuda({"batch", list, "--quiet"}).output;
  Json const first = Json::parse(lines.substr(0, lines.find('\n')));
  BOOST_TEST(first["relaxed_integers"] == 2);
  BOOST_TEST(first["relaxed_semicontinuous"] == 1);
  BOOST_TEST(!Json::parse(lines.substr(lines.find('\n'))).contains("relaxed_integers"));
  std::string const changes = folder.write("changes.csv", "variant,kind,name,value\na,cost,x,3\n");
  Json const variant =
      Json::parse(runOsiCuda({"batch", mixed, "--changes", changes, "--quiet"}).output);
  BOOST_TEST(variant["relaxed_integers"] == 2, variant.dump());
  std::string const relaxed = "2 integer columns, 1 semicontinuous column (solve --integers";
  for (char const* command : {"compare", "doctor"}) {
    BOOST_TEST(runOsiCuda({command, mixed}).output.find(relaxed) != std::string::npos, command);
    Json const answer = Json::parse(runOsiCuda({command, mixed, "--json"}).output);
    BOOST_TEST((answer.is_array() ? answer[0] : answer)["relaxed_integers"] == 2, command);
  }
  std::string const database = folder.file("runs.db");
  BOOST_TEST(runOsiCuda({"regress", list, "--database", database})
                 .output.find(", 1 files relaxed to continuous columns") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(barrierIsToldOf) {
  std::string const file = lp(testing::smallMps());
  std::vector<std::string> const barrier = {"solve", file,        "--json",      "--engine",
                                            "host",  "--verbose", "--algorithm", "barrier"};
  ProgramResult const result = runOsiCuda(barrier);
  BOOST_TEST(result.status == 0);
  Json const json = Json::parse(result.output);
  BOOST_TEST(json["status"] == "optimal");
  BOOST_TEST(json["objective"] == -10.0);
  BOOST_TEST(json["algorithm"] == "barrier");
  BOOST_TEST(json["barrier"]["iterations"].get<int>() > 0);
  for (char const* word : {" barrier ", "mu ", "primal infeas. ", "dual ", "gap "})
    BOOST_TEST(result.errors.find(word) != std::string::npos, result.errors);
}

BOOST_AUTO_TEST_CASE(withoutCrossoverTheStatusSaysThatItIsNoVertex) {
  ProgramResult const result = runOsiCuda({"solve", lp(testing::smallMps()), "--engine", "host",
                                           "--algorithm", "barrier", "--crossover", "off"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.output.find("status      interior\n") != std::string::npos, result.output);
  BOOST_TEST(result.output.find("no crossover") != std::string::npos, result.output);
}

BOOST_AUTO_TEST_CASE(barrierStopsAtItsIterationLimit) {
  ProgramResult const result = runOsiCuda({"solve", lp(testing::smallMps()), "--engine", "host",
                                           "--algorithm", "barrier", "--iteration-limit", "2"});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(result.output.find("status      iteration limit\n") != std::string::npos,
             result.output);
}

BOOST_AUTO_TEST_CASE(jsonHasTheDocumentedKeysInOrder) {
  std::string const file = lp(testing::smallMps());
  ProgramResult const result =
      runOsiCuda({"solve", file, "--json", "--engine", "host", "--exact", "off"});
  BOOST_TEST(result.status == 0);
  Json const json = Json::parse(result.output);
  BOOST_TEST(keysOf(json) == schema, boost::test_tools::per_element());
  BOOST_TEST(json["status"] == "optimal");
  BOOST_TEST(json["objective"] == -10.0);  // with the constant 1 of the objective row
  BOOST_TEST(json["iterations"].is_number_integer());
  BOOST_TEST(json["engine"] == "host");
  BOOST_TEST(json["rows"] == 2);
  BOOST_TEST(json["columns"] == 2);
  BOOST_TEST(json["nonzeros"] == 4);
  BOOST_TEST(json["file"] == file);
  BOOST_TEST(json["version"] == OSI_CUDA_VERSION);
  BOOST_TEST(json["notices"] == Json({"Relaxed: 1 integer column (--integers keeps it)."}));
  // Why a solve goes as it does is for those who ask.
  BOOST_TEST(result.errors.find("plan: ") == std::string::npos, result.errors);
  ProgramResult const verbose = runOsiCuda({"solve", file, "--verbose", "--engine", "host"});
  BOOST_TEST(verbose.errors.find("plan: presolve off (4 cells, 100 % of them nonzero; ") !=
                 std::string::npos,
             verbose.errors);
  BOOST_TEST(verbose.errors.find("Stages: load ") != std::string::npos, verbose.errors);
  BOOST_TEST_REQUIRE(json["plan"].size() == 2u);  // the engine was asked for
  BOOST_TEST(json["plan"][0]["choice"] == "presolve");
  BOOST_TEST(json["plan"][0]["chosen"] == "off");
  BOOST_TEST(json["plan"][1]["choice"] == "representation");
  BOOST_TEST(json["plan"][1]["expected_seconds"][std::string(json["plan"][1]["chosen"])] > 0.0);
  BOOST_TEST(json["stages"]["pivots"].get<double>() > 0.0);
  std::vector<std::string> const parts{"read", "presolve", "solve", "total"};
  BOOST_TEST(keysOf(json["seconds"]) == parts, boost::test_tools::per_element());
  BOOST_TEST(json["seconds"]["total"].get<double>() >= json["seconds"]["solve"].get<double>());
  for (char const* residual : {"primal", "dual", "complementarity"}) {
    BOOST_TEST(json["residuals"][residual].get<double>() <= 1e-9, residual);
  }
}

BOOST_AUTO_TEST_CASE(exactProofsAreReported) {
  std::string const file = lp(testing::smallMps());
  ProgramResult const text = runOsiCuda(
      {"solve", file, "--exact", "on", "--exact-numbers", "doubles", "--engine", "host"});
  ProgramResult const ofDecimals = runOsiCuda({"solve", file, "--json", "--exact", "on"});
  BOOST_TEST(Json::parse(ofDecimals.output)["exact"]["proved"] == true, ofDecimals.output);
  BOOST_TEST(text.status == 0);
  BOOST_TEST(text.output.find("proof       proved in exact arithmetic\n"
                              "exactly     -10\n") != std::string::npos,
             text.output);
  ProgramResult const result =
      runOsiCuda({"solve", file, "--json", "--exact", "on", "--engine", "host"});
  Json const json = Json::parse(result.output);
  std::vector<std::string> const parts{"proved", "status",  "objective",
                                       "digits", "message", "seconds"};
  BOOST_TEST(keysOf(json["exact"]) == parts, boost::test_tools::per_element());
  BOOST_TEST(json["exact"]["proved"] == true);
  BOOST_TEST(json["exact"]["objective"] == "-10");
  BOOST_TEST(json["exact"]["digits"] == "-10");
  BOOST_TEST(!json.contains("message"));

  for (std::string const& mps : {testing::infeasibleMps(), testing::unboundedMps()}) {
    ProgramResult const none = runOsiCuda({"solve", lp(mps), "--json", "--exact", "on"});
    BOOST_TEST(none.status == 1);
    Json const proof = Json::parse(none.output)["exact"];
    BOOST_TEST(proof["proved"] == true, proof["message"].dump());
    BOOST_TEST(proof["objective"].is_null());
  }
}

BOOST_AUTO_TEST_CASE(anExactProofThatFailsSaysWhy) {
  // x = y = 1 is all there is, and as rationals the doubles 0.1 and 0.7 make less than the double
  // 0.8. The decimals of the file are right.
  std::string const file =
      lp("NAME t\nROWS\n N cost\n E r\nCOLUMNS\n x cost 1 r 0.1\n y cost 1 r 0.7\nRHS\n"
         " RHS r 0.8\nBOUNDS\n FX BND x 1\n UP BND y 1\nENDATA\n");
  ProgramResult const plain = runOsiCuda({"solve", file, "--json", "--engine", "host"});
  BOOST_TEST(!Json::parse(plain.output).contains("exact"));
  ProgramResult const result = runOsiCuda(
      {"solve", file, "--json", "--engine", "host", "--exact", "on", "--exact-numbers", "doubles"});
  BOOST_TEST(result.status == 1);
  Json const json = Json::parse(result.output);
  BOOST_TEST(json["status"] == "infeasible");
  BOOST_TEST(json["exact"]["proved"] == true);
  BOOST_TEST(json["exact"]["status"] == "infeasible");
  BOOST_TEST(json["message"].get<std::string>().find(" misses some bound b by ") !=
             std::string::npos);
  ProgramResult const ofDecimals = runOsiCuda({"solve", file, "--json", "--exact", "on"});
  BOOST_TEST(Json::parse(ofDecimals.output)["exact"]["proved"] == true, ofDecimals.output);
  ProgramResult const text = runOsiCuda(
      {"solve", file, "--exact", "on", "--exact-numbers", "doubles", "--engine", "host"});
  BOOST_TEST(text.output.find("proof       proved in exact arithmetic\n") != std::string::npos,
             text.output);
}

BOOST_AUTO_TEST_CASE(optionsReachTheSolver) {
  std::string const file = lp(testing::smallMps());
  for (std::string const algorithm : {"primal", "dual"}) {
    for (PricingRule const& rule : pricingRules) {
      std::string const pricing = rule.name;
      ProgramResult const result =
          runOsiCuda({"solve", file, "--json", "--algorithm=" + algorithm, "--pricing", pricing,
                      "--threads", "1", "--scaling", "off"});
      Json const json = Json::parse(result.output);
      BOOST_TEST(json["algorithm"] == algorithm);
      BOOST_TEST(json["pricing"] == pricing);
      BOOST_TEST(json["objective"] == -10.0);
    }
  }
}

BOOST_AUTO_TEST_CASE(standardInputIsAFile) {
  ProgramResult const result =
      runOsiCuda({"solve", "-", "--json", "--quiet"}, lp(testing::smallMps()));
  BOOST_TEST(result.status == 0);
  BOOST_TEST(Json::parse(result.output)["file"] == "-");
  BOOST_TEST(result.errors == "");
  ProgramResult const empty = runOsiCuda({"solve", "-"});
  BOOST_TEST(empty.status == 65);
  BOOST_TEST(empty.errors.rfind("standard input:1:1: expected", 0) == 0u, empty.errors);
}

BOOST_AUTO_TEST_CASE(infeasibleIsProved) {
  std::string const file = lp(testing::infeasibleMps());
  ProgramResult const plain = runOsiCuda({"solve", file, "--json"});
  BOOST_TEST(plain.status == 1);
  BOOST_TEST(!Json::parse(plain.output).contains("farkas"));

  ProgramResult const result = runOsiCuda({"solve", file, "--json", "--certificate"});
  BOOST_TEST(result.status == 1);
  Json const json = Json::parse(result.output);
  BOOST_TEST(json["status"] == "infeasible");
  BOOST_TEST(json["objective"].is_null());
  LinearProgram const problem = readers::read(file).lp;
  std::vector<double> y;
  y.reserve(static_cast<std::size_t>(problem.rows()));
  for (int i = 0; i < problem.rows(); ++i)
    y.push_back(json["farkas"].value(problem.rowName(i), 0.0));
  BOOST_TEST(verifyFarkas(problem, y).proved);
  BOOST_TEST(!json.contains("crossed_column"));

  ProgramResult const text = runOsiCuda({"solve", file, "--certificate"});
  BOOST_TEST(text.output.find("objective") == std::string::npos);
  BOOST_TEST(text.output.find("  most\n") != std::string::npos, text.output);
  BOOST_TEST(text.output.find("  least\n") != std::string::npos, text.output);
}

BOOST_AUTO_TEST_CASE(crossedBoundsAreNamed) {
  std::string const file = lp(testing::crossedMps());
  ProgramResult const result = runOsiCuda({"solve", file, "--json", "--certificate"});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(Json::parse(result.output)["crossed_column"] == "x");
  ProgramResult const text = runOsiCuda({"solve", file, "--certificate"});
  BOOST_TEST(text.output.find("crossed     the bounds of column x\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(unboundedHasARay) {
  std::string const file = lp(testing::unboundedMps());
  std::string const solution = folder.file("point.sol");
  ProgramResult const result =
      runOsiCuda({"solve", file, "--json", "--certificate", "--solution", solution});
  BOOST_TEST(result.status == 1);
  Json const json = Json::parse(result.output);
  BOOST_TEST(json["status"] == "unbounded");
  BOOST_TEST(json["objective"].is_null());
  LinearProgram const problem = readers::read(file).lp;
  std::vector<double> ray;
  ray.reserve(static_cast<std::size_t>(problem.columns()));
  for (int j = 0; j < problem.columns(); ++j) {
    ray.push_back(json["ray"].value(problem.columnName(j), 0.0));
  }
  Solution const point = readers::readSolution(solution, problem);
  BOOST_TEST(verifyRay(problem, point.columnValues, ray).proved);
}

BOOST_AUTO_TEST_CASE(filesBringTheAnswerBack) {
  std::string const file = lp(testing::smallMps());
  std::string const basis = folder.file("last.bas");
  LinearProgram const problem = readers::read(file).lp;
  for (std::string const name : {"answer.sol", "answer.json"}) {
    std::string const solution = folder.file(name);
    ProgramResult const first =
        runOsiCuda({"solve", file, "--quiet", "--basis-out", basis, "--solution", solution});
    BOOST_TEST(first.status == 0);
    Solution const read = readers::readSolution(solution, problem);
    BOOST_TEST((read.status == Status::optimal));
    BOOST_TEST(read.objective == -10.0);
    BOOST_TEST(read.columnValues == std::vector<double>({3.0, 1.0}),
               boost::test_tools::per_element());
    BOOST_TEST(residualsOf(problem, read).largest() <= 1e-12);
  }
  ProgramResult const again = runOsiCuda({"solve", file, "--quiet", "--json", "--basis-in", basis});
  BOOST_TEST(Json::parse(again.output)["iterations"] == 0);
}

BOOST_AUTO_TEST_CASE(aPointSavesPivots) {
  std::string const file = lp(testing::assignmentMps(8));
  std::string const solution = folder.file("point.sol");
  BOOST_TEST(runOsiCuda({"solve", file, "--quiet", "--solution", solution}).status == 0);
  ProgramResult const again = runOsiCuda({"solve", file, "--json", "--start", solution});
  Json const json = Json::parse(again.output);
  BOOST_TEST(json["status"] == "optimal");
  BOOST_TEST(json["iterations"] <
             Json::parse(runOsiCuda({"solve", file, "--json"}).output)["iterations"]);
  BOOST_TEST(json["notices"].dump().find("start: residuals") != std::string::npos);
  ProgramResult const other = runOsiCuda({"solve", lp(testing::smallMps()), "--start", solution});
  BOOST_TEST(other.status == 65);
  BOOST_TEST(runOsiCuda({"solve", file, "--start", folder.file("none.sol")}).status == 66);
  for (char const* const option : {"--basis-in", "--resume"})
    BOOST_TEST(runOsiCuda({"solve", file, "--start", solution, option, solution}).status == 64);
}

BOOST_AUTO_TEST_CASE(limitsReportThePointSoFar) {
  std::string const file = lp(testing::assignmentMps(8));
  std::string const basis = folder.file("last.bas");
  ProgramResult const pivots =
      runOsiCuda({"solve", file, "--json", "--iteration-limit", "3", "--basis-out", basis});
  BOOST_TEST(pivots.status == 2);
  Json const json = Json::parse(pivots.output);
  BOOST_TEST(json["status"] == "iteration_limit");
  BOOST_TEST(json["iterations"] == 3);
  BOOST_TEST(json["objective"].is_number());
  BOOST_TEST(runOsiCuda({"solve", file, "--basis-in", basis}).status == 0);

  ProgramResult const time = runOsiCuda({"solve", file, "--json", "--time-limit", "0"});
  BOOST_TEST(time.status == 2);
  Json const none = Json::parse(time.output);
  BOOST_TEST(none["status"] == "time_limit");
  BOOST_TEST(keysOf(none) == schema, boost::test_tools::per_element());
  BOOST_TEST(none["objective"].is_null());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
