// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"

/// What the host and a kernel of variants agree in.
namespace osi_cuda::cuda {

/// Threads of a block that solves a variant. Two blocks of few share a multiprocessor, with 128
/// registers a thread; a block of most has one for itself, with 64.
inline constexpr int fewVariantThreads = 256, moreVariantThreads = 512, mostVariantThreads = 1024;

/// How a block that solves a variant is laid out. It depends on the problem's size and on what was
/// asked for alone: sums have another order with other threads.
struct VariantShape {
  int threads = fewVariantThreads;
  bool near = false;       ///< states lie in shared memory
  std::size_t shared = 0;  ///< bytes of shared memory
};

/// A part of the variants in the device's memory.
struct VariantPart {
  batch::VariantBase base;
  batch::VariantTask const* tasks;  ///< length `count`; they point into the next three
  batch::VariantNumber const* numbers;
  batch::VariantCoefficient const* coefficients;
  std::uint32_t const* starts;
  int count = 0;
  int capacity = 0;    ///< K
  unsigned* next;      ///< the first that nobody has taken
  int const* stop;     ///< not zero: nothing more is to be taken
  bool points = true;  ///< wanted; else the answers' arrays have a place for each block
  PartAnswers answers;
  bool near = false;           ///< states lie in shared memory, behind variantBytes
  double* memory;              ///< for each block
  std::int64_t memoryDoubles;  ///< of a block: VariantPlaces::doubles, made even
};

/// What all threads of a block know of its variant; in shared memory.
struct alignas(16) VariantBlock {
  batch::VariantBase base;
  batch::VariantPlaces places;
  batch::SmallProblem problem;
  batch::VariantChanges changes;
};

/// Bytes of shared memory of a block besides states: what all know, slots of the warps, a partial
/// sum for each thread, K factors; whole pieces of 16.
OSI_CUDA_HD inline std::size_t variantBytes(int threads, int capacity) {
  auto const size = [](int count) { return static_cast<std::size_t>(count); };
  std::size_t const bytes = sizeof(VariantBlock) + size(2 * slotBytes) * size(threads / 32) +
                            size(threads + capacity) * sizeof(double) +
                            size(threads / 32 + 2) * sizeof(int);
  return (bytes + 15) / 16 * 16;
}

/// `wanted` threads, or 0; a block may have `sharedOfBlock` bytes of shared memory. Every pass over
/// rows or columns waits for memory a few times, whatever its length, so that threads for all of
/// them save time; and it waits less for shared memory.
inline VariantShape variantShape(int m, int n, int capacity, int wanted,
                                 std::size_t sharedOfBlock) {
  VariantShape shape;
  int const lines = wanted > 0 ? wanted : m > n ? m : n;
  shape.threads = lines <= fewVariantThreads    ? fewVariantThreads
                  : lines <= moreVariantThreads ? moreVariantThreads
                                                : mostVariantThreads;
  shape.shared = variantBytes(shape.threads, capacity);
  std::size_t const states =
      static_cast<std::size_t>(batch::VariantPlaces::nearDoubles(m, n)) * sizeof(double);
  constexpr std::size_t reserved = 1024;  // by the system, for each block
  std::size_t const room =
      shape.threads == fewVariantThreads ? sharedOfBlock / 2 - reserved : sharedOfBlock;
  constexpr std::size_t ticket = 16;  // what the kernel has there, too
  shape.near = shape.shared + states + ticket <= room;
  if (shape.near) shape.shared += states;
  return shape;
}

}  // namespace osi_cuda::cuda
