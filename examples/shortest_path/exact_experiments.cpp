// SPDX-License-Identifier: EPL-2.0
// The series of the exact methods: Bellman and Ford's, the wave, the linear programs.
#include <algorithm>
#include <cmath>
#include <string>

#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/experiments.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/linear_program.hpp"

namespace osi_cuda::shortest_path {
namespace {

constexpr int bits = 8;

/// Answers of one question: the first gives what the others have to agree with.
class Comparison {
 public:
  Comparison(std::string const& family, std::string const& seeds, std::int64_t vertices,
             std::int64_t arcs, Store const& store)
      : store_(store) {
    base_.family = family;
    base_.seeds = seeds;
    base_.vertices = vertices;
    base_.arcs = arcs;
  }

  /// Stores the answer, the median of `runs`, as that of `solver` (of a linear program).
  void add(Place place, Answer const& answer, std::int64_t runs = 1,
           std::string const& solver = "") {
    Experiment e = base_;
    e.method = answer.method;
    e.place = place == Place::device ? "device" : "host";
    e.solver = solver;
    e.device = answer.executor;
    e.runs = runs;
    e.seconds = answer.seconds;
    e.transferSeconds = answer.transferSeconds;
    e.rounds = double(answer.rounds);
    if (reference_.outcome == Outcome::failed) reference_ = answer;
    e.ok = solver.empty()
               ? answer.distance == reference_.distance
               : answer.outcome == Outcome::found && answer.path.length == reference_.path.length;
    e.accuracy = e.ok ? 1.0 : 0.0;
    if (e.ok) e.excess = 0.0;
    store_(e);
  }

  /// Runs `method` several times where it is quick, and stores the median.
  template <class Method>
  void addMedian(Place place, Method method) {
    constexpr std::size_t most = 5;
    constexpr double enough = 1.0;  // seconds in all
    std::vector<Answer> answers;
    double spent = 0.0;
    do {
      answers.push_back(method());
      spent += answers.back().seconds + answers.back().transferSeconds;
    } while (answers.size() < most && spent < enough);
    auto const middle = answers.begin() + std::ptrdiff_t(answers.size() / 2);
    std::nth_element(answers.begin(), middle, answers.end(),
                     [](Answer const& a, Answer const& b) { return a.seconds < b.seconds; });
    add(place, *middle, std::int64_t(answers.size()));
  }

  /// Dijkstra's algorithm and one that exists twice, as far as the arguments' limits allow.
  template <class Dijkstra, class Twice>
  void addAll(ExperimentArguments const& arguments, std::int64_t size, Dijkstra reference,
              Twice method) {
    auto const within = [&](std::int64_t limit) { return limit == 0 || size <= limit; };
    if (within(arguments.dijkstraLimit)) addMedian(Place::host, reference);
    for (Place const place : {Place::host, Place::device})
      if (place == Place::host ? arguments.host && within(arguments.hostLimit) : arguments.device)
        addMedian(place, [&] { return method(place); });
  }

 private:
  Experiment base_;
  Store const& store_;
  Answer reference_;
};

bool wanted(ExperimentArguments const& arguments, std::string const& family) {
  auto const& families = arguments.families;
  return families.empty() || std::find(families.begin(), families.end(), family) != families.end();
}

std::vector<std::int64_t> sizesOf(ExperimentArguments const& arguments,
                                  std::vector<std::int64_t> const& defaults) {
  return arguments.sizes.empty() ? defaults : arguments.sizes;
}

Grid gridOf(std::string const& family, std::int32_t side) {
  constexpr double wallShare = 0.3, brokenWalls = 0.05;
  if (family == "walls") return scatteredWalls(side, side, wallShare, 1);
  if (family == "open") return openGrid(side, side);
  Grid grid = maze(side, side, family == "loops" ? brokenWalls : 0.0, 1);
  grid.wall.back() = 0;
  return grid;
}

void compareSolvers(std::string const& family, std::string const& seeds, Graph const& graph,
                    ExperimentArguments const& arguments, Store const& store) {
  Vertex const target = graph.vertices - 1;
  Comparison comparison(family, seeds, graph.vertices, graph.arcs(), store);
  comparison.add(Place::host, dijkstra(graph, 0, target));
  for (std::string const& name : examples::solverNames())
    for (Place const place : {Place::host, Place::device}) {
      bool const ours = name == "cuda";
      bool const wanted = place == Place::host ? !ours || arguments.host : ours && arguments.device;
      if (!wanted) continue;
      auto const solver =
          examples::makeSolver(name, place == Place::device ? "cuda" : "host", arguments.timeLimit);
      comparison.add(place, solvePath(graph, 0, target, *solver), 1, name);
    }
}

}  // namespace

void bellmanFordExperiments(ExperimentArguments const& arguments, Store const& store) {
  constexpr std::int64_t arcsPerVertex = 10;
  auto const compare = [&](std::string const& family, Graph const& graph) {
    Comparison(family, "1", graph.vertices, graph.arcs(), store)
        .addAll(
            arguments, graph.arcs(), [&] { return dijkstra(graph, 0, graph.vertices - 1); },
            [&](Place place) { return bellmanFord(graph, 0, {}, place); });
  };
  for (std::int64_t const size :
       sizesOf(arguments, {1000, 10'000, 100'000, 1'000'000, 10'000'000})) {
    if (wanted(arguments, "sparse")) {
      auto const vertices = Vertex(std::max<std::int64_t>(2, size / arcsPerVertex));
      compare("sparse", sparseGraph(vertices, size, bits, 1));
    }
    if (wanted(arguments, "road")) {
      auto const side = std::int32_t(std::lround(std::sqrt(double(size) / 4.0)));
      compare("road", roadGraph(side, side, bits, 1));
    }
  }
}

void waveExperiments(ExperimentArguments const& arguments, Store const& store) {
  for (std::int64_t const side : sizesOf(arguments, {32, 100, 316, 1000, 3162, 10'000}))
    for (std::string const family : {"open", "walls", "loops", "maze"}) {
      if (!wanted(arguments, family)) continue;
      Grid const grid = gridOf(family, std::int32_t(side));
      auto const target = Vertex(grid.cells() - 1);
      Graph graph;  // made where it is needed: it takes more memory than the grid
      Comparison(family, family == "open" ? "" : "1", grid.cells(), 0, store)
          .addAll(
              arguments, grid.cells(),
              [&] {
                if (graph.vertices == 0) graph = graphOf(grid);
                return dijkstra(graph, 0, target);
              },
              [&](Place place) { return wave(grid, 0, target, place); });
    }
}

void linearExperiments(ExperimentArguments const& arguments, Store const& store) {
  constexpr double walls = 0.2;
  if (wanted(arguments, "dense"))
    for (std::int64_t const size : sizesOf(arguments, {50, 100, 200, 300, 400, 500}))
      compareSolvers("dense", "1", denseGraph(Vertex(size), bits, 1), arguments, store);
  if (wanted(arguments, "grid"))
    for (std::int64_t const size : sizesOf(arguments, {10, 20, 30, 40, 50, 60})) {
      auto const side = std::int32_t(size);
      // The first seed of which the last cell can be reached.
      std::uint64_t seed = 0;
      Graph graph;
      do graph = graphOf(scatteredWalls(side, side, walls, ++seed));
      while (!reachableFrom(graph, 0).back());
      compareSolvers("grid", std::to_string(seed), graph, arguments, store);
    }
}

}  // namespace osi_cuda::shortest_path
