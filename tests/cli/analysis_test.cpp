// SPDX-License-Identifier: EPL-2.0
// What solve is asked about its answer, from end to end: files, reports, statuses, bad use.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "readers/read.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::ProgramResult;
using testing::readWholeFile;
using testing::runOsiCuda;
using testing::TemporaryFolder;

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

struct Fixture {
  TemporaryFolder folder;
  std::string small = folder.write("small.mps", testing::smallMps());
  std::string infeasible = folder.write("infeasible.mps", testing::infeasibleMps());
  std::string unbounded = folder.write("unbounded.mps", testing::unboundedMps());

  std::string file(std::string const& name) const { return folder.file(name); }
  bool isThere(std::string const& name) const { return std::filesystem::exists(file(name)); }
  ProgramResult solve(std::string const& problem, std::vector<std::string> const& more) const {
    std::vector<std::string> words = {"solve", problem, "--engine", "host"};
    words.insert(words.end(), more.begin(), more.end());
    return runOsiCuda(words);
  }
};

BOOST_FIXTURE_TEST_SUITE(analysis, Fixture)

BOOST_AUTO_TEST_CASE(rangingInThreeFormats) {
  for (char const* name : {"r.txt", "r.json", "r.csv"})
    BOOST_TEST(solve(small, {"--ranging", file(name)}).status == 0);
  std::string const text = readWholeFile(file("r.txt"));
  BOOST_TEST(text.starts_with("osi-cuda ranging 1\nproblem    small, 2 rows, 2 columns"), text);
  for (char const* part :
       {"The vertex is degenerate: 1 basic variable rests on a bound.", "Costs of columns",
        "Right-hand sides of rows", "Bounds of columns", "capacity", "other basis"})
    BOOST_TEST(contains(text, part), part);

  Json const json = Json::parse(readWholeFile(file("r.json")));
  BOOST_TEST(json["objective"] == -10.0);
  BOOST_TEST(json["degenerate"].size() == 1u);
  Json cost;
  for (Json const& item : json["intervals"])
    if (item.contains("column") && item["column"] == "y" && item["number"] == "cost") cost = item;
  BOOST_TEST(cost["present"] == -2.0);
  BOOST_TEST(cost["value"] == 1.0);
  BOOST_TEST(cost["high"]["at"] == 0.0);
  BOOST_TEST(cost["high"]["beyond"] == "other basis");
  // Costs of 2 columns and prices of 2 rows; upper sides of 2 rows; x has two bounds, y one.
  BOOST_TEST(json["intervals"].size() == 9u);

  std::string const csv = readWholeFile(file("r.csv"));
  BOOST_TEST(csv.starts_with("of,name,number,status,value,present,price,price_below,price_above,"
                             "end,at,objective,end_value,beyond,leaves,enters\n"),
             csv);
  BOOST_TEST(std::count(csv.begin(), csv.end(), '\n') == 1 + 2 * 9);
}

BOOST_AUTO_TEST_CASE(rangingOnStandardOutputAndInTheReport) {
  ProgramResult const result = solve(small, {"--ranging", "-"});
  BOOST_TEST(contains(result.output, "osi-cuda ranging 1\n"));
  BOOST_TEST(contains(result.output, "ranging     -, vertex degenerate, no other optima\n"));
  Json const json =
      Json::parse(solve(small, {"--ranging", file("r"), "--json", "--one-sided-prices"}).output);
  BOOST_TEST(json["ranging"]["degenerate"] == 1);
  BOOST_TEST(json["ranging"]["file"] == file("r"));
  // With one-sided prices nothing is left open, at least half of the degenerate sides without.
  BOOST_TEST(!contains(readWholeFile(file("r")), "?"));
  solve(small, {"--ranging", file("plain")});
  BOOST_TEST(contains(readWholeFile(file("plain")), "?"));
}

BOOST_AUTO_TEST_CASE(namesThatNeedQuotesInCsv) {
  std::string const lp = folder.write("t.mps",
                                      "NAME t\nROWS\n N cost\n L a,b\nCOLUMNS\n x\"y cost -1\n"
                                      " x\"y a,b 1\nRHS\n rhs a,b 4\nENDATA\n");
  BOOST_TEST(solve(lp, {"--ranging", file("r.csv")}).status == 0);
  std::string const csv = readWholeFile(file("r.csv"));
  BOOST_TEST(contains(csv, "row,\"a,b\",upper,"), csv);
  BOOST_TEST(contains(csv, "column,\"x\"\"y\",cost,"), csv);
}

BOOST_AUTO_TEST_CASE(rangingNeedsAnOptimum) {
  ProgramResult const result = solve(infeasible, {"--ranging", file("r.txt")});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(contains(result.errors, "There is no optimal basis to range: "), result.errors);
  BOOST_TEST(!isThere("r.txt"));
  BOOST_TEST(solve(small, {"--ranging", file("no/r.txt")}).status == 73);
  BOOST_TEST(solve(small, {"--one-sided-prices"}).status == 64);
  ProgramResult const interior =
      solve(small, {"--algorithm", "barrier", "--crossover", "off", "--ranging", file("r.txt")});
  BOOST_TEST(interior.status == 0);
  BOOST_TEST(contains(interior.errors, "There is no optimal basis"));
}

BOOST_AUTO_TEST_CASE(subsystemAsAProblemOfItsOwn) {
  ProgramResult const result = solve(infeasible, {"--iis", file("iis.lp")});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(contains(result.output,
                      "iis         2 sides of rows contradict each other; without any one of them "
                      "the others do not\n            row most is at most 1\n            row least "
                      "is at least 2\n"),
             result.output);
  LinearProgram const lp = readers::read(file("iis.lp")).lp;
  BOOST_TEST(lp.rowNames == (std::vector<std::string>{"most", "least"}),
             boost::test_tools::per_element());
  BOOST_TEST(lp.columnLower[0] == -infinity);
  BOOST_TEST(solve(file("iis.lp"), {}).status == 1);
  for (char const* name : {"iis.mps", "iis.lps"}) {
    BOOST_TEST(solve(infeasible, {"--iis", file(name)}).status == 1);
    BOOST_TEST((readers::read(file(name)).lp.matrix == lp.matrix), name);
  }
  Json const json = Json::parse(solve(infeasible, {"--iis", file("iis.lp"), "--json"}).output);
  BOOST_TEST(json["iis"]["irreducible"] == true);
  BOOST_TEST(json["iis"]["proved"] == true);
  Json const members = Json::parse(R"([{"row": "most", "side": "upper", "bound": 1.0},
                                       {"row": "least", "side": "lower", "bound": 2.0}])");
  BOOST_TEST(json["iis"]["members"] == members);
  BOOST_TEST(contains(solve(infeasible, {"--iis", "-"}).output, "Subject To\n most: + x + y <= 1"));
}

BOOST_AUTO_TEST_CASE(subsystemOfCrossedBounds) {
  std::string const crossed = folder.write("crossed.mps", testing::crossedMps());
  ProgramResult const result = solve(crossed, {"--iis", file("iis.lp")});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(contains(result.output, "iis         2 bounds of columns contradict each other"));
  BOOST_TEST(solve(file("iis.lp"), {}).status == 1);
}

BOOST_AUTO_TEST_CASE(subsystemNeedsAnInfeasibleProblem) {
  for (std::string const& problem : {small, unbounded}) {
    ProgramResult const result = solve(problem, {"--iis", file("iis.lp")});
    BOOST_TEST(result.status == (problem == small ? 0 : 1));
    BOOST_TEST(contains(result.errors, "The problem was not proved to be infeasible: "));
    BOOST_TEST(!isThere("iis.lp"));
  }
  BOOST_TEST(solve(infeasible, {"--iis", file("no/iis.lp")}).status == 73);
}

BOOST_AUTO_TEST_CASE(relaxationIsReported) {
  ProgramResult const result =
      solve(infeasible, {"--relax", "sum", "--relaxed", file("relaxed.mps")});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(contains(result.output,
                      "relaxation  1 side of a row relaxed by 1 in total, which is the least\n"),
             result.output);
  BOOST_TEST(contains(result.output, "objective there: 0, the best with that\n"));
  BOOST_TEST(solve(file("relaxed.mps"), {}).status == 0);
  Json const json =
      Json::parse(solve(infeasible, {"--relax", "count", "--relax-what", "both", "--json"}).output);
  BOOST_TEST(json["status"] == "infeasible");
  BOOST_TEST(json["relaxation"]["goal"] == "count");
  BOOST_TEST(json["relaxation"]["what"] == "both");
  BOOST_TEST(json["relaxation"]["status"] == "optimal");
  BOOST_TEST(json["relaxation"]["total"] == 1.0);
  BOOST_TEST(json["relaxation"]["violations"].size() == 1u);
  BOOST_TEST(json["relaxation"]["violations"][0]["amount"] == 1.0);
}

BOOST_AUTO_TEST_CASE(relaxationThatIsNone) {
  ProgramResult const result =
      solve(infeasible, {"--relax", "sum", "--relax-what", "bounds", "--relaxed", file("r.lp")});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(contains(result.output, "relaxation  none\n"));
  BOOST_TEST(contains(result.errors, "The bounds that may not be relaxed contradict each other"));
  BOOST_TEST(!isThere("r.lp"));
  ProgramResult const feasible = solve(small, {"--relax", "sum"});
  BOOST_TEST(feasible.status == 0);
  BOOST_TEST(contains(feasible.errors, "there is nothing to relax"));
  BOOST_TEST(solve(infeasible, {"--relax", "most"}).status == 64);
  BOOST_TEST(solve(infeasible, {"--relax-what", "rows"}).status == 64);
  BOOST_TEST(solve(infeasible, {"--relaxed", file("r.lp")}).status == 64);
  BOOST_TEST(solve(infeasible, {"--relax", "sum", "--relax-what", "all"}).status == 64);
}

BOOST_AUTO_TEST_CASE(oneObjectiveTakesThePlaceOfTheProblems) {
  std::string const goal =
      folder.write("goal.txt", "# a goal\nmaximize both\nx 1\ny 1\nconstant 1\n");
  ProgramResult const result =
      solve(small, {"--objective", goal, "--ranging", file("r.json"), "--basis-out", file("b")});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(contains(result.output, "objective   5.0000000000\n"), result.output);
  BOOST_TEST(Json::parse(readWholeFile(file("r.json")))["sense"] == "maximize");
  BOOST_TEST(isThere("b"));
  std::string const lp = folder.write("goal.lp", "Maximize\n both: x + y + 1\nSubject To\nEnd\n");
  BOOST_TEST(contains(solve(small, {"--objective", lp}).output, "objective   5.0000000000\n"));
}

BOOST_AUTO_TEST_CASE(severalObjectivesAreRanked) {
  std::string const goals =
      folder.write("goals.txt", "maximize both\nx 1\ny 1\nloss 25%\n\nminimize first\nx 1\n");
  ProgramResult const result = solve(small, {"--objective", goals});
  BOOST_TEST(result.status == 0);
  // Of x + y = 4 three must be left; then x is least where labour is tight: x + 3y = 6.
  BOOST_TEST(contains(result.output,
                      "ranks       both: maximum 4, at the end 3\n"
                      "            first: minimum 1.5, at the end 1.5\n"),
             result.output);
  Json const json = Json::parse(
      solve(small, {"--objective", "model", "--objective", goals, "--loss", "1", "--json"}).output);
  BOOST_TEST(json["ranks"].size() == 3u);
  BOOST_TEST(json["ranks"][0]["optimum"] == -10.0);
  BOOST_TEST(json["ranks"][0]["loss"] == 1.0);
  BOOST_TEST(json["ranks"][1]["name"] == "both");
  BOOST_TEST(json["ranks"][2]["value"].is_number());
}

BOOST_AUTO_TEST_CASE(ranksEndWithTheFirstThatHasNoOptimum) {
  std::string const goals = folder.write("goals.txt", "minimize none\n\nminimize x\nx -1\n");
  ProgramResult const result = solve(unbounded, {"--objective", goals});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(contains(result.output, "x: no optimum\n"), result.output);
}

BOOST_AUTO_TEST_CASE(badObjectivesAreRefused) {
  auto const complaint = [&](std::string const& text, std::string const& place,
                             std::string const& expected) {
    std::string const path = folder.write("bad.txt", text);
    ProgramResult const result = solve(small, {"--objective", path});
    BOOST_TEST(result.status == 65);
    BOOST_TEST(contains(result.errors, path + place + ": expected " + expected), result.errors);
  };
  complaint("x 1\n", ":1:1", "minimize or maximize, which begin an objective");
  complaint("", ":1:1", "minimize or maximize");
  complaint("minimize a\nz 1\n", ":2:1", "the name of a column of the problem");
  complaint("minimize a\nx one\n", ":2:3", "a finite number");
  complaint("minimize a\nx inf\n", ":2:3", "a finite number");
  complaint("minimize a\nx\n", ":2:2", "the name of a column and a number");
  complaint("minimize a\nloss -1\n", ":2:6", "a number >= 0, or one with %");
  BOOST_TEST(solve(small, {"--objective", file("none.txt")}).status == 66);
  std::string const other = folder.write("other.lp", "Minimize\n z\nSubject To\nEnd\n");
  ProgramResult const unknown = solve(small, {"--objective", other});
  BOOST_TEST(unknown.status == 65);
  BOOST_TEST(
      contains(unknown.errors, "its objective has the column 'z', which the problem has not"),
      unknown.errors);
  BOOST_TEST(solve(small, {"--loss", "1"}).status == 64);
  BOOST_TEST(solve(small, {"--objective", "model", "--loss", "-1"}).status == 64);
  BOOST_TEST(solve(small, {"--objective", "model", "--loss", "much"}).status == 64);
  for (std::vector<std::string> const& more : {std::vector<std::string>{"--ranging", file("r")},
                                               {"--exact", "on"},
                                               {"--trace", file("t")},
                                               {"--checkpoint", file("c")}}) {
    std::vector<std::string> words = {"--objective", "model", "--objective", "model"};
    words.insert(words.end(), more.begin(), more.end());
    ProgramResult const result = solve(small, words);
    BOOST_TEST(result.status == 64);
    BOOST_TEST(contains(result.errors, more[0] + (more[0] == "--exact" ? " on" : "") +
                                           " is for one objective, there are 2"),
               result.errors);
  }
}

BOOST_AUTO_TEST_CASE(limitsStopAnAnalysis) {
  // The limit lies far from both: the solve takes some 0.2 s, the ranging of 200 rows and 10,000
  // columns with one-sided prices more than 30 s.
  std::string const lp = folder.write("a.mps", testing::assignmentMps(100));
  ProgramResult const result =
      solve(lp, {"--time-limit", "2", "--ranging", file("r.txt"), "--one-sided-prices"});
  BOOST_TEST(result.status == 2);
  BOOST_TEST(contains(result.errors, "The end came before the ranging was complete"),
             result.errors);
  BOOST_TEST(!isThere("r.txt"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
