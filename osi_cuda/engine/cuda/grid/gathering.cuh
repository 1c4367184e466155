// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstring>

#include "osi_cuda/engine/cuda/grid/block.cuh"
#include "osi_cuda/engine/cuda/packet.cuh"
#include "osi_cuda/engine/cuda/warp.cuh"

namespace osi_cuda::cuda::grid {

/// A meeting for a value: each block combines its own partials, tells the result to all, and
/// combines what all told, in the order of blocks. Packets of two successive meetings lie in
/// different memory: a block can start the next meeting while another still reads this one, but not
/// the one after.
template <class Kind>
class Gathering {
 public:
  __device__ explicit Gathering(Block<Kind>& block) : b_(block) {}

  /// What the threads' partials come to, the same for every thread; only threads of the first
  /// `lines` lines have something to say.
  template <class T, class Combine>
  __device__ T gather(T partial, T const& zero, Combine combine, int lines) {
    static_assert(packetsOf<T> <= gatherPackets && packetsOf<T> * boxCopies <= 32 &&
                  sizeof(T) <= largestGathered);
    Tag const tag = b_.next.gather++;
    T* const scratch =
        reinterpret_cast<T*>(piece<char>(b_.team.places.scratch) + (tag & 1) * scratchBytes);
    Packet* const box = b_.team.box + at(tag & 1) * boxCopies * gatherPackets * mostBlocks;
    int const warp = thread() / 32, own = thread() % 32;
    constexpr int perWarp = 32 / lanes;
    int const busy = max(1, min(warps, (lines + perWarp - 1) / perWarp));
    disturb(tag);

    if (warp < busy) {
      T const sum = overWarp(partial, combine);
      if (own == 0) scratch[warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
      T const ours = overWarp(own < busy ? scratch[own] : zero, combine);
      tell(box, ours, tag);
    }
    int const readers = (b_.team.blocks + 31) / 32;
    T* const told = scratch + warps;
    if (warp < readers) {
      pause(warp == 0 ? b_.team.patience : readersPause);
      T const value = hear(box, tag, zero, combine);
      if (own == 0) told[warp] = value;
    }
    __syncthreads();
    T result = told[0];
#pragma unroll 1
    for (int w = 1; w < readers; ++w) result = combine(result, told[w]);
    return result;
  }

 private:
  template <class T>
  static constexpr int packetsOf = (static_cast<int>(sizeof(T)) / 4 + 2) / 3;

  // A warp's lanes send the packets of a value, one each, to every copy of the box.
  template <class T>
  __device__ void tell(Packet* box, T const& own, Tag tag) const {
    constexpr int packets = packetsOf<T>;
    int word[3 * packets] = {};
    memcpy(word, &own, sizeof(T));
    int const ofWarp = thread() % 32, packet = ofWarp / boxCopies;
    int first = 0, second = 0, third = 0;
#pragma unroll
    for (int p = 0; p < packets; ++p) {
      first = packet == p ? word[3 * p] : first;
      second = packet == p ? word[3 * p + 1] : second;
      third = packet == p ? word[3 * p + 2] : third;
    }
    if (packet < packets)
      send(box + ((ofWarp % boxCopies) * gatherPackets + packet) * mostBlocks + block(),
           static_cast<std::uint32_t>(first) |
               (static_cast<std::uint64_t>(static_cast<std::uint32_t>(second)) << 32),
           static_cast<std::uint32_t>(third), tag);
    __syncwarp();
  }

  // What the blocks of the warp's threads tell, combined: block `thread()` each.
  template <class T, class Combine>
  __device__ T hear(Packet const* box, Tag tag, T const& zero, Combine combine) const {
    constexpr int packets = packetsOf<T>;
    Packet packet[packets];
    int word[3 * packets] = {};
    T value = zero;
    Packet const* const slot = box + (block() % boxCopies) * gatherPackets * mostBlocks +
                               min(thread(), b_.team.blocks - 1);
    receiveEach([=](int p) { return slot + p * mostBlocks; }, tag, ~0u, packet);
    if (thread() < b_.team.blocks) {
#pragma unroll
      for (int p = 0; p < packets; ++p) {
        word[3 * p] = static_cast<int>(packet[p].number);
        word[3 * p + 1] = static_cast<int>(packet[p].number >> 32);
        word[3 * p + 2] = static_cast<int>(packet[p].extra);
      }
      memcpy(static_cast<void*>(&value), word, sizeof(T));
    }
    __syncwarp();
    return overWarp(value, combine);
  }

  template <class T, class Combine>
  __device__ static T overWarp(T value, Combine combine) {
    int const own = thread() % 32;
#pragma unroll 1
    for (int distance = 16; distance > 0; distance /= 2)
      value = combine(value, fromLane(value, (own + distance) % 32));
    return fromLane(value, 0);
  }

  Block<Kind>& b_;
};

}  // namespace osi_cuda::cuda::grid
