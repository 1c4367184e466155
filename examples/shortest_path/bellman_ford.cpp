// SPDX-License-Identifier: EPL-2.0
#include <utility>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "osi_cuda/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

constexpr std::int64_t firstSearch = 32;  // rounds until the parents are searched for a cycle

/// Rounds, each of which computes all distances anew from those of the round before, so that its
/// result does not depend on the order of the vertices: they are spread over all cores.
class Rounds {
 public:
  /// `incoming`: the graph turned round, which has to outlive the rounds.
  Rounds(Graph const& incoming, Vertex source)
      : arcs_(incoming),
        distance_(incoming.vertices, unreached),
        parentArc_(incoming.vertices, -1) {
    distance_[source] = 0;
    next_ = distance_;
  }

  /// Does further rounds until one changes nothing (false) or `count` are done (true).
  bool advance(std::int64_t count) {
    for (std::int64_t const end = rounds_ + count; rounds_ < end;) {
      ++rounds_;
      if (!round()) return false;
    }
    return true;
  }
  /// Rounds so far, up to and with the first that changed nothing.
  std::int64_t rounds() const { return rounds_; }
  std::vector<Distance> const& distances() const { return distance_; }
  std::vector<Vertex> parents() const {
    std::vector<Vertex> parents;
    parents.reserve(parentArc_.size());
    for (ArcIndex const arc : parentArc_) parents.push_back(arc < 0 ? -1 : arcs_.head[arc]);
    return parents;
  }

 private:
  bool round() {
    bool changed = false;
    Vertex const n = arcs_.vertices;
#pragma omp parallel for schedule(static) reduction(|| : changed) if (n > 4096)
    for (Vertex v = 0; v < n; ++v) {
      next_[v] = distance_[v];
      for (ArcIndex arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
        Distance const before = distance_[arcs_.head[arc]];
        if (before == unreached || before + arcs_.weight[arc] >= next_[v]) continue;
        next_[v] = before + arcs_.weight[arc];
        parentArc_[v] = arc;
        changed = true;
      }
    }
    std::swap(distance_, next_);
    return changed;
  }

  Graph const& arcs_;  // turned round
  std::vector<Distance> distance_, next_;
  std::vector<ArcIndex> parentArc_;
  std::int64_t rounds_ = 0;
};

/// All rounds; the negative cycle if there is one.
std::optional<std::vector<Vertex>> runRounds(Rounds& rounds) {
  for (std::int64_t count = firstSearch; rounds.advance(count); count = rounds.rounds())
    if (auto cycle = cycleOfParents(rounds.parents())) return cycle;
  return std::nullopt;
}

}  // namespace

Answer bellmanFord(Graph const& graph, Vertex source, std::optional<Vertex> target) {
  Answer answer;
  answer.method = "bellman-ford";
  // Without negative arcs no cycle can be negative, and there is nothing to leave out.
  bool const restricted = target && hasNegativeArc(graph);
  Graph const incoming = reversed(restricted ? onWalks(graph, source, target) : graph);

  Rounds rounds(incoming, source);
  Stopwatch const watch;
  std::optional<std::vector<Vertex>> const cycle = runRounds(rounds);
  answer.seconds = watch.seconds();
  answer.rounds = rounds.rounds();
  if (cycle) {
    answer.outcome = Outcome::negativeCycle;
    answer.cycle = *cycle;
  } else {
    answer.outcome = Outcome::found;
    answer.distance = rounds.distances();
    answer.parent = rounds.parents();
  }
  if (target && !cycle) answer.conclude(graph, source, *target);
  return answer;
}

}  // namespace osi_cuda::shortest_path
