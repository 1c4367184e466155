// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/relaxation.hpp"

#include <algorithm>
#include <utility>

#include "examples/common/device.cuh"
#include "examples/shortest_path/device_module.hpp"

namespace osi_cuda::shortest_path::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;
using examples::device::Stream;

constexpr unsigned threads = 256;
constexpr std::int64_t batch = 8;  // rounds between two looks at the counter

/// One round. Owner: thread v owns vertex v and alone writes after[v] and parentArc[v]; it reads
/// distances of the round before, which nobody writes. End: a block in which something changed
/// says so by an atomic maximum in the only word that blocks share, the number of the last round
/// with a change.
__global__ void relaxAll(Vertex vertices, ArcIndex const* first, Vertex const* tail,
                         Weight const* weight, Distance const* before, Distance* after,
                         ArcIndex* parentArc, unsigned long long round,
                         unsigned long long* lastChange) {
  Vertex const v = static_cast<Vertex>(blockIdx.x * blockDim.x + threadIdx.x);
  bool changed = false;
  if (v < vertices) {
    Relaxed const now = relax(before[v], first[v], first[v + 1], tail, weight, before);
    after[v] = now.distance;
    if (now.arc >= 0) {
      parentArc[v] = now.arc;
      changed = true;
    }
  }
  if (__syncthreads_or(changed) && threadIdx.x == 0) atomicMax(lastChange, round);
}

class DeviceRounds final : public RelaxationRounds {
 public:
  DeviceRounds(Graph const& incoming, Vertex source)
      : vertices_(incoming.vertices),
        first_(incoming.first),
        tail_(incoming.head),
        weight_(incoming.weight),
        parentArc_(std::size_t(incoming.vertices)),
        lastChange_(1) {
    std::vector<Distance> distance(std::size_t(incoming.vertices), unreached);
    distance[std::size_t(source)] = 0;
    distance_ = DeviceArray<Distance>(distance);
    next_ = DeviceArray<Distance>(distance.size());
    parentArc_.fillBytes(0xff);  // -1
    lastChange_.fillBytes(0);
    check(cudaDeviceSynchronize());
  }

  bool advance(std::int64_t count) override {
    for (std::int64_t const end = rounds_ + count; rounds_ < end;) {
      // Rounds after the first that changes nothing change nothing either.
      for (std::int64_t const stop = std::min(end, rounds_ + batch); rounds_ < stop;) round();
      auto const last = std::int64_t(lastChange_.download().front());
      if (last < rounds_) {
        rounds_ = last + 1;
        return false;
      }
    }
    return true;
  }
  std::int64_t rounds() const override { return rounds_; }
  std::vector<Distance> distances() const override { return distance_.download(); }
  std::vector<ArcIndex> parentArcs() const override { return parentArc_.download(); }

 private:
  void round() {
    ++rounds_;
    launch(stream_, blocksFor(std::size_t(vertices_), threads), threads, relaxAll, vertices_,
           first_.data(), tail_.data(), weight_.data(), distance_.data(), next_.data(),
           parentArc_.data(), static_cast<unsigned long long>(rounds_), lastChange_.data());
    std::swap(distance_, next_);
  }

  Stream stream_;
  Vertex vertices_;
  DeviceArray<ArcIndex> first_;
  DeviceArray<Vertex> tail_;
  DeviceArray<Weight> weight_;
  DeviceArray<Distance> distance_, next_;
  DeviceArray<ArcIndex> parentArc_;
  DeviceArray<unsigned long long> lastChange_;
  std::int64_t rounds_ = 0;
};

}  // namespace

std::unique_ptr<RelaxationRounds> makeRelaxation(Graph const& incoming, Vertex source) {
  return std::make_unique<DeviceRounds>(incoming, source);
}

}  // namespace osi_cuda::shortest_path::device
