// SPDX-License-Identifier: EPL-2.0
#include <string>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/experiments.hpp"
#include "examples/shortest_path/generators.hpp"

namespace osi_cuda::shortest_path {
namespace {

constexpr int antBits = 8;  // weights 1 .. 255

/// The graphs of one size, with what Dijkstra says of each.
struct Cell {
  std::vector<Graph> graphs;
  std::vector<ants::Colony> colonies;
  std::vector<Distance> shortest;
  Experiment dijkstra;
};

std::string seedsText(int runs) {
  return runs == 1 ? "1" : "1.." + std::to_string(runs);
}

Cell makeCell(std::int64_t vertices, int runs) {
  Cell cell;
  Experiment& e = cell.dijkstra;
  e.method = "dijkstra";
  e.place = e.device = "host";
  e.family = "dense";
  e.vertices = vertices;
  e.seeds = seedsText(runs);
  for (int seed = 1; seed <= runs; ++seed) {
    Graph graph = denseGraph(Vertex(vertices), antBits, std::uint64_t(seed));
    Answer const answer = dijkstra(graph, 0, graph.vertices - 1);
    if (answer.outcome != Outcome::found) continue;  // nothing to find: not a run
    e.arcs += graph.arcs();
    e.seconds += answer.seconds;
    ++e.runs;
    cell.shortest.push_back(answer.path.length);
    cell.colonies.push_back(ants::makeColony(graph, 0, graph.vertices - 1, std::uint64_t(seed)));
    cell.graphs.push_back(std::move(graph));
  }
  if (e.runs > 0) {
    e.arcs /= e.runs;
    e.seconds /= double(e.runs);
  }
  e.accuracy = 1.0;
  e.excess = 0.0;
  e.ok = true;
  return cell;
}

Experiment measure(Cell const& cell, std::size_t runs, ants::Parameters const& parameters,
                   Place place) {
  Experiment e = cell.dijkstra;
  e.method = "ants";
  e.place = place == Place::device ? "device" : "host";
  e.device = executorOf(place);
  e.parameters = ants::describe(parameters);
  e.ants = parameters.ants;
  if (runs < cell.colonies.size()) e.seeds = seedsText(int(runs));
  std::vector<ants::Colony> const colonies(cell.colonies.begin(),
                                           cell.colonies.begin() + std::ptrdiff_t(runs));
  ants::Run const run = ants::run(colonies, parameters, place);
  int exact = 0, found = 0;
  double excess = 0.0;
  e.ok = true;
  for (std::size_t k = 0; k < runs; ++k) {
    std::vector<Vertex> const path = ants::readTrails(colonies[k], run.trails[k]);
    if (path.empty()) continue;
    Distance const length = *walkLength(cell.graphs[k], path);
    ++found;
    exact += length == cell.shortest[k];
    excess += double(length) / double(cell.shortest[k]) - 1.0;
    e.ok = e.ok && length >= cell.shortest[k];
  }
  e.runs = std::int64_t(runs);
  e.accuracy = double(exact) / double(runs);
  e.excess.reset();
  if (found > 0) e.excess = excess / found;
  e.seconds = run.seconds / double(runs);
  e.transferSeconds = run.transferSeconds / double(runs);
  e.rounds = ants::iterations(parameters);
  return e;
}

}  // namespace

void antExperiments(ExperimentArguments const& arguments, Store const& store) {
  std::vector<std::int64_t> sizes = arguments.sizes;
  if (sizes.empty()) sizes = {16, 32, 64, 128, 256, 512, 1024};
  std::vector<int> numbers = arguments.ants;
  if (numbers.empty()) numbers = {32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
  for (std::int64_t const size : sizes) {
    Cell const cell = makeCell(size, arguments.runs);
    if (cell.colonies.empty()) continue;
    store(cell.dijkstra);
    for (int const number : numbers) {
      ants::Parameters parameters = arguments.parameters;
      parameters.ants = number;
      if (arguments.host) store(measure(cell, cell.colonies.size(), parameters, Place::host));
      if (!arguments.device) continue;
      store(measure(cell, cell.colonies.size(), parameters, Place::device));
      // Alone, a colony leaves most of the device idle: what one answer costs.
      if (cell.colonies.size() > 1 && number == numbers.back())
        store(measure(cell, 1, parameters, Place::device));
    }
  }
}

}  // namespace osi_cuda::shortest_path
