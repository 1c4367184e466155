// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

/// Runs device code of cooperative kernels on the host: every thread of the grid is a fiber, and a
/// scheduler lets them go on in random order, some warps late. Slow, for small grids; what depends
/// on who comes first shows as a result that depends on the seed. Include before the .cuh files.
#define OSI_CUDA_EMULATED

namespace emulated {

struct Index {
  unsigned x = 0;
};
struct Warp {
  std::uint64_t slot[2][32] = {};  ///< what lanes hand each other, by the parity of the exchange
  int arrived[2] = {};
  long exchanges = 0;
};
struct Block {
  std::vector<char> shared;
  std::vector<Warp> warps;
  int arrived = 0;
  long barriers = 0;
};
struct Fiber {
  ucontext_t context;
  std::vector<char> stack;
  Index thread, block;
  bool done = false;
  long const* counter = nullptr;  ///< goes on when this has come to `target`
  long target = 0, exchanges = 0;
};
struct Grid {
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Block> blocks;
  std::function<void()> body;
  ucontext_t scheduler;
  Fiber* current = nullptr;
};
inline Grid* grid = nullptr;

inline Fiber& self() {
  return *grid->current;
}
inline Block& ownBlock() {
  return grid->blocks[self().block.x];
}
inline void yield() {
  Fiber& fiber = self();
  swapcontext(&fiber.context, &grid->scheduler);
}
inline void waitFor(long const& counter, long target) {
  if (counter >= target) return;
  self().counter = &counter;
  self().target = target;
  yield();
  self().counter = nullptr;
}
inline void barrier() {
  Block& block = ownBlock();
  long const next = block.barriers + 1;
  if (++block.arrived < static_cast<int>(32 * block.warps.size()))
    return waitFor(block.barriers, next);
  block.arrived = 0;
  block.barriers = next;
}
template <class T>
struct Lanes {
  T of[32];
};
/// What all lanes of the warp bring.
template <class T>
Lanes<T> exchange(T value) {
  Fiber& fiber = self();
  Warp& warp = ownBlock().warps[fiber.thread.x / 32];
  long const number = fiber.exchanges++;
  auto const parity = static_cast<std::size_t>(number & 1);
  std::memcpy(&warp.slot[parity][fiber.thread.x % 32], &value, sizeof value);
  if (++warp.arrived[parity] == 32) {
    warp.arrived[parity] = 0;
    warp.exchanges = number + 1;
  } else {
    waitFor(warp.exchanges, number + 1);
  }
  Lanes<T> lanes;
  for (int i = 0; i < 32; ++i) std::memcpy(&lanes.of[i], &warp.slot[parity][i], sizeof(T));
  return lanes;
}
/// The block's shared memory; it begins as numbers that are none.
inline char* sharedMemory() {
  auto const address = reinterpret_cast<std::uintptr_t>(ownBlock().shared.data());
  return reinterpret_cast<char*>((address + 63) / 64 * 64);
}

inline void enter() {
  grid->body();
  self().done = true;
  yield();
}

inline std::unique_ptr<Fiber> makeFiber(int block, int thread) {
  auto fiber = std::make_unique<Fiber>();
  fiber->stack.resize(std::size_t{96} << 10);
  fiber->thread.x = static_cast<unsigned>(thread);
  fiber->block.x = static_cast<unsigned>(block);
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack.data();
  fiber->context.uc_stack.ss_size = fiber->stack.size();
  fiber->context.uc_link = &grid->scheduler;
  makecontext(&fiber->context, &enter, 0);
  return fiber;
}

/// Runs body() on blocks x threads fibers until all have returned.
inline void launch(int blocks, int threads, std::size_t sharedBytes, std::uint64_t seed,
                   std::function<void()> body) {
  Grid here;
  grid = &here;
  here.body = std::move(body);
  here.blocks.resize(static_cast<std::size_t>(blocks));
  auto const warps = static_cast<std::size_t>(threads / 32);
  for (Block& block : here.blocks) {
    block.shared.assign(sharedBytes + 64, static_cast<char>(0xff));
    block.warps.resize(warps);
  }
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < threads; ++t) here.fibers.push_back(makeFiber(b, t));
  std::mt19937_64 random(seed);
  std::size_t const count = here.fibers.size();
  std::vector<int> late(here.blocks.size() * warps, 0);
  int idle = 0;
  for (std::size_t left = count; left > 0;) {
    for (int& rounds : late)
      rounds = rounds > 0 ? rounds - 1 : random() % 64 == 0 ? static_cast<int>(random() % 40) : 0;
    std::size_t const start = random() % count;
    bool moved = false;
    for (std::size_t k = 0; k < count; ++k) {
      Fiber& fiber = *here.fibers[(start + k) % count];
      bool const waits = fiber.counter && *fiber.counter < fiber.target;
      if (fiber.done || waits || late[fiber.block.x * warps + fiber.thread.x / 32] > 0) continue;
      here.current = &fiber;
      swapcontext(&here.scheduler, &fiber.context);
      moved = true;
      if (fiber.done) --left;
    }
    idle = moved ? 0 : idle + 1;
    if (idle > 10000) std::abort();  // all wait for each other
  }
  grid = nullptr;
}

}  // namespace emulated

// The names of what it stands in for.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define threadIdx (emulated::self().thread)
#define blockIdx (emulated::self().block)
#define __device__
#define __noinline__

struct double2 {
  double x, y;
};
struct float4 {
  float x, y, z, w;
};
inline double2 make_double2(double x, double y) {
  return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
using std::max;
using std::min;
inline void __syncthreads() {
  emulated::barrier();
}
inline void __syncwarp() {
  emulated::exchange(0);
}
template <class T>
T __shfl_sync(unsigned, T value, int lane) {
  return emulated::exchange(value).of[lane & 31];
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  return emulated::exchange(value).of[static_cast<int>(threadIdx.x % 32) ^ mask];
}
inline unsigned __ballot_sync(unsigned, bool vote) {
  auto const votes = emulated::exchange(static_cast<int>(vote));
  unsigned result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= static_cast<unsigned>(votes.of[i]) << i;
  return result;
}
inline bool __any_sync(unsigned mask, bool vote) {
  return __ballot_sync(mask, vote) != 0;
}
inline unsigned __reduce_max_sync(unsigned, unsigned x) {
  auto const all = emulated::exchange(x);
  return *std::max_element(all.of, all.of + 32);
}
inline unsigned __reduce_min_sync(unsigned, unsigned x) {
  auto const all = emulated::exchange(x);
  return *std::min_element(all.of, all.of + 32);
}
inline unsigned __reduce_add_sync(unsigned, unsigned x) {
  unsigned sum = 0;
  for (unsigned const part : emulated::exchange(x).of) sum += part;
  return sum;
}
// Fibers don't interrupt each other.
template <class T>
T atomicAdd(T* target, T value) {
  return std::exchange(*target, *target + value);
}
template <class T>
T atomicMax(T* target, T value) {
  return std::exchange(*target, std::max(*target, value));
}
template <class T>
T atomicMin(T* target, T value) {
  return std::exchange(*target, std::min(*target, value));
}
template <class T>
T __ldcg(T const* source) {
  return *source;
}
template <class T>
void __stcg(T* target, T value) {
  *target = value;
}
inline void __threadfence() {}
inline void __trap() {
  std::abort();
}
template <class To, class From>
To emulatedBits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline long long __double_as_longlong(double x) {
  return emulatedBits<long long>(x);
}
inline double __longlong_as_double(long long x) {
  return emulatedBits<double>(x);
}
inline unsigned __float_as_uint(float x) {
  return emulatedBits<unsigned>(x);
}
inline float __int_as_float(int x) {
  return emulatedBits<float>(x);
}
inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
// NOLINTEND(bugprone-reserved-identifier)
