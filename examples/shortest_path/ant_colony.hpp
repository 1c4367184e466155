// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/shortest_path/answer.hpp"
#include "examples/shortest_path/ant_rules.hpp"

namespace CLI {
class App;
}

/// Ant colony optimisation (Dorigo, Maniezzo, Colorni 1996) for one shortest path. In an iteration
/// each ant walks from the source over unvisited vertices, choosing arcs by pheromone^a / length^b,
/// until it meets the target or gets stuck; then the pheromone evaporates and each ant that
/// arrived adds 1 / length^c to its arcs. It is a heuristic: the answer is a path, not a proof.
namespace osi_cuda::shortest_path::ants {

inline constexpr std::int32_t maximalVertices = 4096;

/// One question. The lengths are a dense matrix, row = tail; of parallel arcs the shortest.
struct Colony {
  std::int32_t vertices = 0;
  std::vector<std::int32_t> length;  ///< vertices * vertices, 0: no arc
  std::int32_t source = 0, target = 0;
  std::uint64_t seed = 1;
};

/// Throws std::invalid_argument with a sentence for weights below 1 and graphs that are too large.
Colony makeColony(Graph const& graph, Vertex source, Vertex target, std::uint64_t seed);

/// With lengthPower chosen: the more arcs leave a vertex, the more the short ones must stand out.
Parameters resolved(Parameters parameters, std::int32_t vertices);
/// log(1 / initial) / log(evaporation): until the first pheromone has faded to 1.
int iterations(Parameters const& parameters);
/// All parameters but the number of ants, as text.
std::string describe(Parameters const& parameters);
/// What is wrong with parameters, as a sentence; empty: nothing.
std::string faultOf(Parameters const& parameters);
/// The options that set them.
void addTo(CLI::App& app, Parameters& parameters);

/// What is left of a colony after its iterations.
struct Trails {
  std::vector<std::int32_t> strongest;  ///< per vertex the head of its strongest arc, -1: none
  std::int32_t shortestWalk = 0;        ///< length of the best walk of any ant, 0: none arrived
  std::uint64_t fingerprint = 0;        ///< of all pheromone

  void addRow(std::uint64_t fingerprintOfRow) { fingerprint = fingerprint * 31 + fingerprintOfRow; }
};
struct Run {
  std::vector<Trails> trails;  ///< one per colony
  double seconds = 0.0;
  double transferSeconds = 0.0;
};

/// Runs colonies, all with the same number of vertices: on the device all at once, on the host one
/// after the other with ants spread over the cores. Throws EngineUnavailable.
Run run(std::vector<Colony> const& colonies, Parameters const& parameters, Place place);

/// The path along the strongest arcs from the source; empty if it loops or ends elsewhere.
std::vector<Vertex> readTrails(Colony const& colony, Trails const& trails);

/// One question as an answer; outcome failed if the reading is.
Answer solve(Graph const& graph, Vertex source, Vertex target, std::uint64_t seed,
             Parameters const& parameters, Place place);

}  // namespace osi_cuda::shortest_path::ants
