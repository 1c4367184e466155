// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "examples/shortest_path/graph.hpp"
#include "osi_cuda/base/host_device.hpp"

namespace osi_cuda::shortest_path {

/// A vertex's state after one round.
struct Relaxed {
  Distance distance;
  ArcIndex arc;  ///< the incoming arc that gave it, -1: it did not change
};

/// One round of Bellman and Ford at one vertex, in pull form: the smallest of its distance `own`
/// and of what its incoming arcs `begin` .. `end` - 1 offer, by the distances of the round before.
OSI_CUDA_HD inline Relaxed relax(Distance own, ArcIndex begin, ArcIndex end, Vertex const* tail,
                                 Weight const* weight, Distance const* distance) {
  Relaxed best{own, -1};
  for (ArcIndex arc = begin; arc < end; ++arc) {
    Distance const before = distance[tail[arc]];
    if (before == unreached) continue;
    Distance const offer = before + weight[arc];
    if (offer < best.distance) best = {offer, arc};
  }
  return best;
}

/// Rounds of Bellman and Ford, each of which computes all distances anew from those of the round
/// before, so that the result of a round does not depend on the order of its vertices.
class RelaxationRounds {
 public:
  virtual ~RelaxationRounds() = default;
  /// Does further rounds until one changes nothing (false) or `count` are done (true).
  virtual bool advance(std::int64_t count) = 0;
  /// Rounds so far, up to and with the first that changed nothing.
  virtual std::int64_t rounds() const = 0;
  virtual std::vector<Distance> distances() const = 0;
  /// For each vertex the incoming arc that gave its distance, or -1.
  virtual std::vector<ArcIndex> parentArcs() const = 0;
};

}  // namespace osi_cuda::shortest_path
