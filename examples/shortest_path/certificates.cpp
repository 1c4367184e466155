// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/certificates.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::shortest_path {
namespace {

constexpr double negligible = 1e-6;  // of the largest entry: flows here are whole multiples of one
// Rays of some solvers span many scales; what is too small for a flow may still be an arc of one.
constexpr double negligibleInRay = 1e-13;

std::string pair(Vertex u, Vertex v) {
  return std::to_string(u) + " -> " + std::to_string(v);
}

/// By tail: the next arc that carries flow, each visited at most once.
class FlowArcs {
 public:
  FlowArcs(Graph const& graph, std::vector<double> flow, double smallest)
      : graph_(graph), flow_(std::move(flow)) {
    double top = 0.0;
    for (double const f : flow_) top = std::max(top, std::abs(f));
    for (double& f : flow_)
      if (f <= smallest * top) f = 0.0;
    next_.assign(graph.first.begin(), graph.first.end() - 1);
  }
  /// An arc out of `v` that carries flow, or -1.
  ArcIndex from(Vertex v) {
    ArcIndex& at = next_[std::size_t(v)];
    while (at < graph_.first[std::size_t(v) + 1] && flow_[std::size_t(at)] <= 0.0) ++at;
    return at < graph_.first[std::size_t(v) + 1] ? at : -1;
  }
  double flow(ArcIndex arc) const { return flow_[std::size_t(arc)]; }
  void take(ArcIndex arc, double amount) {
    double& f = flow_[std::size_t(arc)];
    f = f - amount <= negligible * amount ? 0.0 : f - amount;
  }

 private:
  Graph const& graph_;
  std::vector<double> flow_;
  std::vector<ArcIndex> next_;
};

/// Follows flow from `start` until a vertex comes again; the arcs of that cycle, or nothing where
/// the flow ends.
std::vector<ArcIndex> followCycle(Graph const& graph, FlowArcs& arcs, Vertex start,
                                  std::vector<int>& positionOf) {
  std::vector<ArcIndex> walk;
  std::vector<Vertex> visited;
  Vertex v = start;
  std::vector<ArcIndex> cycle;
  while (true) {
    if (positionOf[std::size_t(v)] >= 0) {
      cycle.assign(walk.begin() + positionOf[std::size_t(v)], walk.end());
      break;
    }
    ArcIndex const arc = arcs.from(v);
    if (arc < 0) break;
    positionOf[std::size_t(v)] = int(walk.size());
    visited.push_back(v);
    walk.push_back(arc);
    v = graph.head[std::size_t(arc)];
  }
  for (Vertex const u : visited) positionOf[std::size_t(u)] = -1;
  return cycle;
}

/// A negative cycle of those that the flow is a sum of.
std::vector<Vertex> negativeCycle(Graph const& graph, FlowArcs arcs) {
  std::vector<int> positionOf(std::size_t(graph.vertices), -1);
  for (Vertex start = 0; start < graph.vertices; ++start) {
    while (true) {
      std::vector<ArcIndex> const cycle = followCycle(graph, arcs, start, positionOf);
      if (cycle.empty()) break;
      Distance length = 0;
      double amount = arcs.flow(cycle.front());
      for (ArcIndex const arc : cycle) {
        length += graph.weight[std::size_t(arc)];
        amount = std::min(amount, arcs.flow(arc));
      }
      if (length < 0) {
        std::vector<Vertex> vertices;
        for (ArcIndex const arc : cycle) vertices.push_back(graph.head[std::size_t(arc)]);
        return vertices;
      }
      for (ArcIndex const arc : cycle) arcs.take(arc, amount);
    }
  }
  return {};
}

}  // namespace

std::vector<Vertex> cutFromFarkas(std::vector<double> const& multipliers, Vertex source,
                                  Vertex target) {
  double const atSource = multipliers[std::size_t(source)];
  double const atTarget = multipliers[std::size_t(target)];
  double const sign = atSource > atTarget ? 1.0 : -1.0;
  double const middle = (atSource + atTarget) / 2;
  std::vector<Vertex> cut;
  for (std::size_t v = 0; v < multipliers.size(); ++v)
    if (sign * (multipliers[v] - middle) > 0.0) cut.push_back(Vertex(v));
  return cut;
}

std::vector<Vertex> cycleFromRay(Graph const& graph, std::vector<double> const& ray) {
  std::vector<Vertex> cycle = negativeCycle(graph, FlowArcs(graph, ray, negligible));
  if (cycle.empty()) cycle = negativeCycle(graph, FlowArcs(graph, ray, negligibleInRay));
  return cycle;
}

std::vector<Vertex> pathFromFlow(Graph const& graph, std::vector<double> const& flow, Vertex source,
                                 Vertex target) {
  std::vector<Vertex> path{source};
  FlowArcs arcs(graph, flow, negligible);
  while (path.back() != target) {
    ArcIndex const arc = arcs.from(path.back());
    if (arc < 0 || path.size() > std::size_t(graph.vertices)) return {};
    arcs.take(arc, arcs.flow(arc));
    path.push_back(graph.head[std::size_t(arc)]);
  }
  return path;
}

std::optional<std::vector<Vertex>> cycleOfParents(std::vector<Vertex> const& parent) {
  // 0: not seen; otherwise the number of the walk that came by.
  std::vector<Vertex> walkOf(parent.size(), 0);
  for (std::size_t start = 0; start < parent.size(); ++start) {
    auto const walk = Vertex(start + 1);
    auto v = Vertex(start);
    while (v >= 0 && walkOf[std::size_t(v)] == 0) {
      walkOf[std::size_t(v)] = walk;
      v = parent[std::size_t(v)];
    }
    if (v < 0 || walkOf[std::size_t(v)] != walk) continue;
    std::vector<Vertex> cycle{v};
    for (Vertex u = parent[std::size_t(v)]; u != v; u = parent[std::size_t(u)]) cycle.push_back(u);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }
  return std::nullopt;
}

std::optional<std::string> faultOfCut(Graph const& graph, std::vector<Vertex> const& cut,
                                      Vertex source, Vertex target) {
  std::vector<bool> inside(std::size_t(graph.vertices), false);
  for (Vertex const v : cut) inside[std::size_t(v)] = true;
  if (!inside[std::size_t(source)]) return "the source is not in the cut";
  if (inside[std::size_t(target)]) return "the target is in the cut";
  for (Arc const& arc : arcsOf(graph))
    if (inside[std::size_t(arc.tail)] && !inside[std::size_t(arc.head)])
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
  if (*length >= 0) return "the cycle is " + std::to_string(*length) + " long, not negative";
  if (!reachableFrom(graph, source)[std::size_t(cycle.front())])
    return "the source does not lead to the cycle";
  if (target && !reaching(graph, *target)[std::size_t(cycle.front())])
    return "the cycle does not lead to the target";
  return std::nullopt;
}

std::optional<std::string> faultOfPotentials(Graph const& graph,
                                             std::vector<Distance> const& potential,
                                             std::vector<Vertex> const& path) {
  if (potential.size() != std::size_t(graph.vertices)) return "a potential is missing";
  for (Arc const& arc : arcsOf(graph))
    if (potential[std::size_t(arc.tail)] - potential[std::size_t(arc.head)] > arc.weight)
      return "the potential falls by more than the weight of " + pair(arc.tail, arc.head);
  std::optional<Distance> const length = walkLength(graph, path);
  if (!length) return "an arc of the path does not exist";
  if (*length != potential[std::size_t(path.front())] - potential[std::size_t(path.back())])
    return "the potentials' difference is not the length of the path";
  return std::nullopt;
}

std::optional<std::string> faultOf(Graph const& graph, Answer const& answer, Vertex source,
                                   Vertex target) {
  switch (answer.outcome) {
    case Outcome::found: {
      std::vector<Vertex> const& path = answer.path.vertices;
      if (path.empty() || path.front() != source || path.back() != target)
        return "the path does not lead from source to target";
      std::optional<Distance> const length = walkLength(graph, path);
      if (!length) return "an arc of the path does not exist";
      if (*length != answer.path.length)
        return "the path is " + std::to_string(*length) + " long, not " +
               std::to_string(answer.path.length);
      return std::nullopt;
    }
    case Outcome::unreachable:
      return faultOfCut(graph, answer.cut, source, target);
    case Outcome::negativeCycle:
      return faultOfCycle(graph, answer.cycle, source, target);
    case Outcome::failed:
      break;
  }
  return std::nullopt;
}

}  // namespace osi_cuda::shortest_path
