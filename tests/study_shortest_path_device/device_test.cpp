// SPDX-License-Identifier: EPL-2.0
// The kernels say what the host says, bit for bit. Needs a device; elsewhere it is skipped.
#include <boost/test/unit_test.hpp>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/philox.hpp"
#include "studies/shortest_path/device_module.hpp"
#include "tests/support/needs_device.hpp"

namespace osi_cuda::shortest_path {
namespace {

using NeedsDevice = testing::NeedsDevice<+[] { return deviceModule.whyNot(); }>;
BOOST_TEST_GLOBAL_CONFIGURATION(NeedsDevice);

void compareBellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target) {
  Answer const host = bellmanFord(graph, source, target);
  Answer const device = bellmanFord(graph, source, target, deviceModule->makeRelaxation);
  BOOST_TEST(toString(device.outcome) == toString(host.outcome));
  BOOST_TEST(device.rounds == host.rounds);
  BOOST_TEST((device.distance == host.distance));
  BOOST_TEST((device.parent == host.parent));
  BOOST_TEST((device.cycle == host.cycle));
}

BOOST_AUTO_TEST_CASE(bellmanFordOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    PhiloxStream random(seed);
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
  Graph const graph = roadGraph(150, 170, 8, 4);
  Answer const device = bellmanFord(graph, 0, graph.vertices - 1, deviceModule->makeRelaxation);
  BOOST_TEST((device.distance == dijkstra(graph, 0, graph.vertices - 1).distance));
}

BOOST_AUTO_TEST_CASE(waves) {
  std::vector<Grid> grids{openGrid(1, 1),   openGrid(1, 100), openGrid(100, 1),
                          openGrid(32, 32), openGrid(33, 65), openGrid(200, 150)};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    grids.push_back(maze(99, 131, 0.0, seed));
    grids.push_back(maze(64, 200, 0.05, seed));
    grids.push_back(scatteredWalls(150, 97, 0.38, seed));
  }
  for (std::size_t k = 0; k < grids.size(); ++k) {
    Grid const& grid = grids[k];
    for (Vertex source : {Vertex(0), Vertex(grid.cells() / 2), Vertex(grid.cells() - 1)}) {
      if (grid.wall[std::size_t(source)]) continue;
      BOOST_TEST_CONTEXT("grid " << k << " from " << source)
      BOOST_TEST((deviceModule->wave(grid, source).steps == hostWave(grid, source).steps));
    }
  }
}

}  // namespace
}  // namespace osi_cuda::shortest_path
