// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/answer.hpp"

#include <algorithm>

namespace osi_cuda::shortest_path {

std::string toString(Outcome outcome) {
  switch (outcome) {
    case Outcome::found:
      return "found";
    case Outcome::unreachable:
      return "unreachable";
    case Outcome::negativeCycle:
      return "negative_cycle";
    case Outcome::failed:
      break;
  }
  return "failed";
}

Path readBack(std::vector<Vertex> const& parent, std::vector<Distance> const& distance,
              Vertex target) {
  Path path;
  path.length = distance[std::size_t(target)];
  for (Vertex v = target; v >= 0; v = parent[std::size_t(v)]) path.vertices.push_back(v);
  std::reverse(path.vertices.begin(), path.vertices.end());
  return path;
}

}  // namespace osi_cuda::shortest_path
