// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/ant_colony.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "examples/shortest_path/device_module.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::shortest_path::ants {

Colony makeColony(Graph const& graph, Vertex source, Vertex target, std::uint64_t seed) {
  if (graph.vertices > maximalVertices)
    throw std::invalid_argument(fmt::format(
        "the ant colony keeps a dense matrix and wants at most {} vertices", maximalVertices));
  std::int32_t const longest = std::numeric_limits<std::int32_t>::max() / graph.vertices;
  std::size_t const n = graph.vertices;
  Colony colony{graph.vertices, std::vector<std::int32_t>(n * n), source, target, seed};
  for (Arc const& arc : arcsOf(graph)) {
    if (arc.weight < 1 || arc.weight > longest)
      throw std::invalid_argument(
          fmt::format("the ant colony wants weights from 1 to {}", longest));
    std::int32_t& length = colony.length[arc.tail * n + arc.head];
    if (arc.tail != arc.head && (length == 0 || arc.weight < length)) length = arc.weight;
  }
  return colony;
}

Parameters resolved(Parameters parameters, std::int32_t vertices) {
  constexpr std::int32_t small = 64;
  if (parameters.lengthPower == bySize) parameters.lengthPower = vertices <= small ? 1 : 2;
  return parameters;
}

int iterations(Parameters const& parameters) {
  return int(std::ceil(std::log(1.0 / parameters.initial) / std::log(parameters.evaporation)));
}

std::string describe(Parameters const& p) {
  return fmt::format("a={} b={} c={} initial={:g} evaporation={:g}", p.pheromonePower,
                     p.lengthPower == bySize ? "by size" : std::to_string(p.lengthPower),
                     p.depositPower, p.initial, p.evaporation);
}

std::string faultOf(Parameters const& parameters) {
  constexpr int mostAnts = 1 << 20, highestPower = 128;
  if (parameters.ants < 1 || parameters.ants > mostAnts)
    return fmt::format("expected 1 to {} ants", mostAnts);
  for (int const exponent :
       {parameters.pheromonePower, std::max(parameters.lengthPower, 0), parameters.depositPower})
    if (exponent < 0 || exponent > highestPower)
      return fmt::format("expected exponents from 0 to {}", highestPower);
  if (!(parameters.initial > 1.0f && parameters.initial <= 1e6f))
    return "expected an initial pheromone above 1 and up to 1e6";
  if (!(parameters.evaporation >= 0.01f && parameters.evaporation <= 0.999f))
    return "expected an evaporation from 0.01 to 0.999";
  return "";
}

void addTo(CLI::App& app, Parameters& parameters) {
  auto const add = [&](char const* name, auto& value, char const* help) {
    return app.add_option(name, value, fmt::format("{} [{}]", help, value))->group("Ant colony");
  };
  add("--ants", parameters.ants, "walks in an iteration");
  add("--pheromone-power", parameters.pheromonePower, "a in pheromone^a / length^b");
  add("--length-power", parameters.lengthPower, "")->description("b [1 up to 64 vertices, else 2]");
  add("--deposit-power", parameters.depositPower, "c: an ant adds 1 / length^c");
  add("--initial", parameters.initial, "pheromone at first, > 1");
  add("--evaporation", parameters.evaporation, "what an iteration leaves of it, < 1");
}

std::vector<Vertex> readTrails(Colony const& colony, Trails const& trails) {
  std::vector<Vertex> path{colony.source};
  while (path.back() != colony.target) {
    Vertex const next = trails.strongest[path.back()];
    if (next < 0 || path.size() == trails.strongest.size()) return {};  // an end, or a loop
    path.push_back(next);
  }
  return path;
}

namespace {

/// A colony on the processor, in the steps of the device's kernels.
class HostColony {
 public:
  HostColony(Colony const& colony, Parameters const& parameters)
      : colony_(colony),
        parameters_(parameters),
        n_(colony.vertices),
        pheromone_(n_ * n_, parameters.initial),
        weight_(n_ * n_),
        successor_(parameters.ants * n_),
        walked_(parameters.ants) {}

  Trails run() {
    int const last = iterations(parameters_);
    bool const worthThreads = walked_.size() * n_ > 100000;  // small colonies are over too soon
    for (int iteration = 0; iteration < last; ++iteration) {
      weighArcs();
#pragma omp parallel for schedule(dynamic, 16) if (worthThreads)
      for (int ant = 0; ant < parameters_.ants; ++ant) walked_[ant] = walk(iteration, ant);
      addDeposits();
    }
    Trails trails;
    trails.shortestWalk = shortest_;
    for (std::size_t v = 0; v < n_; ++v) {
      float const* const row = &pheromone_[v * n_];
      trails.strongest.push_back(strongest(row, &colony_.length[v * n_], colony_.vertices));
      trails.addRow(fingerprint(row, colony_.vertices));
    }
    return trails;
  }

 private:
  void weighArcs() {
    std::uint32_t const top = topWeight(colony_.vertices);
    std::vector<float> row(n_);
    for (std::size_t v = 0; v < n_; ++v) {
      for (std::size_t j = 0; j < n_; ++j)
        row[j] = attraction(pheromone_[v * n_ + j], colony_.length[v * n_ + j], parameters_);
      float const maximum = *std::max_element(row.begin(), row.end());
      for (std::size_t j = 0; j < n_; ++j) weight_[v * n_ + j] = choiceWeight(row[j], maximum, top);
    }
  }

  /// The length of the ant's walk to the target, 0 if it got stuck; fills its successors.
  std::int32_t walk(std::uint32_t iteration, std::uint32_t ant) {
    std::int16_t* const successor = &successor_[ant * n_];
    std::fill_n(successor, n_, std::int16_t{-1});
    std::vector<std::uint32_t> open(n_, ~std::uint32_t{0});  // all bits: not visited
    std::size_t v = colony_.source;
    std::int32_t length = 0;
    for (std::uint32_t step = 0; v != std::size_t(colony_.target); ++step) {
      open[v] = 0;
      std::uint32_t const* const weight = &weight_[v * n_];
      std::uint32_t total = 0;
      for (std::size_t j = 0; j < n_; ++j) total += weight[j] & open[j];
      if (total == 0) return 0;
      std::uint32_t const random = randomWord(colony_.seed, iteration, ant, step);
      std::size_t const next = pick(weight, open.data(), productHigh(random, total));
      successor[v] = std::int16_t(next);
      length += colony_.length[v * n_ + next];
      v = next;
    }
    return length;
  }

  /// The first vertex at which the running sum of weights exceeds `rest`.
  std::size_t pick(std::uint32_t const* weight, std::uint32_t const* open,
                   std::uint32_t rest) const {
    std::size_t j = 0;
    constexpr std::size_t stride = 32;  // whole strides first: their sums are fast
    for (; j + stride <= n_; j += stride) {
      std::uint32_t sum = 0;
      for (std::size_t k = j; k < j + stride; ++k) sum += weight[k] & open[k];
      if (sum > rest) break;
      rest -= sum;
    }
    for (;; ++j) {
      std::uint32_t const own = weight[j] & open[j];
      if (own > rest) return j;
      rest -= own;
    }
  }

  /// Evaporation, the shortest walk so far, and what each ant that arrived adds to its arcs.
  void addDeposits() {
    for (float& pheromone : pheromone_) pheromone *= parameters_.evaporation;
    for (std::int32_t const length : walked_)
      if (length > 0 && (shortest_ == 0 || length < shortest_)) shortest_ = length;
    for (std::size_t ant = 0; ant < walked_.size(); ++ant) {
      if (walked_[ant] == 0) continue;
      float const added = deposit(shortest_, walked_[ant], parameters_);
      for (std::int32_t v = colony_.source, next = 0; v != colony_.target; v = next) {
        next = successor_[ant * n_ + v];
        pheromone_[v * n_ + next] += added;
      }
    }
  }

  Colony const& colony_;
  Parameters const& parameters_;
  std::size_t n_;
  std::vector<float> pheromone_;         // n * n, row = tail
  std::vector<std::uint32_t> weight_;    // n * n
  std::vector<std::int16_t> successor_;  // ants * n, -1: not on the walk
  std::vector<std::int32_t> walked_;     // per ant, 0: stuck
  std::int32_t shortest_ = 0;
};

}  // namespace

Run run(std::vector<Colony> const& colonies, Parameters const& parameters, Place place) {
  if (colonies.empty()) return {};
  Parameters const chosen = resolved(parameters, colonies.front().vertices);
  if (place == Place::device) return deviceModule().ants(colonies, chosen, iterations(chosen));
  Run result;
  Stopwatch const watch;
  for (Colony const& colony : colonies) result.trails.push_back(HostColony(colony, chosen).run());
  result.seconds = watch.seconds();
  return result;
}

Answer solve(Graph const& graph, Vertex source, Vertex target, std::uint64_t seed,
             Parameters const& parameters, Place place) {
  Answer answer;
  answer.method = "ants";
  answer.executor = executorOf(place);
  answer.rounds = iterations(parameters);
  Colony const colony = makeColony(graph, source, target, seed);
  Run const result = run({colony}, parameters, place);
  answer.seconds = result.seconds;
  answer.transferSeconds = result.transferSeconds;
  answer.path.vertices = readTrails(colony, result.trails.front());
  if (answer.path.vertices.empty()) {
    answer.refuse(result.trails.front().shortestWalk == 0 ? "no ant arrived"
                                                          : "the strongest arcs lead in a loop");
  } else {
    answer.outcome = Outcome::found;
    answer.path.length = *walkLength(graph, answer.path.vertices);
  }
  return answer;
}

}  // namespace osi_cuda::shortest_path::ants
