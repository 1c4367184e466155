// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/graph_reader.hpp"
#include "readers/read_error.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda::shortest_path {
namespace {

GraphFile readGraphText(std::string const& text) {
  testing::TemporaryFolder const folder;
  return readGraph(folder.write("x", text));
}
GridFile readGridText(std::string const& text) {
  testing::TemporaryFolder const folder;
  return readGrid(folder.write("x", text));
}

/// The message of the ReadError that `read` throws, without the folder of the file x.
template <class Read>
std::string messageOf(Read read) {
  try {
    read();
  } catch (readers::ReadError const& error) {
    std::string const text = error.what();
    return text.substr(text.find("/x:") + 1);
  }
  return "no error";
}

/// The grid in the format that readGrid reads.
std::string gridText(Grid const& grid) {
  std::string text;
  for (std::size_t cell = 0; cell < grid.wall.size(); ++cell) {
    text += grid.wall[cell] ? '#' : '.';
    if ((cell + 1) % std::size_t(grid.columns) == 0) text += '\n';
  }
  return text;
}

std::string dimacsText(Graph const& graph) {
  std::string text =
      "p sp " + std::to_string(graph.vertices) + ' ' + std::to_string(graph.arcs()) + '\n';
  for (Arc const& arc : arcsOf(graph))
    text += "a " + std::to_string(arc.tail + 1) + ' ' + std::to_string(arc.head + 1) + ' ' +
            std::to_string(arc.weight) + '\n';
  return text;
}

BOOST_AUTO_TEST_SUITE(graphs)

BOOST_AUTO_TEST_CASE(readsDimacs) {
  GraphFile const file =
      readGraphText("c a comment\np sp 3 4\na 1 2 5\na 1 2 7\n\na 3 3 0\na 2 3 -2\n");
  BOOST_TEST(file.firstVertex == 1);
  std::vector<Arc> const arcs{{0, 1, 5}, {0, 1, 7}, {1, 2, -2}, {2, 2, 0}};
  BOOST_TEST((arcsOf(file.graph) == arcs));
}

BOOST_AUTO_TEST_CASE(readsEdgeLists) {
  GraphFile const file = readGraphText("# tail head weight\n0 1 5\n\n 2\t0 1\n");
  BOOST_TEST(file.firstVertex == 0);
  BOOST_TEST(file.graph.vertices == 3);
  BOOST_TEST((arcsOf(file.graph) == std::vector<Arc>{{0, 1, 5}, {2, 0, 1}}));
  BOOST_TEST(readGraphText("vertices 7\n0 1 5\n").graph.vertices == 7);
}

BOOST_AUTO_TEST_CASE(namesThePlaceOfAMistake) {
  struct Case {
    std::string text, message;
  };
  Case const cases[] = {
      {"", "x:1:1: expected a graph, found the end of the file"},
      {"p sp 3 1\na 1 4 2\n", "x:2:5: expected the head, an integer from 1 to 3, found \"4\""},
      {"p sp 3 1\na 1 2 2.5\n",
       "x:2:7: expected the weight, an integer from -2147483647 to 2147483647, found \"2.5\""},
      {"p sp 3 1\na 1 2 2 9\n", "x:2:9: expected the end of the line, found \"9\""},
      {"p sp 3 1\na 1 2 2\na 2 3 1\n",
       "x:3:1: expected no more than the 1 arcs announced, found \"a\""},
      {"p max 3 1\n", "x:1:3: expected sp, found \"max\""},
      {"p sp 3 1\nb 1 2 2\n", "x:2:1: expected c, p or a, found \"b\""},
      {"c\na 1 2 2\n",
       "x:2:1: expected the line `p sp VERTICES ARCS` before the first arc, found \"a\""},
      {"0 1\n",
       "x:1:4: expected the weight, an integer from -2147483647 to 2147483647, found the end of "
       "the line"},
      {"vertices 2\n0 2 1\n", "x:2:3: expected the head, an integer from 0 to 1, found \"2\""}};
  for (Case const& one : cases)
    BOOST_TEST(messageOf([&] { readGraphText(one.text); }) == one.message);
}

BOOST_AUTO_TEST_CASE(tooFewArcsAreAnError) {
  std::string const message = messageOf([] { readGraphText("p sp 3 2\na 1 2 2\n"); });
  BOOST_TEST(message.find("expected 2 arcs (there are 1)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(readsGrids) {
  GridFile const file = readGridText("S.#\n# T\n");
  BOOST_TEST(file.grid.rows == 2);
  BOOST_TEST(file.grid.columns == 3);
  BOOST_TEST((file.grid.wall == std::vector<std::uint8_t>{0, 0, 1, 1, 0, 0}));
  BOOST_TEST(file.source.value() == 0);
  BOOST_TEST(file.target.value() == 5);
  BOOST_TEST(gridText(file.grid) == "..#\n#..\n");
  BOOST_TEST(messageOf([] { readGridText("..\n...\n"); }) ==
             "x:2:1: expected a row of 2 cells, found 3");
  BOOST_TEST(messageOf([] { readGridText("S.\n.S\n"); }) ==
             "x:2:2: expected one S only, found another");
  BOOST_TEST(messageOf([] { readGridText("..\n.x\n"); }) ==
             "x:2:2: expected one of # . S T, found 'x'");
}

BOOST_AUTO_TEST_CASE(whatIsWrittenReadsBack) {
  Graph const graph = sparseGraph(20, 60, 8, 5);
  Graph const again = readGraphText(dimacsText(graph)).graph;
  BOOST_TEST((arcsOf(graph) == arcsOf(again)));
  Grid const grid = maze(21, 31, 0.1, 2);
  BOOST_TEST((readGridText(gridText(grid)).grid.wall == grid.wall));
}

/// The seeds in docs/ must mean the same graph for ever.
BOOST_AUTO_TEST_CASE(generatorsRepeat) {
  Graph const dense = denseGraph(16, 8, 1);
  BOOST_TEST(dense.arcs() > 90);
  BOOST_TEST(dense.arcs() < 150);
  Distance sum = 0;
  for (Weight const weight : dense.weight) {
    BOOST_TEST(weight >= 1);
    BOOST_TEST(weight <= 255);
    sum += weight;
  }
  BOOST_TEST(sum / dense.arcs() > 100);
  BOOST_TEST((arcsOf(dense) == arcsOf(denseGraph(16, 8, 1))));
  BOOST_TEST((arcsOf(dense) != arcsOf(denseGraph(16, 8, 2))));
}

BOOST_AUTO_TEST_CASE(everyRoomOfAMazeIsReached) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Grid const grid = maze(31, 41, 0.0, seed);
    Answer const reached = wave(grid, 0, 0);
    for (std::int32_t r = 0; r < grid.rows; r += 2)
      for (std::int32_t c = 0; c < grid.columns; c += 2)
        BOOST_TEST(reached.distance[std::size_t(r * grid.columns + c)] < unreached);
  }
}

BOOST_AUTO_TEST_SUITE_END()

/// The judges find fault with false claims.
BOOST_AUTO_TEST_SUITE(judges)

Graph const& twoWays() {
  static Graph const graph = makeGraph(4, {{0, 1, 2}, {1, 2, 2}, {0, 2, 5}, {2, 1, -1}, {3, 0, 1}});
  return graph;
}

BOOST_AUTO_TEST_CASE(ofCuts) {
  BOOST_TEST(!faultOfCut(twoWays(), {0, 1, 2}, 0, 3));
  BOOST_TEST(*faultOfCut(twoWays(), {0, 1}, 0, 3) == "arc 0 -> 2 leaves the cut");
  BOOST_TEST(*faultOfCut(twoWays(), {0, 1, 2, 3}, 0, 3) == "the target is in the cut");
  BOOST_TEST(*faultOfCut(twoWays(), {}, 0, 3) == "the source is not in the cut");
}

BOOST_AUTO_TEST_CASE(ofCycles) {
  BOOST_TEST(*faultOfCycle(twoWays(), {1, 2}, 0, 2) == "the cycle is 1 long, not negative");
  BOOST_TEST(*faultOfCycle(twoWays(), {0, 1}, 0, 2) == "an arc of the cycle does not exist");
  Graph const graph = makeGraph(4, {{0, 1, 1}, {2, 3, -2}, {3, 2, 1}, {0, 2, 1}});
  BOOST_TEST(*faultOfCycle(graph, {2, 3}, 0, 1) == "the cycle does not lead to the target");
  BOOST_TEST(*faultOfCycle(graph, {2, 3}, 1, 2) == "the source does not lead to the cycle");
  BOOST_TEST(!faultOfCycle(graph, {2, 3}, 0, 3));
}

BOOST_AUTO_TEST_CASE(ofPotentials) {
  BOOST_TEST(*faultOfPotentials(twoWays(), {4, 2, 0, 6}, {0, 1, 2}) ==
             "the potential falls by more than the weight of 3 -> 0");
  Graph const graph = makeGraph(3, {{0, 1, 2}, {1, 2, 2}, {0, 2, 5}});
  BOOST_TEST(!faultOfPotentials(graph, {4, 2, 0}, {0, 1, 2}));
  BOOST_TEST(*faultOfPotentials(graph, {4, 2, 0}, {0, 2}) ==
             "the potentials' difference is not the length of the path");
  BOOST_TEST(*faultOfPotentials(graph, {4, 1, 0}, {0, 1, 2}) ==
             "the potential falls by more than the weight of 0 -> 1");
  BOOST_TEST(*faultOfPotentials(graph, {4, 2}, {0, 1, 2}) == "a potential is missing");
}

BOOST_AUTO_TEST_CASE(ofPaths) {
  Answer answer;
  answer.outcome = Outcome::found;
  answer.path = {{0, 1, 2}, 4};
  BOOST_TEST(!faultOf(twoWays(), answer, 0, 2));
  answer.path.length = 3;
  BOOST_TEST(*faultOf(twoWays(), answer, 0, 2) == "the path is 4 long, not 3");
  answer.path.vertices = {0, 2};
  answer.path.length = 5;
  BOOST_TEST(!faultOf(twoWays(), answer, 0, 2));  // a path, though not the shortest
  answer.path.vertices = {0, 3};
  BOOST_TEST(*faultOf(twoWays(), answer, 0, 3) == "an arc of the path does not exist");
}

BOOST_AUTO_TEST_CASE(cyclesOfParents) {
  BOOST_TEST(!cycleOfParents({-1, 0, 1, 1}));
  auto const cycle = cycleOfParents({-1, 3, 1, 2});
  BOOST_REQUIRE(cycle);
  BOOST_TEST(cycle->size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::shortest_path
