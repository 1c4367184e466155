// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/graph.hpp"

#include <algorithm>

namespace osi_cuda::shortest_path {

Graph makeGraph(Vertex vertices, std::vector<Arc> const& arcs) {
  Graph graph;
  graph.vertices = vertices;
  graph.first.assign(std::size_t(vertices) + 1, 0);
  for (Arc const& arc : arcs) ++graph.first[std::size_t(arc.tail) + 1];
  for (std::size_t v = 0; v < std::size_t(vertices); ++v) graph.first[v + 1] += graph.first[v];
  graph.head.resize(arcs.size());
  graph.weight.resize(arcs.size());
  std::vector<ArcIndex> next(graph.first.begin(), graph.first.end() - 1);
  for (Arc const& arc : arcs) {
    auto const at = std::size_t(next[std::size_t(arc.tail)]++);
    graph.head[at] = arc.head;
    graph.weight[at] = arc.weight;
  }
  return graph;
}

IncomingArcs incomingArcs(Graph const& graph) {
  IncomingArcs result;
  auto const n = std::size_t(graph.vertices);
  result.vertices = graph.vertices;
  result.first.assign(n + 1, 0);
  for (Vertex const head : graph.head) ++result.first[std::size_t(head) + 1];
  for (std::size_t v = 0; v < n; ++v) result.first[v + 1] += result.first[v];
  result.tail.resize(graph.head.size());
  result.weight.resize(graph.head.size());
  std::vector<ArcIndex> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t v = 0; v < n; ++v)
    for (auto a = std::size_t(graph.first[v]); a < std::size_t(graph.first[v + 1]); ++a) {
      auto const at = std::size_t(next[std::size_t(graph.head[a])]++);
      result.tail[at] = Vertex(v);
      result.weight[at] = graph.weight[a];
    }
  return result;
}

std::vector<Arc> arcsOf(Graph const& graph) {
  std::vector<Arc> arcs;
  arcs.reserve(graph.head.size());
  for (std::size_t v = 0; v < std::size_t(graph.vertices); ++v)
    for (auto a = std::size_t(graph.first[v]); a < std::size_t(graph.first[v + 1]); ++a)
      arcs.push_back({Vertex(v), graph.head[a], graph.weight[a]});
  return arcs;
}

bool hasNegativeArc(Graph const& graph) {
  return std::any_of(graph.weight.begin(), graph.weight.end(), [](Weight w) { return w < 0; });
}

namespace {

/// Breadth-first search in compressed rows, whichever end they name.
std::vector<bool> search(std::vector<ArcIndex> const& first, std::vector<Vertex> const& other,
                         Vertex start) {
  std::vector<bool> seen(first.size() - 1, false);
  std::vector<Vertex> queue{start};
  seen[std::size_t(start)] = true;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    auto const v = std::size_t(queue[k]);
    for (auto a = std::size_t(first[v]); a < std::size_t(first[v + 1]); ++a)
      if (!seen[std::size_t(other[a])]) {
        seen[std::size_t(other[a])] = true;
        queue.push_back(other[a]);
      }
  }
  return seen;
}

}  // namespace

std::vector<bool> reachableFrom(Graph const& graph, Vertex source) {
  return search(graph.first, graph.head, source);
}

std::vector<bool> reaching(Graph const& graph, Vertex target) {
  IncomingArcs const incoming = incomingArcs(graph);
  return search(incoming.first, incoming.tail, target);
}

Graph onWalks(Graph const& graph, Vertex source, std::optional<Vertex> target) {
  std::vector<bool> const from = reachableFrom(graph, source);
  std::vector<bool> const to =
      target ? reaching(graph, *target) : std::vector<bool>(std::size_t(graph.vertices), true);
  std::vector<Arc> arcs = arcsOf(graph);
  std::erase_if(arcs, [&](Arc const& arc) {
    return !from[std::size_t(arc.tail)] || !to[std::size_t(arc.head)];
  });
  return makeGraph(graph.vertices, arcs);
}

std::optional<Distance> walkLength(Graph const& graph, std::vector<Vertex> const& vertices) {
  Distance length = 0;
  for (std::size_t k = 0; k + 1 < vertices.size(); ++k) {
    Distance cheapest = unreached;
    auto const v = std::size_t(vertices[k]);
    for (auto a = std::size_t(graph.first[v]); a < std::size_t(graph.first[v + 1]); ++a)
      if (graph.head[a] == vertices[k + 1])
        cheapest = std::min(cheapest, Distance(graph.weight[a]));
    if (cheapest == unreached) return std::nullopt;
    length += cheapest;
  }
  return length;
}

}  // namespace osi_cuda::shortest_path
