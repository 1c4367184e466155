// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/engine/cuda/views.hpp"
#include "osi_cuda/simplex/rules.hpp"

/// Packets: how blocks speak to each other without fences. One 16-byte store carries 12 bytes and a
/// tag that is new for every message; the reader polls until the tag is there, and then has the
/// bytes as well, because a 16-byte access is one access.
///
/// That holds for what is written here only: ld.relaxed and st.relaxed of the scalar type .b128,
/// aligned to 16 bytes, from compute capability 7.0 and PTX ISA 8.3 on. They are how NVIDIA's
/// libcu++ loads and stores a cuda::atomic_ref of 16 bytes, which it documents as atomic "on SM70
/// and later" (CUDA Core Compute Libraries, libcu++, cuda::atomic_ref, Limitations). It does not
/// hold for vectors, as of ld.v2.b64 or double2: the memory consistency model takes these for
/// several accesses in an unspecified order (PTX ISA, 8.2.4).
namespace osi_cuda::cuda {

static_assert(sizeof(Packet) == 16 && alignof(Packet) == 16);

#ifndef OSI_CUDA_EMULATED
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 700
#error "packets need accesses of 16 bytes that are atomic: compute capability 7.0"
#endif
__device__ inline void send(Packet* slot, std::uint64_t number, std::uint32_t extra, Tag tag) {
  std::uint64_t const high = (static_cast<std::uint64_t>(tag) << 32) | extra;
  asm volatile(
      "{\n\t.reg .b128 t;\n\tmov.b128 t, {%1, %2};\n\tst.relaxed.gpu.global.b128 [%0], t;\n\t}" ::
          "l"(slot),
      "l"(number), "l"(high)
      : "memory");
}

__device__ inline Packet peek(Packet const* slot) {
  std::uint64_t low, high;
  asm volatile(
      "{\n\t.reg .b128 t;\n\tld.relaxed.gpu.global.b128 t, [%2];\n\tmov.b128 {%0, %1}, t;\n\t}"
      : "=l"(low), "=l"(high)
      : "l"(slot)
      : "memory");
  Packet p;
  p.number = low;
  p.extra = static_cast<std::uint32_t>(high);
  p.tag = static_cast<Tag>(high >> 32);
  return p;
}

/// A number in device memory, asked for after all looks for packets that come before in the code.
__device__ inline double fetch(double const* number) {
  double x;
  asm volatile("ld.relaxed.gpu.global.f64 %0, [%1];" : "=d"(x) : "l"(number) : "memory");
  return x;
}

/// Polls that come too early only stand in the way of the packets: a pause of some clock cycles.
__device__ inline void pause(int cycles) {
  long long const begin = clock64();
  while (clock64() - begin < cycles) {
  }
}
#else  // on fibers of the host, for tests
inline void send(Packet* slot, std::uint64_t number, std::uint32_t extra, Tag tag) {
  // Others see it late, but whole.
  Packet const packet{number, extra, tag};
  emulated::ownStores().store(slot, packet);
}
inline Packet peek(Packet const* slot) {
  emulated::yield();
  return emulated::ownStores().load(slot);
}
inline double fetch(double const* number) {
  return emulated::ownStores().load(number);
}
inline void pause(int) {
  emulated::yield();
}
#endif

/// A wait without end (a block that died) becomes an error after so many looks.
#ifndef OSI_CUDA_EMULATED
inline constexpr unsigned mostPolls = 1u << 25;
#else
inline constexpr unsigned mostPolls = 1u << 14;
#endif

/// Waits for packets, slotOf(p) each, all under way at once; equal tags under the mask mean that
/// one is there. A whole warp calls it and leaves together: threads that poll by themselves would
/// do so one after another.
template <int count>
__device__ inline void receiveEach(auto slotOf, Tag tag, Tag mask, Packet (&packet)[count]) {
  bool missing = true;
#pragma unroll 1
  for (unsigned polls = 0; __any_sync(~0u, missing); ++polls) {
    if (polls > mostPolls) __trap();
    missing = false;
#pragma unroll
    for (int p = 0; p < count; ++p) packet[p] = peek(slotOf(p));
#pragma unroll
    for (int p = 0; p < count; ++p) missing = missing || ((packet[p].tag ^ tag) & mask) != 0;
  }
}

/// Waits for one packet, of each thread by itself.
__device__ inline Packet receiveAlone(Packet const* slot, Tag tag) {
  Packet packet = peek(slot);
  for (unsigned polls = 0; packet.tag != tag; ++polls) {
    if (polls > mostPolls) __trap();
    packet = peek(slot);
  }
  return packet;
}

/// Waits for one packet.
__device__ inline Packet receiveOne(Packet const* slot, Tag tag) {
  Packet packet = peek(slot);
#pragma unroll 1
  for (unsigned polls = 0; __any_sync(~0u, packet.tag != tag); ++polls) {
    if (polls > mostPolls) __trap();
    packet = peek(slot);
  }
  return packet;
}

/// In a build with OSI_CUDA_DISTURB, blocks are late at random: results must not depend on it.
__device__ inline void disturb([[maybe_unused]] Tag tag) {
#if defined OSI_CUDA_DISTURB && !defined OSI_CUDA_EMULATED
  std::uint64_t const chance =
      rules::mix((static_cast<std::uint64_t>(tag) << 20) + blockIdx.x * 131 + threadIdx.x / 32 +
                 static_cast<std::uint64_t>(clock64() & 0xff) * 7919);
  if (chance % 8 == 0) pause(static_cast<int>((chance >> 8) % 8000));
  __syncwarp();
#endif
}
inline constexpr int readersPause = 900;  ///< of warps that send none themselves

/// The packets of all blocks, some of each, mostBlocks apart, for one warp: packet p of block
/// lane + 32 e into packet[kinds e + p]; blocks that there are not repeat the last one. `slot` is
/// block 0's. Equal tags under the mask mean that a packet is there.
template <int kinds, int count>
__device__ inline void receiveFromBlocks(Packet const* slot, int blocks, Tag tag, Tag mask,
                                         Packet (&packet)[count]) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  receiveEach(
      [=](int p) {
        return slot + min(lane + 32 * (p / kinds), blocks - 1) + p % kinds * mostBlocks;
      },
      tag, mask, packet);
}

/// Of a packet that carries a choice: below 16 bits of tag, above 15 bits of number and a mark.
inline constexpr Tag choiceMask = 0xffff;
__device__ inline Tag choiceTag(Tag tag, unsigned number, bool mark) {
  return (tag & choiceMask) | ((number & 0x7fff) << 16) | (mark ? 0x80000000u : 0u);
}
__device__ inline unsigned numberIn(Packet const& p) {
  return (p.tag >> 16) & 0x7fff;
}
__device__ inline bool markIn(Packet const& p) {
  return (p.tag & 0x80000000u) != 0;
}

}  // namespace osi_cuda::cuda
