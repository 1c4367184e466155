// SPDX-License-Identifier: EPL-2.0
// Bellman-Ford, the wave and the linear program beside Dijkstra's algorithm, on graphs with fixed
// seeds.
#include "studies/shortest_path/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/linear_program.hpp"
#include "studies/shortest_path/device_module.hpp"

namespace osi_cuda::shortest_path {
namespace {

using studies::Measurement;
using studies::Store;

constexpr int bits = 8;

/// Answers of one question: the first gives what the others have to agree with.
class Comparison {
 public:
  Comparison(std::string const& series, std::string const& problem, double size, Store const& store)
      : store_(store) {
    base_.series = series;
    base_.problem = problem;
    base_.size = size;
  }

  void add(std::string const& form, Answer const& answer) {
    if (reference_.outcome == Outcome::failed) reference_ = answer;
    Measurement m = base_;
    m.form = form;
    m.seconds = answer.seconds;
    m.iterations = double(answer.rounds);
    m.executor = answer.executor;
    m.ok = answer.outcome == reference_.outcome && answer.path.length == reference_.path.length &&
           (answer.distance.empty() || answer.distance == reference_.distance);
    if (answer.transferSeconds > 0.0)
      m.note = fmt::format("transfers {:.4g} ms", 1e3 * answer.transferSeconds);
    store_(m);
  }

  /// Runs `method` several times where it is quick, and stores the median.
  template <class Method>
  void addMedian(std::string const& form, Method method) {
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
    add(form, *middle);
  }

 private:
  Measurement base_;
  Store const& store_;
  Answer reference_;
};

bool wanted(ExperimentSettings const& settings, std::string const& family) {
  auto const& families = settings.families;
  return families.empty() || std::find(families.begin(), families.end(), family) != families.end();
}

std::vector<std::int64_t> sizesOf(ExperimentSettings const& settings,
                                  std::vector<std::int64_t> const& defaults) {
  return settings.sizes.empty() ? defaults : settings.sizes;
}

Grid gridOf(std::string const& family, std::int32_t side) {
  constexpr double wallShare = 0.3, brokenWalls = 0.05;
  if (family == "walls") return scatteredWalls(side, side, wallShare, 1);
  if (family == "open") return openGrid(side, side);
  Grid grid = maze(side, side, family == "loops" ? brokenWalls : 0.0, 1);
  grid.wall.back() = 0;
  return grid;
}

Answer named(Answer answer) {
  answer.executor = deviceModule->deviceName();
  return answer;
}

void compareSolvers(std::string const& family, Graph const& graph,
                    ExperimentSettings const& settings, Store const& store) {
  Vertex const target = graph.vertices - 1;
  Comparison comparison("lp", fmt::format("{} {}", family, graph.vertices), graph.vertices, store);
  Answer reference = dijkstra(graph, 0, target);
  comparison.add("dijkstra", reference);
  for (std::string const& name : examples::solverNames())
    for (std::string const engine : {"host", "cuda"}) {
      if (engine == "cuda" && (name != "cuda" || !settings.onDevice)) continue;
      auto const solver = examples::makeSolver(name, engine, settings.timeLimit);
      Answer answer = solvePath(graph, 0, target, *solver);
      answer.distance.clear();
      comparison.add("lp, " + name + (name == "cuda" ? " on " + engine : ""), answer);
    }
}

}  // namespace

void bellmanFordExperiments(ExperimentSettings const& settings, Store const& store) {
  constexpr std::int64_t arcsPerVertex = 10;
  auto const compare = [&](std::string const& family, Graph const& graph) {
    Vertex const target = graph.vertices - 1;
    Comparison comparison("bellman-ford", fmt::format("{}, {} arcs", family, graph.arcs()),
                          double(graph.arcs()), store);
    comparison.addMedian("dijkstra", [&] { return dijkstra(graph, 0, target); });
    comparison.addMedian("host", [&] { return bellmanFord(graph, 0, target); });
    if (settings.onDevice)
      comparison.addMedian("device", [&] {
        return named(bellmanFord(graph, 0, target, deviceModule->makeRelaxation));
      });
  };
  for (std::int64_t const size :
       sizesOf(settings, {1000, 10'000, 100'000, 1'000'000, 10'000'000})) {
    if (wanted(settings, "sparse")) {
      auto const vertices = Vertex(std::max<std::int64_t>(2, size / arcsPerVertex));
      compare("sparse", sparseGraph(vertices, size, bits, 1));
    }
    if (wanted(settings, "road")) {
      auto const side = std::int32_t(std::lround(std::sqrt(double(size) / 4.0)));
      compare("road", roadGraph(side, side, bits, 1));
    }
  }
}

void waveExperiments(ExperimentSettings const& settings, Store const& store) {
  for (std::int64_t const side : sizesOf(settings, {32, 100, 316, 1000, 3162}))
    for (std::string const family : {"open", "walls", "loops", "maze"}) {
      if (!wanted(settings, family)) continue;
      Grid const grid = gridOf(family, std::int32_t(side));
      Graph const graph = graphOf(grid);
      auto const target = Vertex(grid.cells() - 1);
      Comparison comparison("wave", fmt::format("{0} {1} x {1}", family, side),
                            double(grid.cells()), store);
      comparison.addMedian("dijkstra", [&] { return dijkstra(graph, 0, target); });
      comparison.addMedian("host", [&] { return wave(grid, 0, target); });
      if (settings.onDevice)
        comparison.addMedian("device",
                             [&] { return named(wave(grid, 0, target, deviceModule->wave)); });
    }
}

void linearExperiments(ExperimentSettings const& settings, Store const& store) {
  constexpr double walls = 0.2;
  if (wanted(settings, "dense"))
    for (std::int64_t const size : sizesOf(settings, {50, 100, 200, 300, 400, 500}))
      compareSolvers("dense", denseGraph(Vertex(size), bits, 1), settings, store);
  if (wanted(settings, "grid"))
    for (std::int64_t const size : sizesOf(settings, {10, 20, 30, 40, 50, 60})) {
      auto const side = std::int32_t(size);
      // The first seed of which the last cell can be reached.
      std::uint64_t seed = 0;
      Graph graph;
      do graph = graphOf(scatteredWalls(side, side, walls, ++seed));
      while (!reachableFrom(graph, 0).back());
      compareSolvers("grid", graph, settings, store);
    }
}

}  // namespace osi_cuda::shortest_path
