// SPDX-License-Identifier: EPL-2.0
#include <memory>
#include <utility>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

constexpr std::int64_t firstSearch = 32;  // rounds until the parents are searched for a cycle

/// The rounds on the processor, vertices spread over its cores.
class HostRounds final : public RelaxationRounds {
 public:
  HostRounds(Graph const& incoming, Vertex source)
      : arcs_(incoming),
        distance_(incoming.vertices, unreached),
        parentArc_(incoming.vertices, -1) {
    distance_[source] = 0;
    next_ = distance_;
  }

  bool advance(std::int64_t count) override {
    for (std::int64_t const end = rounds_ + count; rounds_ < end;) {
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
      Relaxed const now = relax(distance_[v], arcs_.first[v], arcs_.first[v + 1], arcs_.head.data(),
                                arcs_.weight.data(), distance_.data());
      next_[v] = now.distance;
      if (now.arc < 0) continue;
      parentArc_[v] = now.arc;
      changed = true;
    }
    std::swap(distance_, next_);
    return changed;
  }

  Graph const& arcs_;  // turned round
  std::vector<Distance> distance_, next_;
  std::vector<ArcIndex> parentArc_;
  std::int64_t rounds_ = 0;
};

std::vector<Vertex> parentsOf(Graph const& incoming, RelaxationRounds const& rounds) {
  std::vector<Vertex> parents;
  parents.reserve(incoming.vertices);
  for (ArcIndex const arc : rounds.parentArcs())
    parents.push_back(arc < 0 ? -1 : incoming.head[arc]);
  return parents;
}

/// All rounds; the negative cycle if there is one.
std::optional<std::vector<Vertex>> runRounds(RelaxationRounds& rounds, Graph const& incoming) {
  for (std::int64_t count = firstSearch; rounds.advance(count); count = rounds.rounds())
    if (auto cycle = cycleOfParents(parentsOf(incoming, rounds))) return cycle;
  return std::nullopt;
}

}  // namespace

Answer bellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target, Place place) {
  Answer answer;
  answer.method = "bellman-ford";
  answer.executor = executorOf(place);
  // Without negative arcs no cycle can be negative, and there is nothing to leave out.
  bool const restricted = target && hasNegativeArc(graph);
  Graph const incoming = reversed(restricted ? onWalks(graph, source, target) : graph);

  Stopwatch const total;
  std::unique_ptr<RelaxationRounds> rounds;
  if (place == Place::device)
    rounds = deviceModule().makeRelaxation(incoming, source);
  else
    rounds = std::make_unique<HostRounds>(incoming, source);
  Stopwatch const watch;
  std::optional<std::vector<Vertex>> const cycle = runRounds(*rounds, incoming);
  answer.seconds = watch.seconds();
  answer.rounds = rounds->rounds();
  if (cycle) {
    answer.outcome = Outcome::negativeCycle;
    answer.cycle = *cycle;
  } else {
    answer.outcome = Outcome::found;
    answer.distance = rounds->distances();
    answer.parent = parentsOf(incoming, *rounds);
  }
  if (place == Place::device) answer.transferSeconds = total.seconds() - answer.seconds;
  if (target && !cycle) answer.conclude(graph, source, *target);
  return answer;
}

}  // namespace osi_cuda::shortest_path
