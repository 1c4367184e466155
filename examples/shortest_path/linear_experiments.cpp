// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <string>

#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/dijkstra.hpp"
#include "examples/shortest_path/experiments.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/linear_program.hpp"

namespace osi_cuda::shortest_path {
namespace {

/// A grid with walls in which the last cell can be reached; `seed` gets the first that gives one.
Grid reachableGrid(std::int32_t side, std::uint64_t& seed) {
  constexpr double walls = 0.2;
  for (seed = 1;; ++seed) {
    Grid grid = scatteredWalls(side, side, walls, seed);
    if (reachableFrom(graphOf(grid), 0).back()) return grid;
  }
}

void compareSolvers(Experiment base, Graph const& graph, ExperimentArguments const& arguments,
                    Store const& store) {
  Vertex const target = graph.vertices - 1;
  Answer const reference = dijkstra(graph, 0, target);
  base.vertices = graph.vertices;
  base.arcs = graph.arcs();
  base.runs = 1;
  base.accuracy = 1.0;
  base.excess = 0.0;
  base.ok = true;
  base.method = "dijkstra";
  base.place = base.device = "host";
  base.seconds = reference.seconds;
  store(base);
  auto const measure = [&](std::string const& name, std::string const& engine) {
    auto const solver = examples::makeSolver(name, engine, arguments.timeLimit);
    LinearAnswer const answer = solvePath(graph, 0, target, *solver);
    Experiment e = base;
    e.method = "lp";
    e.place = engine == "cuda" ? "device" : "host";
    e.solver = name;
    e.device = answer.executor;
    e.seconds = answer.seconds;
    e.rounds = double(answer.rounds);
    e.ok = answer.outcome == Outcome::found && answer.path.length == reference.path.length;
    e.accuracy = e.ok ? 1.0 : 0.0;
    if (!e.ok) e.excess.reset();
    store(e);
  };
  for (std::string const& name : examples::solverNames()) {
    if (name != "cuda") {
      measure(name, "host");
      continue;
    }
    if (arguments.host) measure(name, "host");
    if (arguments.device) measure(name, "cuda");
  }
}

}  // namespace

void linearExperiments(ExperimentArguments const& arguments, Store const& store) {
  auto const& families = arguments.families;
  auto const wanted = [&](std::string const& family) {
    return families.empty() ||
           std::find(families.begin(), families.end(), family) != families.end();
  };
  auto const sizesOf = [&](std::vector<std::int64_t> const& defaults) {
    return arguments.sizes.empty() ? defaults : arguments.sizes;
  };
  if (wanted("dense"))
    for (std::int64_t const size : sizesOf({50, 100, 200, 300, 400, 500})) {
      constexpr int bits = 8;
      Experiment base;
      base.family = "dense";
      base.seeds = "1";
      compareSolvers(base, denseGraph(Vertex(size), bits, 1), arguments, store);
    }
  if (wanted("grid"))
    for (std::int64_t const size : sizesOf({10, 20, 30, 40, 50, 60})) {
      std::uint64_t seed = 1;
      Grid const grid = reachableGrid(std::int32_t(size), seed);
      Experiment base;
      base.family = "grid";
      base.seeds = std::to_string(seed);
      compareSolvers(base, graphOf(grid), arguments, store);
    }
}

}  // namespace osi_cuda::shortest_path
