// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/emulated_memory.hpp"

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

/// The threads of a grid as fibers of one thread: a scheduler lets them go on in random order, some
/// warps late. Slow, for small grids; what depends on who comes first shows as a result that
/// depends on the seed.
namespace emulated {

/// The address sanitizer makes a switch some twenty times as long: tests then take fewer cases.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool slow = true;
#else
inline constexpr bool slow = false;
#endif

struct Index {
  unsigned x = 0, y = 0, z = 0;
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
  bool votes[2] = {};  ///< of the threads at a barrier, by its parity
  PendingStores stores;
};

/// One stack after the other for fibers, kept from launch to launch. Not initialised: most of it is
/// never touched.
class Stacks {
 public:
  // The address sanitizer's frames are larger.
#ifdef __SANITIZE_ADDRESS__
  static constexpr std::size_t bytes = std::size_t{512} << 10;
#else
  static constexpr std::size_t bytes = std::size_t{96} << 10;
#endif
  char* take() {
    if (next_ == all_.size()) all_.emplace_back(new char[bytes]);
    return all_[next_++].get();
  }
  void takeBackAll() {
    next_ = 0;
  }

 private:
  std::vector<std::unique_ptr<char[]>> all_;
  std::size_t next_ = 0;
};

struct Fiber {
  ucontext_t context;  ///< where it begins
  jmp_buf place;       ///< where it goes on
  bool begun = false;
  char* stack = nullptr;
  void* sanitizer = nullptr;  ///< what the address sanitizer keeps of a stack that is left
  Index thread, block;
  unsigned number = 0;  ///< of the thread in its block
  std::size_t ofGrid = 0;
  bool done = false;
  long const* counter = nullptr;  ///< goes on when this has come to `target`
  long target = 0, exchanges = 0;

  unsigned lane() const { return number % 32; }
};
struct Grid {
  std::vector<Fiber> fibers;
  std::vector<Block> blocks;
  Index threads, blockCount;
  std::size_t firstBlock = 0;  ///< number of blocks[0]
  std::function<void()> const* body = nullptr;
  std::size_t arrived = 0;  ///< fibers at the barrier of all blocks
  long barriers = 0;        ///< of that kind, so far
  ucontext_t scheduler;
  jmp_buf place;
  void* sanitizer = nullptr;
  void const* schedulerStack = nullptr;
  std::size_t schedulerBytes = 0;
  Fiber* current = nullptr;
};
inline Grid* grid = nullptr;

inline Fiber& self() {
  return *grid->current;
}
inline Block& ownBlock() {
  return grid->blocks[self().ofGrid];
}
inline PendingStores& ownStores() {
  return ownBlock().stores;
}

// ---- switching: jumps, which cost no call of the system; the address sanitizer, which takes a
// jump
//      for the end of all functions that are left, gets contexts, and is told of each switch

/// From the running fiber to the scheduler.
inline void leave([[maybe_unused]] bool forEver) {
  Fiber& fiber = self();
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(forEver ? nullptr : &fiber.sanitizer, grid->schedulerStack,
                                 grid->schedulerBytes);
  swapcontext(&fiber.context, &grid->scheduler);
  __sanitizer_finish_switch_fiber(fiber.sanitizer, nullptr, nullptr);
#else
  if (_setjmp(fiber.place) == 0) _longjmp(grid->place, 1);
#endif
}
/// From the scheduler to a fiber, and back.
inline void resume(Fiber& fiber) {
  grid->current = &fiber;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(&grid->sanitizer, fiber.stack, Stacks::bytes);
  swapcontext(&grid->scheduler, &fiber.context);
  __sanitizer_finish_switch_fiber(grid->sanitizer, nullptr, nullptr);
#else
  if (_setjmp(grid->place) != 0) return;
  if (fiber.begun) _longjmp(fiber.place, 1);
  fiber.begun = true;
  setcontext(&fiber.context);
#endif
}
inline void enter() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, &grid->schedulerStack, &grid->schedulerBytes);
#endif
  (*grid->body)();
  self().done = true;
  leave(true);
}

inline void yield() {
  leave(false);
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
  block.votes[next & 1] = false;  // everybody has read what the barrier before said
  block.barriers = next;
}
/// A barrier, and whether a thread of the block votes yes.
inline bool barrierVote(bool vote) {
  Block& block = ownBlock();
  bool& votes = block.votes[block.barriers & 1];
  votes = votes || vote;
  barrier();
  return votes;
}
inline void gridBarrier() {
  ownStores().drain();
  long const next = grid->barriers + 1;
  if (++grid->arrived < grid->fibers.size()) return waitFor(grid->barriers, next);
  grid->arrived = 0;
  grid->barriers = next;
}
template <class T>
struct Lanes {
  T of[32];
};
/// What all lanes of the warp bring.
template <class T>
Lanes<T> exchange(T value) {
  Fiber& fiber = self();
  Warp& warp = ownBlock().warps[fiber.number / 32];
  long const number = fiber.exchanges++;
  auto const parity = static_cast<std::size_t>(number & 1);
  std::memcpy(&warp.slot[parity][fiber.lane()], &value, sizeof value);
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

// ---- launches

/// What a launch consists of; blocks first to last of `blockCount` run, together.
struct Shape {
  Index blockCount, threads;
  std::size_t firstBlock = 0, blocks = 1;
  std::size_t sharedBytes = 0;
};

inline void prepare(Grid& here, Shape const& shape, Stacks& stacks) {
  std::size_t const threads = shape.threads.x * shape.threads.y;
  here.threads = shape.threads;
  here.blockCount = shape.blockCount;
  here.blocks.resize(shape.blocks);
  for (Block& block : here.blocks) {
    block.shared.assign(shape.sharedBytes + 64, static_cast<char>(0xff));
    block.warps.resize((threads + 31) / 32);
  }
  here.fibers.resize(shape.blocks * threads);
  for (std::size_t f = 0; f < here.fibers.size(); ++f) {
    Fiber& fiber = here.fibers[f];
    fiber.ofGrid = f / threads;
    fiber.number = static_cast<unsigned>(f % threads);
    fiber.thread = {fiber.number % shape.threads.x, fiber.number / shape.threads.x, 0};
    auto const place = static_cast<unsigned>(shape.firstBlock + fiber.ofGrid);
    fiber.block = {place % shape.blockCount.x, place / shape.blockCount.x, 0};
    fiber.stack = stacks.take();
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack;
    fiber.context.uc_stack.ss_size = Stacks::bytes;
    fiber.context.uc_link = &here.scheduler;
    makecontext(&fiber.context, &enter, 0);
  }
}

/// Runs body() on a fiber for each thread of blocks that run together, until all have returned.
inline void launch(Shape const& shape, std::uint64_t seed, std::function<void()> const& body) {
  static Stacks stacks;
  stacks.takeBackAll();
  Grid here;
  grid = &here;
  here.body = &body;
  prepare(here, shape, stacks);
  std::mt19937_64 random(seed);
  std::size_t const count = here.fibers.size(), warps = here.blocks[0].warps.size();
  std::vector<int> late(here.blocks.size() * warps, 0);
  int idle = 0;
  for (std::size_t left = count; left > 0;) {
    for (int& rounds : late)
      rounds = rounds > 0 ? rounds - 1 : random() % 64 == 0 ? static_cast<int>(random() % 40) : 0;
    for (Block& block : here.blocks) block.stores.drainSome(random);
    std::size_t const start = random() % count;
    bool moved = false;
    for (std::size_t k = 0; k < count; ++k) {
      Fiber& fiber = here.fibers[(start + k) % count];
      bool const waits = fiber.counter && *fiber.counter < fiber.target;
      if (fiber.done || waits || late[fiber.ofGrid * warps + fiber.number / 32] > 0) continue;
      resume(fiber);
      moved = true;
      if (fiber.done) --left;
    }
    idle = moved ? 0 : idle + 1;
    if (idle > 10000) std::abort();  // all wait for each other
  }
  for (Block& block : here.blocks) block.stores.drain();
  grid = nullptr;
}

/// The same for a grid of one dimension.
inline void launch(int blocks, int threads, std::size_t sharedBytes, std::uint64_t seed,
                   std::function<void()> const& body) {
  Shape shape;
  shape.blockCount.x = static_cast<unsigned>(blocks);
  shape.threads.x = static_cast<unsigned>(threads);
  shape.threads.y = 1;
  shape.blocks = static_cast<std::size_t>(blocks);
  shape.sharedBytes = sharedBytes;
  launch(shape, seed, body);
}

}  // namespace emulated
