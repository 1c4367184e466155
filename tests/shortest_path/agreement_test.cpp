// SPDX-License-Identifier: EPL-2.0
// All exact methods say the same of the same graph, to the last unit, and prove it.
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "examples/common/random.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/linear_program.hpp"

namespace osi_cuda::shortest_path {
namespace {

/// The same graph with weights w + p(tail) - p(head), p uniform in 0 .. span - 1: some weights turn
/// negative, but each cycle keeps its length, so that none becomes negative. A path from s to t
/// gets longer by p(s) - p(t).
Graph withPotentials(Graph const& graph, Weight span, std::uint64_t seed) {
  examples::Random random(seed);
  std::vector<Weight> potential(graph.vertices);
  for (Weight& p : potential) p = Weight(random.below(span));
  Graph result = graph;
  graph.eachArc([&](Vertex tail, ArcIndex arc) {
    result.weight[arc] += potential[tail] - potential[graph.head[arc]];
  });
  return result;
}

void checkSound(Graph const& graph, Answer const& answer, Vertex source, Vertex target) {
  BOOST_TEST_CONTEXT(answer.method << " by " << answer.executor) {
    BOOST_TEST(answer.note == "");
    BOOST_TEST((answer.outcome != Outcome::failed));
    BOOST_TEST(faultOf(graph, answer, source, target).value_or("") == "");
  }
}

/// Asks every exact method; all must agree with Bellman and Ford's rounds. Returns that answer.
Answer askAll(Graph const& graph, Vertex source, Vertex target) {
  Answer const reference = bellmanFord(graph, source, target);
  checkSound(graph, reference, source, target);
  std::vector<Answer> others{bellmanFordByBoost(graph, source, target)};
  if (!hasNegativeArc(graph)) others.push_back(dijkstra(graph, source, target));
  for (std::string const& name : examples::solverNames()) {
    auto const solver = examples::makeSolver(name, "host");
    others.push_back(solvePath(graph, source, target, *solver));
  }
  for (Answer const& other : others) {
    checkSound(graph, other, source, target);
    BOOST_TEST_CONTEXT(other.method << " by " << other.executor) {
      BOOST_TEST(toString(other.outcome) == toString(reference.outcome));
      if (reference.outcome == Outcome::found)
        BOOST_TEST(other.path.length == reference.path.length);
    }
  }
  return reference;
}

/// The tree LP's duals are the distances.
void checkTree(Graph const& graph, Vertex source, Vertex target) {
  Answer const reference = bellmanFord(graph, source, {});
  for (std::string const& name : examples::solverNames()) {
    auto const solver = examples::makeSolver(name, "host");
    Answer const tree = solveTree(graph, source, target, *solver);
    BOOST_TEST_CONTEXT("tree LP by " << tree.executor) {
      BOOST_TEST(tree.note == "");
      if (reference.outcome == Outcome::negativeCycle) {
        BOOST_TEST(toString(tree.outcome) == "negative_cycle");
      } else {
        BOOST_TEST((tree.distance == reference.distance));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE(agreement)

/// 300 graphs: sparse ones with loops and parallel arcs, dense ones, with negative arcs in a third,
/// and targets that can't be reached among the thin ones.
BOOST_AUTO_TEST_CASE(threeHundredRandomGraphs) {
  int found = 0, unreachable = 0, negative = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    examples::Random random(seed);
    auto const n = Vertex(2 + random.below(28));
    Graph graph = seed % 2 == 0 ? denseGraph(n, 1 + int(random.below(12)), seed)
                                : sparseGraph(n, ArcIndex(random.below(5 * n)), 8, seed);
    if (seed % 3 == 0) graph = withPotentials(graph, 200, seed);
    auto const source = Vertex(random.below(std::uint32_t(n)));
    auto const target = Vertex(random.below(std::uint32_t(n)));
    BOOST_TEST_CONTEXT("seed " << seed << ", " << n << " vertices, " << graph.arcs() << " arcs") {
      Answer const answer = askAll(graph, source, target);
      found += answer.outcome == Outcome::found;
      unreachable += answer.outcome == Outcome::unreachable;
      negative += hasNegativeArc(graph);
      checkTree(graph, source, target);
    }
  }
  // The generator must not have left out a kind.
  BOOST_TEST(found > 150);
  BOOST_TEST(unreachable > 30);
  BOOST_TEST(negative > 50);
}

/// Weights of any sign: about half of these graphs have a negative cycle, on a walk or elsewhere.
BOOST_AUTO_TEST_CASE(graphsWithNegativeCycles) {
  std::multiset<std::string> outcomes;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    examples::Random random(seed + 1000);
    auto const n = Vertex(3 + random.below(12));
    Graph graph = sparseGraph(n, ArcIndex(2 * n), 6, seed);
    for (Weight& weight : graph.weight) weight -= 12;
    BOOST_TEST_CONTEXT("seed " << seed) {
      outcomes.insert(toString(askAll(graph, 0, n - 1).outcome));
      checkTree(graph, 0, n - 1);
    }
  }
  BOOST_TEST(outcomes.count("negative_cycle") > 10u);
  BOOST_TEST(outcomes.count("found") > 10u);
  BOOST_TEST(outcomes.count("unreachable") > 10u);
}

BOOST_AUTO_TEST_CASE(aNegativeCycleOffEveryWalkDoesNotMatter) {
  // 0 -> 1 -> 2; the cycle 3 <-> 4 is reached from 0 but leads nowhere; 5 <-> 6 leads to 2 but is
  // not reached.
  Graph const graph = makeGraph(
      7,
      {{0, 1, 4}, {1, 2, 5}, {0, 3, 1}, {3, 4, -3}, {4, 3, 2}, {5, 6, -9}, {6, 5, 1}, {6, 2, 1}});
  Answer const answer = askAll(graph, 0, 2);
  BOOST_TEST(toString(answer.outcome) == "found");
  BOOST_TEST(answer.path.length == 9);
}

BOOST_AUTO_TEST_CASE(aNegativeCycleOnAWalkIsNamed) {
  Graph const graph = makeGraph(5, {{0, 1, 1}, {1, 2, 1}, {2, 3, -4}, {3, 1, 2}, {3, 4, 7}});
  Answer const answer = askAll(graph, 0, 4);
  BOOST_TEST(toString(answer.outcome) == "negative_cycle");
  std::set<Vertex> const cycle(answer.cycle.begin(), answer.cycle.end());
  BOOST_TEST((cycle == std::set<Vertex>{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(aNegativeLoop) {
  Graph const graph = makeGraph(3, {{0, 1, 1}, {1, 1, -1}, {1, 2, 1}});
  BOOST_TEST(toString(bellmanFord(graph, 0, 2).outcome) == "negative_cycle");
  auto const solver = examples::makeSolver(examples::solverNames().front(), "host");
  Answer const answer = solvePath(graph, 0, 2, *solver);
  BOOST_TEST(toString(answer.outcome) == "negative_cycle");
  BOOST_TEST((answer.cycle == std::vector<Vertex>{1}));
}

BOOST_AUTO_TEST_CASE(anUnreachableTargetIsCutOff) {
  Graph const graph = makeGraph(5, {{0, 1, 3}, {1, 0, 3}, {2, 1, 1}, {3, 4, 1}, {2, 3, 1}});
  for (std::string const& name : examples::solverNames()) {
    auto const solver = examples::makeSolver(name, "host");
    Answer const answer = solvePath(graph, 0, 4, *solver);
    BOOST_TEST(toString(answer.outcome) == "unreachable");
    BOOST_TEST((answer.cut == std::vector<Vertex>{0, 1}));
  }
}

BOOST_AUTO_TEST_CASE(negativeArcsAndAnUnreachableTarget) {
  Graph const graph = makeGraph(4, {{0, 1, -3}, {1, 0, 1}, {2, 3, 1}});
  Answer const answer = askAll(graph, 0, 3);
  BOOST_TEST(toString(answer.outcome) == "unreachable");
}

BOOST_AUTO_TEST_CASE(aSingleVertex) {
  Answer const answer = askAll(makeGraph(1, {}), 0, 0);
  BOOST_TEST(toString(answer.outcome) == "found");
  BOOST_TEST((answer.path.vertices == std::vector<Vertex>{0}));
  BOOST_TEST(answer.path.length == 0);
}

BOOST_AUTO_TEST_CASE(parallelArcsAndLoops) {
  Graph const graph =
      makeGraph(3, {{0, 0, 2}, {0, 1, 9}, {0, 1, 4}, {0, 1, 6}, {1, 1, 0}, {1, 2, 1}});
  BOOST_TEST(askAll(graph, 0, 2).path.length == 5);
}

BOOST_AUTO_TEST_CASE(weightsAtTheEndOfTheirRange) {
  Weight const most = 2147483647;
  Graph const graph = makeGraph(4, {{0, 1, most}, {1, 2, most}, {2, 3, most}});
  BOOST_TEST(bellmanFord(graph, 0, 3).path.length == 3 * Distance{most});
  BOOST_TEST(dijkstra(graph, 0, 3).path.length == 3 * Distance{most});
}

BOOST_AUTO_TEST_CASE(gridsAndMazes) {
  std::vector<Grid> grids{openGrid(1, 1), openGrid(1, 7), openGrid(9, 4)};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    grids.push_back(maze(15, 21, 0.0, seed));
    grids.push_back(maze(16, 12, 0.1, seed));
    grids.push_back(scatteredWalls(14, 18, 0.45, seed));  // about half of these are cut off
  }
  int reached = 0;
  for (std::size_t k = 0; k < grids.size(); ++k) {
    Grid grid = grids[k];
    grid.wall.back() = 0;
    auto const target = Vertex(grid.cells() - 1);
    BOOST_TEST_CONTEXT("grid " << k) {
      Graph const graph = graphOf(grid);
      Answer const reference = askAll(graph, 0, target);
      Answer const waved = wave(grid, 0, target);
      checkSound(graph, waved, 0, target);
      BOOST_TEST(toString(waved.outcome) == toString(reference.outcome));
      BOOST_TEST(waved.path.length == reference.path.length);
      BOOST_TEST((waved.distance == dijkstra(graph, 0, target).distance));
      reached += waved.outcome == Outcome::found;
    }
  }
  BOOST_TEST(reached > 15);
  BOOST_TEST(reached < int(grids.size()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::shortest_path
