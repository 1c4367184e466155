// SPDX-License-Identifier: EPL-2.0
// The program as a user meets it: output, exit status, files.
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace osi_cuda::shortest_path {
namespace {

using testing::Program;
using testing::ProgramResult;
using testing::readWholeFile;
using testing::TemporaryFolder;

std::string programPath() {
  std::string const ours = testing::osiCudaProgram();
  return ours.substr(0, ours.rfind('/')) + "/shortest_path";
}

ProgramResult run(std::vector<std::string> words) {
  words.insert(words.begin(), programPath());
  Program program(words);
  int const status = program.wait();
  return {status, program.output(), program.errors()};
}

nlohmann::json json(ProgramResult const& result) {
  return nlohmann::json::parse(result.output);
}

BOOST_AUTO_TEST_SUITE(program)

BOOST_AUTO_TEST_CASE(allMethodsOnAMaze) {
  ProgramResult const result =
      run({"solve", "--maze", "--grid", "15x21", "--seed", "2", "--engine", "host", "--json"});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.errors == "");
  nlohmann::json const answer = json(result);
  BOOST_TEST(answer["status"] == "found");
  BOOST_TEST(answer["agree"] == true);
  BOOST_TEST(answer["path"].size() == answer["length"].get<std::size_t>() + 1);
  std::vector<std::string> methods;
  for (auto const& one : answer["methods"]) methods.push_back(one["method"]);
  BOOST_TEST((methods == std::vector<std::string>{"lp", "lp-tree", "dijkstra", "boost-bellman-ford",
                                                  "bellman-ford", "wave", "ants"}));
}

BOOST_AUTO_TEST_CASE(aDimacsFileKeepsItsNumbers) {
  TemporaryFolder const folder;
  std::string const file = folder.write("x.gr", "p sp 4 4\na 1 2 5\na 2 4 1\na 1 3 2\na 3 4 3\n");
  for (std::string const solver : {"cuda", "clp"}) {
    ProgramResult const result = run({"solve", "--graph", file, "--from", "1", "--to", "4",
                                      "--method", "lp", "--solver", solver, "--json"});
    BOOST_TEST(result.status == 0);
    BOOST_TEST((json(result)["path"] == nlohmann::json{1, 3, 4}));
    BOOST_TEST(json(result)["length"] == 5);
  }
}

BOOST_AUTO_TEST_CASE(dualsAreBoundsOnDistances) {
  TemporaryFolder const folder;
  std::string const file = folder.write("x", "0 1 1\n1 2 2\n2 3 1\n0 2 5\n1 3 4\n");
  nlohmann::json const answer =
      json(run({"solve", "--graph", file, "--method", "lp-tree", "--bounds", "--json"}));
  BOOST_TEST((answer["methods"][0]["bounds"] == nlohmann::json{0, 1, 3, 4}));
  ProgramResult const text = run({"solve", "--graph", file, "--method", "lp-tree", "--bounds"});
  BOOST_TEST(text.output.find("0: 0, 1: 1, 2: 3, 3: 4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(whatHasNoShortestPathIsOne) {
  TemporaryFolder const folder;
  std::string const cycle = folder.write("c", "0 1 1\n1 2 -5\n2 1 3\n2 3 1\n");
  ProgramResult result = run({"solve", "--graph", cycle});
  BOOST_TEST(result.status == 1);
  BOOST_TEST(result.output.find("length -2") != std::string::npos);
  std::string const apart = folder.write("a", "0 1 1\n2 3 1\n");
  result = run({"solve", "--graph", apart, "--method", "lp", "--json"});
  BOOST_TEST(result.status == 1);
  BOOST_TEST((json(result)["cut"] == nlohmann::json{0, 1}));
}

BOOST_AUTO_TEST_CASE(refusals) {
  struct Case {
    std::vector<std::string> words;
    int status;
    std::string line;
  };
  Case const cases[] = {
      {{}, 64, "a command is missing"},
      {{"solve"}, 64, "expected one of --graph, --grid-file, --grid, --dense, --sparse, --road"},
      {{"sovle"}, 64, "unknown command 'sovle'; did you mean 'solve'?"},
      {{"solve", "--gird", "2x2"}, 64, "unknown option '--gird'; did you mean '--grid'?"},
      {{"solve", "--grid", "2"},
       64,
       "--grid: expected ROWSxCOLUMNS with fewer than 2^31 cells, found '2'"},
      {{"solve", "--grid", "3x3", "--to", "3,0"},
       64,
       "--to: expected ROW,COLUMN in the grid, found '3,0'"},
      {{"solve", "--dense", "5", "--from", "5"},
       64,
       "--from: expected a vertex from 0 to 4, found '5'"},
      {{"solve", "--dense", "5", "--method", "wave"}, 64, "--method wave: the wave wants a grid"},
      {{"solve", "--graph", "/nowhere/x.gr"}, 66, "/nowhere/x.gr: No such file or directory"}};
  for (Case const& one : cases) {
    ProgramResult const result = run(one.words);
    BOOST_TEST_CONTEXT(one.line) {
      BOOST_TEST(result.status == one.status);
      BOOST_TEST(result.errors.starts_with("shortest_path: " + one.line));
      BOOST_TEST(result.output == "");
    }
  }
  ProgramResult const asJson = run({"solve", "--grid", "2", "--json"});
  BOOST_TEST(json(asJson)["exit_status"] == 64);
}

BOOST_AUTO_TEST_CASE(aBadFileNamesThePlace) {
  TemporaryFolder const folder;
  std::string const file = folder.write("x.gr", "p sp 2 1\na 1 3 5\n");
  ProgramResult const result = run({"solve", "--graph", file});
  BOOST_TEST(result.status == 65);
  BOOST_TEST(result.errors ==
             file + ":2:5: expected the head, an integer from 1 to 2, found \"3\"\n");
}

BOOST_AUTO_TEST_CASE(picturesOfGridsAndTrees) {
  TemporaryFolder const folder;
  std::string const picture = folder.file("x.svg");
  BOOST_TEST(run({"solve", "--grid", "6x8", "--walls", "0.1", "--seed", "3", "--method", "lp",
                  "--svg", picture})
                 .status == 0);
  std::string svg = readWholeFile(picture);
  BOOST_TEST(svg.starts_with("<svg xmlns="));
  BOOST_TEST(svg.find("(5, 7)") != std::string::npos);  // the target, named
  BOOST_TEST(run({"solve", "--dense", "12", "--method", "dijkstra", "--svg", picture}).status == 0);
  svg = readWholeFile(picture);
  BOOST_TEST(svg.find("all 12 vertices; in red the path to 11") != std::string::npos);
  BOOST_TEST(svg.ends_with("</svg>\n"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::shortest_path
