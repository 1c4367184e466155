// SPDX-License-Identifier: EPL-2.0
// The kernels say what the host says, bit for bit. Runs on a device, and on the emulated one
// (small, as each thread is a fiber); without either it is skipped.
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "examples/common/random.hpp"
#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/generators.hpp"
#include "tests/support/kernel_checks.hpp"

namespace osi_cuda::shortest_path {
namespace {

using NeedsDevice = testing::NeedsDevice<whyNoDevice>;
BOOST_TEST_GLOBAL_CONFIGURATION(NeedsDevice);

bool small() {
  return testing::smallCases(executorOf(Place::device));
}

/// Some weights turn negative, but each cycle keeps its length.
Graph withPotentials(Graph graph, Weight span, std::uint64_t seed) {
  examples::Random random(seed);
  std::vector<Weight> potential(graph.vertices);
  for (Weight& p : potential) p = Weight(random.below(span));
  graph.eachArc([&](Vertex tail, ArcIndex arc) {
    graph.weight[arc] += potential[tail] - potential[graph.head[arc]];
  });
  return graph;
}

void compareBellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target) {
  Answer const host = bellmanFord(graph, source, target, Place::host);
  Answer const device = bellmanFord(graph, source, target, Place::device);
  BOOST_TEST(toString(device.outcome) == toString(host.outcome));
  BOOST_TEST(device.rounds == host.rounds);
  BOOST_TEST((device.distance == host.distance));
  BOOST_TEST((device.parent == host.parent));
  BOOST_TEST((device.cycle == host.cycle));
}

BOOST_AUTO_TEST_CASE(bellmanFordOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= (small() ? 21 : 300); ++seed) {
    examples::Random random(seed);
    auto const n = Vertex(1 + random.below(400));
    Graph graph = sparseGraph(n, ArcIndex(random.below(6 * n)), 10, seed);
    if (seed % 3 == 0) graph = withPotentials(graph, 500, seed);
    if (seed % 7 == 0)
      for (Weight& weight : graph.weight) weight -= 100;  // negative cycles
    BOOST_TEST_CONTEXT("seed " << seed) {
      compareBellmanFord(graph, 0, n - 1);
      compareBellmanFord(graph, n - 1, {});
    }
  }
}

BOOST_AUTO_TEST_CASE(bellmanFordAgreesWithDijkstra) {
  Graph const graph = small() ? roadGraph(20, 17, 8, 4) : roadGraph(150, 170, 8, 4);
  Answer const device = bellmanFord(graph, 0, graph.vertices - 1, Place::device);
  BOOST_TEST((device.distance == dijkstra(graph, 0, graph.vertices - 1).distance));
}

BOOST_AUTO_TEST_CASE(waves) {
  std::vector<Grid> grids{openGrid(1, 1),   openGrid(1, 100), openGrid(100, 1),
                          openGrid(32, 32), openGrid(33, 65), openGrid(200, 150)};
  if (small()) grids = {openGrid(1, 40), openGrid(33, 65), maze(41, 71, 0.05, 1)};
  for (std::uint64_t seed = 1; seed <= (small() ? 0 : 20); ++seed) {
    grids.push_back(maze(99, 131, 0.0, seed));
    grids.push_back(maze(64, 200, 0.05, seed));
    grids.push_back(scatteredWalls(150, 97, 0.38, seed));
  }
  for (std::size_t k = 0; k < grids.size(); ++k) {
    Grid const& grid = grids[k];
    for (Vertex source : {Vertex(0), Vertex(grid.cells() / 2), Vertex(grid.cells() - 1)}) {
      if (grid.wall[std::size_t(source)]) continue;
      BOOST_TEST_CONTEXT("grid " << k << " from " << source)
      BOOST_TEST((deviceModule().wave(grid, source).steps == hostWave(grid, source).steps));
    }
  }
}

/// Every pheromone, after all iterations, has the same bits.
BOOST_AUTO_TEST_CASE(antsTakeTheSameChoices) {
  struct Case {
    Vertex vertices;
    int ants, pheromonePower, lengthPower, depositPower;
  };
  Case const cases[] = {{2, 1, 1, 2, 4},    {16, 32, 1, 2, 4},  {33, 100, 2, 1, 3},
                        {100, 64, 1, 2, 8}, {129, 40, 1, 0, 1}, {300, 50, 1, 2, 4},
                        {700, 20, 2, 2, 4}};
  for (Case const& one : cases) {
    if (small() && one.vertices > 33) break;
    ants::Parameters parameters;
    parameters.ants = one.ants;
    parameters.pheromonePower = one.pheromonePower;
    parameters.lengthPower = one.lengthPower;
    parameters.depositPower = one.depositPower;
    if (small()) parameters.initial = 2.0f;  // 7 iterations instead of 88
    std::vector<ants::Colony> colonies;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      colonies.push_back(ants::makeColony(denseGraph(one.vertices, 8, seed), 0, one.vertices - 1,
                                          seed * 0x9E3779B97F4A7C15ull));
    ants::Run const host = ants::run(colonies, parameters, Place::host);
    ants::Run const device = ants::run(colonies, parameters, Place::device);
    BOOST_TEST_CONTEXT(one.vertices << " vertices, " << one.ants << " ants")
    for (std::size_t k = 0; k < colonies.size(); ++k) {
      BOOST_TEST(device.trails[k].fingerprint == host.trails[k].fingerprint);
      BOOST_TEST(device.trails[k].shortestWalk == host.trails[k].shortestWalk);
      BOOST_TEST((device.trails[k].strongest == host.trails[k].strongest));
    }
  }
}

}  // namespace
}  // namespace osi_cuda::shortest_path
