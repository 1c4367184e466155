// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"

/// What the host and a kernel of variants agree in.
namespace osi_cuda::cuda {

/// Threads of a block that solves a variant. Two such blocks share a multiprocessor, each with 128
/// registers a thread: while one waits at a barrier the other loads.
inline constexpr int variantThreads = 256;
inline constexpr int variantBlocksEach = 2;

/// A part of the variants in the device's memory. The arrays of answers are by place in the part.
struct VariantPart {
  batch::VariantBase base;
  batch::VariantTask const* tasks;  ///< length `count`; they point into numbers and coefficients
  batch::VariantNumber const* numbers;
  batch::VariantCoefficient const* coefficients;
  int count = 0;
  int capacity = 0;  ///< K
  unsigned* next;    ///< the first that nobody has taken
  int const* stop;   ///< not zero: nothing more is to be taken
  batch::SmallReport* report;
  bool points = true;  ///< answers are wanted; else the arrays below have a place for each block
  double *x, *y, *yLow, *ray, *rayLow;
  std::uint8_t *columnStatus, *rowStatus;
  double* memory;              ///< for each block
  std::int64_t memoryDoubles;  ///< of a block: VariantPlaces::doubles, made even
};

/// Bytes of shared memory of a block: slots of the warps, a partial sum for each thread, K factors.
inline std::size_t variantBytes(int threads, int capacity) {
  auto const size = [](int count) { return static_cast<std::size_t>(count); };
  return size(2 * slotBytes) * size(threads / 32) + size(threads + capacity) * sizeof(double) +
         size(threads / 32 + 2) * sizeof(int);
}

}  // namespace osi_cuda::cuda
