// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "examples/shortest_path/bellman_ford.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/dijkstra.hpp"
#include "examples/shortest_path/experiments.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/wave.hpp"

namespace osi_cuda::shortest_path {
namespace {

constexpr int bits = 8;
constexpr std::uint64_t seed = 1;

/// Answers of the same question: the first gives what the others have to agree with.
class Comparison {
 public:
  Comparison(Experiment base, Store const& store) : base_(std::move(base)), store_(store) {}

  /// Runs `method` several times where it is quick and stores the median.
  void add(Place place, std::function<Answer()> const& method) {
    constexpr int most = 5;
    constexpr double enough = 1.0;  // seconds in all
    std::vector<Answer> answers;
    double spent = 0.0;
    do {
      answers.push_back(method());
      spent += answers.back().seconds + answers.back().transferSeconds;
    } while (int(answers.size()) < most && spent < enough);
    std::size_t const middle = answers.size() / 2;
    std::nth_element(answers.begin(), answers.begin() + std::ptrdiff_t(middle), answers.end(),
                     [](Answer const& a, Answer const& b) { return a.seconds < b.seconds; });
    Answer const& answer = answers[middle];
    Experiment e = base_;
    e.method = answer.method;
    e.place = place == Place::device ? "device" : "host";
    e.device = answer.executor;
    e.runs = std::int64_t(answers.size());
    e.seconds = answer.seconds;
    e.transferSeconds = answer.transferSeconds;
    e.rounds = double(answer.rounds);
    if (reference_.empty()) reference_ = answer.distance;
    e.ok = answer.distance == reference_;
    e.accuracy = e.ok ? 1.0 : 0.0;
    e.excess = e.ok ? std::optional<double>(0.0) : std::nullopt;
    store_(e);
  }

 private:
  Experiment base_;
  Store const& store_;
  std::vector<Distance> reference_;
};

bool wanted(ExperimentArguments const& arguments, std::string const& family) {
  auto const& families = arguments.families;
  return families.empty() || std::find(families.begin(), families.end(), family) != families.end();
}

bool within(std::int64_t size, std::int64_t limit) {
  return limit == 0 || size <= limit;
}

void compareOn(std::string const& family, Graph const& graph, ExperimentArguments const& arguments,
               Store const& store) {
  Experiment base;
  base.family = family;
  base.vertices = graph.vertices;
  base.arcs = graph.arcs();
  base.seeds = std::to_string(seed);
  Comparison comparison(base, store);
  Vertex const target = graph.vertices - 1;
  if (within(graph.arcs(), arguments.dijkstraLimit))
    comparison.add(Place::host, [&] { return dijkstra(graph, 0, target); });
  if (arguments.host && within(graph.arcs(), arguments.hostLimit))
    comparison.add(Place::host, [&] { return bellmanFord(graph, 0, {}, Place::host); });
  if (arguments.device)
    comparison.add(Place::device, [&] { return bellmanFord(graph, 0, {}, Place::device); });
}

Grid gridOf(std::string const& family, std::int32_t side) {
  constexpr double wallShare = 0.3, brokenWalls = 0.05;
  if (family == "walls") return scatteredWalls(side, side, wallShare, seed);
  if (family == "open") return openGrid(side, side);
  Grid grid = maze(side, side, family == "loops" ? brokenWalls : 0.0, seed);
  grid.wall.back() = 0;
  return grid;
}

}  // namespace

void bellmanFordExperiments(ExperimentArguments const& arguments, Store const& store) {
  constexpr std::int64_t arcsPerVertex = 10;
  std::vector<std::int64_t> const sizes =
      arguments.sizes.empty()
          ? std::vector<std::int64_t>{1000, 10'000, 100'000, 1'000'000, 10'000'000}
          : arguments.sizes;
  for (std::int64_t const size : sizes) {
    if (wanted(arguments, "sparse")) {
      auto const vertices = Vertex(std::max<std::int64_t>(2, size / arcsPerVertex));
      compareOn("sparse", sparseGraph(vertices, size, bits, seed), arguments, store);
    }
    if (wanted(arguments, "road")) {
      auto const side = std::int32_t(std::lround(std::sqrt(double(size) / 4.0)));
      compareOn("road", roadGraph(side, side, bits, seed), arguments, store);
    }
  }
}

void waveExperiments(ExperimentArguments const& arguments, Store const& store) {
  std::vector<std::int64_t> const sizes =
      arguments.sizes.empty() ? std::vector<std::int64_t>{32, 100, 316, 1000, 3162, 10'000}
                              : arguments.sizes;
  for (std::int64_t const side : sizes)
    for (std::string const family : {"open", "walls", "loops", "maze"}) {
      if (!wanted(arguments, family)) continue;
      Grid const grid = gridOf(family, std::int32_t(side));
      auto const target = Vertex(grid.cells() - 1);
      Experiment base;
      base.family = family;
      base.vertices = grid.cells();
      base.seeds = family == "open" ? "" : std::to_string(seed);
      Comparison comparison(base, store);
      if (within(grid.cells(), arguments.dijkstraLimit)) {
        Graph const graph = graphOf(grid);
        comparison.add(Place::host, [&] { return dijkstra(graph, 0, target); });
      }
      if (arguments.host && within(grid.cells(), arguments.hostLimit))
        comparison.add(Place::host, [&] { return wave(grid, 0, target, Place::host); });
      if (arguments.device)
        comparison.add(Place::device, [&] { return wave(grid, 0, target, Place::device); });
    }
}

}  // namespace osi_cuda::shortest_path
