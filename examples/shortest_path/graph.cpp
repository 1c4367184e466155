// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace osi_cuda::shortest_path {

Graph makeGraph(Vertex vertices, std::vector<Arc> const& arcs) {
  Graph graph;
  graph.vertices = vertices;
  graph.first.assign(vertices + std::size_t{1}, 0);
  for (Arc const& arc : arcs) ++graph.first[arc.tail + 1];
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  graph.head.resize(arcs.size());
  graph.weight.resize(arcs.size());
  std::vector<ArcIndex> next(graph.first.begin(), graph.first.end() - 1);
  for (Arc const& arc : arcs) {
    ArcIndex const at = next[arc.tail]++;
    graph.head[at] = arc.head;
    graph.weight[at] = arc.weight;
  }
  return graph;
}

Graph reversed(Graph const& graph) {
  std::vector<Arc> arcs = arcsOf(graph);
  for (Arc& arc : arcs) std::swap(arc.tail, arc.head);
  return makeGraph(graph.vertices, arcs);
}

std::vector<Arc> arcsOf(Graph const& graph) {
  std::vector<Arc> arcs;
  arcs.reserve(graph.head.size());
  graph.eachArc([&](Vertex tail, ArcIndex arc) {
    arcs.push_back({tail, graph.head[arc], graph.weight[arc]});
  });
  return arcs;
}

bool hasNegativeArc(Graph const& graph) {
  return std::ranges::any_of(graph.weight, [](Weight w) { return w < 0; });
}

std::vector<bool> reachableFrom(Graph const& graph, Vertex source) {
  std::vector<bool> seen(graph.vertices, false);
  std::vector<Vertex> queue{source};
  seen[source] = true;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    Vertex const v = queue[k];
    for (ArcIndex arc = graph.first[v]; arc < graph.first[v + 1]; ++arc)
      if (Vertex const head = graph.head[arc]; !seen[head]) {
        seen[head] = true;
        queue.push_back(head);
      }
  }
  return seen;
}

std::vector<Vertex> membersOf(std::vector<bool> const& set) {
  std::vector<Vertex> members;
  for (std::size_t v = 0; v < set.size(); ++v)
    if (set[v]) members.push_back(Vertex(v));
  return members;
}

Graph onWalks(Graph const& graph, Vertex source, std::optional<Vertex> target) {
  std::vector<bool> const from = reachableFrom(graph, source);
  std::vector<bool> const to =
      target ? reachableFrom(reversed(graph), *target) : std::vector<bool>(graph.vertices, true);
  std::vector<Arc> arcs = arcsOf(graph);
  std::erase_if(arcs, [&](Arc const& arc) { return !from[arc.tail] || !to[arc.head]; });
  return makeGraph(graph.vertices, arcs);
}

std::optional<Distance> walkLength(Graph const& graph, std::vector<Vertex> const& vertices) {
  Distance length = 0;
  for (std::size_t k = 0; k + 1 < vertices.size(); ++k) {
    Distance cheapest = unreached;
    Vertex const v = vertices[k];
    for (ArcIndex arc = graph.first[v]; arc < graph.first[v + 1]; ++arc)
      if (graph.head[arc] == vertices[k + 1])
        cheapest = std::min(cheapest, Distance{graph.weight[arc]});
    if (cheapest == unreached) return std::nullopt;
    length += cheapest;
  }
  return length;
}

}  // namespace osi_cuda::shortest_path
