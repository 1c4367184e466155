// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/bellman_ford.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/relaxation.hpp"
#include "examples/shortest_path/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

constexpr std::int64_t firstSearch = 32;  // rounds until the parents are searched for a cycle

/// The rounds on the processor, vertices spread over its cores.
class HostRounds final : public RelaxationRounds {
 public:
  HostRounds(IncomingArcs const& arcs, Vertex source) : arcs_(arcs) {
    auto const n = std::size_t(arcs.vertices);
    distance_.assign(n, unreached);
    distance_[std::size_t(source)] = 0;
    next_ = distance_;
    parentArc_.assign(n, -1);
  }

  bool advance(std::int64_t count) override {
    for (std::int64_t k = 0; k < count; ++k) {
      ++rounds_;
      if (!round()) return false;
    }
    return true;
  }
  std::int64_t rounds() const override { return rounds_; }
  std::vector<Distance> distances() const override { return distance_; }
  std::vector<ArcIndex> parentArcs() const override { return parentArc_; }

 private:
  bool round() {
    bool changed = false;
    Vertex const n = arcs_.vertices;
#pragma omp parallel for schedule(static) reduction(|| : changed) if (n > 4096)
    for (Vertex v = 0; v < n; ++v) {
      auto const at = std::size_t(v);
      Relaxed const now = relax(distance_[at], arcs_.first[at], arcs_.first[at + 1],
                                arcs_.tail.data(), arcs_.weight.data(), distance_.data());
      next_[at] = now.distance;
      if (now.arc >= 0) {
        parentArc_[at] = now.arc;
        changed = true;
      }
    }
    std::swap(distance_, next_);
    return changed;
  }

  IncomingArcs const& arcs_;
  std::vector<Distance> distance_, next_;
  std::vector<ArcIndex> parentArc_;
  std::int64_t rounds_ = 0;
};

std::vector<Vertex> parentsOf(IncomingArcs const& incoming, std::vector<ArcIndex> const& arcs) {
  std::vector<Vertex> parent(arcs.size(), -1);
  for (std::size_t v = 0; v < arcs.size(); ++v)
    if (arcs[v] >= 0) parent[v] = incoming.tail[std::size_t(arcs[v])];
  return parent;
}

/// All rounds; the negative cycle if there is one.
std::optional<std::vector<Vertex>> runRounds(RelaxationRounds& rounds,
                                             IncomingArcs const& incoming) {
  for (std::int64_t count = firstSearch; rounds.advance(count); count = rounds.rounds())
    if (auto cycle = cycleOfParents(parentsOf(incoming, rounds.parentArcs()))) return cycle;
  return std::nullopt;
}

}  // namespace

Answer bellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target, Place place) {
  Answer answer;
  answer.method = "bellman-ford";
  // Without negative arcs no cycle can be negative, and there is nothing to leave out.
  bool const restricted = target && hasNegativeArc(graph);
  IncomingArcs const incoming = incomingArcs(restricted ? onWalks(graph, source, target) : graph);

  Stopwatch const total;
  std::unique_ptr<RelaxationRounds> rounds;
  if (place == Place::device) {
    rounds = deviceModule().makeRelaxation(incoming, source);
    answer.executor = deviceName();
  } else {
    rounds = std::make_unique<HostRounds>(incoming, source);
    answer.executor = "host";
  }
  Stopwatch const watch;
  std::optional<std::vector<Vertex>> const cycle = runRounds(*rounds, incoming);
  answer.seconds = watch.seconds();
  answer.rounds = rounds->rounds();
  answer.distance = rounds->distances();
  answer.parent = parentsOf(incoming, rounds->parentArcs());
  answer.transferSeconds = place == Place::device ? total.seconds() - answer.seconds : 0.0;

  if (cycle) {
    answer.outcome = Outcome::negativeCycle;
    answer.cycle = *cycle;
    answer.distance.clear();
    answer.parent.clear();
  } else if (!target) {
    answer.outcome = Outcome::found;
  } else if (answer.distance[std::size_t(*target)] < unreached) {
    answer.outcome = Outcome::found;
    answer.path = readBack(answer.parent, answer.distance, *target);
  } else {
    answer.outcome = Outcome::unreachable;
    std::vector<bool> const inside = reachableFrom(graph, source);
    for (Vertex v = 0; v < graph.vertices; ++v)
      if (inside[std::size_t(v)]) answer.cut.push_back(v);
  }
  return answer;
}

}  // namespace osi_cuda::shortest_path
