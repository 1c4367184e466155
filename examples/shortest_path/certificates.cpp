// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/certificates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace osi_cuda::shortest_path {
namespace {

constexpr double negligible = 1e-6;  // of the largest entry: flows here are whole multiples of one
// Rays of some solvers span many scales; what is too small for a flow may still be an arc of one.
constexpr double negligibleInRay = 1e-13;

std::string pair(Vertex u, Vertex v) {
  return fmt::format("{} -> {}", u, v);
}

/// A flow that is taken apart: by tail the next arc that carries some, each visited at most once.
class FlowArcs {
 public:
  FlowArcs(Graph const& graph, std::vector<double> flow, double smallest)
      : graph_(graph), flow_(std::move(flow)), positionOf_(graph.vertices, -1) {
    double top = 0.0;
    for (double const f : flow_) top = std::max(top, std::abs(f));
    for (double& f : flow_)
      if (f <= smallest * top) f = 0.0;
    next_.assign(graph.first.begin(), graph.first.end() - 1);
  }

  /// An arc out of `v` that carries flow, or -1.
  ArcIndex from(Vertex v) {
    ArcIndex& at = next_[v];
    while (at < graph_.first[v + 1] && flow_[at] <= 0.0) ++at;
    return at < graph_.first[v + 1] ? at : -1;
  }
  /// Takes away what this arc carries; its head.
  Vertex follow(ArcIndex arc) {
    flow_[arc] = 0.0;
    return graph_.head[arc];
  }

  /// A negative cycle of those that the flow is a sum of; empty: there is none.
  std::vector<Vertex> negativeCycle() {
    for (Vertex start = 0; start < graph_.vertices; ++start)
      for (auto cycle = cycleFrom(start); !cycle.empty(); cycle = cycleFrom(start)) {
        Distance length = 0;
        double amount = flow_[cycle.front()];
        std::vector<Vertex> vertices;
        for (ArcIndex const arc : cycle) {
          length += graph_.weight[arc];
          amount = std::min(amount, flow_[arc]);
          vertices.push_back(graph_.head[arc]);
        }
        if (length < 0) return vertices;
        for (ArcIndex const arc : cycle) {
          double& f = flow_[arc];
          f = f - amount <= negligible * amount ? 0.0 : f - amount;
        }
      }
    return {};
  }

 private:
  /// Follows flow from `start` until a vertex comes again; the arcs of that cycle, or nothing where
  /// the flow ends.
  std::vector<ArcIndex> cycleFrom(Vertex start) {
    std::vector<ArcIndex> walk;
    std::vector<Vertex> visited;
    Vertex v = start;
    ArcIndex arc = 0;
    while (positionOf_[v] < 0 && (arc = from(v)) >= 0) {
      positionOf_[v] = int(walk.size());
      visited.push_back(v);
      walk.push_back(arc);
      v = graph_.head[arc];
    }
    walk.erase(walk.begin(), arc < 0 ? walk.end() : walk.begin() + positionOf_[v]);
    for (Vertex const u : visited) positionOf_[u] = -1;
    return walk;
  }

  Graph const& graph_;
  std::vector<double> flow_;     // by arc
  std::vector<ArcIndex> next_;   // by vertex
  std::vector<int> positionOf_;  // by vertex, in the walk at hand; -1: not on it
};

}  // namespace

std::vector<Vertex> cutFromFarkas(std::vector<double> const& multipliers, Vertex source,
                                  Vertex target) {
  double const atSource = multipliers[source];
  double const atTarget = multipliers[target];
  double const sign = atSource > atTarget ? 1.0 : -1.0;
  double const middle = (atSource + atTarget) / 2;
  std::vector<Vertex> cut;
  for (std::size_t v = 0; v < multipliers.size(); ++v)
    if (sign * (multipliers[v] - middle) > 0.0) cut.push_back(Vertex(v));
  return cut;
}

std::vector<Vertex> cycleFromRay(Graph const& graph, std::vector<double> const& ray) {
  std::vector<Vertex> cycle = FlowArcs(graph, ray, negligible).negativeCycle();
  if (cycle.empty()) cycle = FlowArcs(graph, ray, negligibleInRay).negativeCycle();
  return cycle;
}

std::vector<Vertex> pathFromFlow(Graph const& graph, std::vector<double> const& flow, Vertex source,
                                 Vertex target) {
  std::vector<Vertex> path{source};
  FlowArcs arcs(graph, flow, negligible);
  while (path.back() != target) {
    ArcIndex const arc = arcs.from(path.back());
    if (arc < 0 || path.size() > std::size_t(graph.vertices)) return {};
    path.push_back(arcs.follow(arc));
  }
  return path;
}

std::optional<std::vector<Vertex>> cycleOfParents(std::vector<Vertex> const& parent) {
  // 0: not seen; otherwise the number of the walk that came by.
  std::vector<Vertex> walkOf(parent.size(), 0);
  for (std::size_t start = 0; start < parent.size(); ++start) {
    auto const walk = Vertex(start + 1);
    auto v = Vertex(start);
    while (v >= 0 && walkOf[v] == 0) {
      walkOf[v] = walk;
      v = parent[v];
    }
    if (v < 0 || walkOf[v] != walk) continue;
    std::vector<Vertex> cycle{v};
    for (Vertex u = parent[v]; u != v; u = parent[u]) cycle.push_back(u);
    std::ranges::reverse(cycle);
    return cycle;
  }
  return std::nullopt;
}

std::optional<std::string> faultOfCut(Graph const& graph, std::vector<Vertex> const& cut,
                                      Vertex source, Vertex target) {
  std::vector<bool> inside(graph.vertices, false);
  for (Vertex const v : cut) inside[v] = true;
  if (!inside[source]) return "the source is not in the cut";
  if (inside[target]) return "the target is in the cut";
  for (Arc const& arc : arcsOf(graph))
    if (inside[arc.tail] && !inside[arc.head])
      return "arc " + pair(arc.tail, arc.head) + " leaves the cut";
  return std::nullopt;
}

std::optional<std::string> faultOfCycle(Graph const& graph, std::vector<Vertex> const& cycle,
                                        Vertex source, std::optional<Vertex> target) {
  if (cycle.empty()) return "no cycle";
  std::vector<Vertex> closed = cycle;
  closed.push_back(cycle.front());
  std::optional<Distance> const length = walkLength(graph, closed);
  if (!length) return "an arc of the cycle does not exist";
  if (*length >= 0) return fmt::format("the cycle is {} long, not negative", *length);
  if (!reachableFrom(graph, source)[cycle.front()]) return "the source does not lead to the cycle";
  if (target && !reachableFrom(reversed(graph), *target)[cycle.front()])
    return "the cycle does not lead to the target";
  return std::nullopt;
}

std::optional<std::string> faultOfPotentials(Graph const& graph,
                                             std::vector<Distance> const& potential,
                                             std::vector<Vertex> const& path) {
  if (Vertex(potential.size()) != graph.vertices) return "a potential is missing";
  for (Arc const& arc : arcsOf(graph))
    if (potential[arc.tail] - potential[arc.head] > arc.weight)
      return "the potential falls by more than the weight of " + pair(arc.tail, arc.head);
  std::optional<Distance> const length = walkLength(graph, path);
  if (!length) return "an arc of the path does not exist";
  if (*length != potential[path.front()] - potential[path.back()])
    return "the potentials' difference is not the length of the path";
  return std::nullopt;
}

std::optional<std::string> faultOf(Graph const& graph, Answer const& answer, Vertex source,
                                   Vertex target) {
  if (answer.outcome == Outcome::unreachable) return faultOfCut(graph, answer.cut, source, target);
  if (answer.outcome == Outcome::negativeCycle)
    return faultOfCycle(graph, answer.cycle, source, target);
  if (answer.outcome == Outcome::failed) return std::nullopt;
  std::vector<Vertex> const& path = answer.path.vertices;
  if (path.empty() || path.front() != source || path.back() != target)
    return "the path does not lead from source to target";
  std::optional<Distance> const length = walkLength(graph, path);
  if (!length) return "an arc of the path does not exist";
  if (*length != answer.path.length)
    return fmt::format("the path is {} long, not {}", *length, answer.path.length);
  return std::nullopt;
}

}  // namespace osi_cuda::shortest_path
