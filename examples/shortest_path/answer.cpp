// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/answer.hpp"

#include <algorithm>

namespace osi_cuda::shortest_path {

std::string toString(Outcome outcome) {
  constexpr char const* names[] = {"found", "unreachable", "negative_cycle", "failed"};
  return names[int(outcome)];
}

void Answer::conclude(Graph const& graph, Vertex source, Vertex target) {
  outcome = distance[target] < unreached ? Outcome::found : Outcome::unreachable;
  if (outcome == Outcome::found)
    path = readBack(parent, distance, target);
  else
    cut = membersOf(reachableFrom(graph, source));
}

Path readBack(std::vector<Vertex> const& parent, std::vector<Distance> const& distance,
              Vertex target) {
  Path path{{}, distance[target]};
  for (Vertex v = target; v >= 0; v = parent[v]) path.vertices.push_back(v);
  std::ranges::reverse(path.vertices);
  return path;
}

}  // namespace osi_cuda::shortest_path
