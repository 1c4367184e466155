// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/variant_solve.hpp"
#include "osi_cuda/engine/cuda/batch/variant_part.hpp"
#include "osi_cuda/engine/cuda/batch/variant_team.cuh"

/// What a block of the kernel of variants does: it takes one after the other until there are none.
namespace osi_cuda::cuda {

/// `ticket` is a number in shared memory of the block.
__device__ inline void solveVariantQueue(VariantPart const& part,
                                         batch::VariantSettings const& settings, int threads,
                                         char* shared, int* ticket) {
  int const m = part.base.rows, n = part.base.columns;
  double* const near =
      part.near ? reinterpret_cast<double*>(shared + variantBytes(threads, part.capacity))
                : nullptr;
  VariantTeam team(part.base, part.capacity, part.memory + blockIdx.x * part.memoryDoubles, near,
                   shared, threads);
  for (;;) {
    if (threadIdx.x == 0) {
      bool const stopped = *static_cast<int const volatile*>(part.stop) != 0;
      *ticket = stopped ? part.count : static_cast<int>(atomicAdd(part.next, 1u));
    }
    __syncthreads();
    int const k = *ticket;
    __syncthreads();
    if (k >= part.count) return;
    batch::VariantTask const task = part.tasks[k];
    team.take({part.numbers + task.firstNumber, part.coefficients + task.firstCoefficient,
               task.numbers, task.coefficients, task.costs,
               task.firstStart < 0 ? nullptr : part.starts + task.firstStart, task.leaving,
               task.entering});
    std::int64_t const place = part.points ? k : static_cast<int>(blockIdx.x);
    batch::SmallReport const report =
        batch::solveVariant(team, settings, part.answers.at(place * n, place * m));
    if (threadIdx.x == 0) part.answers.report[k] = report;
  }
}

/// Squared norms at the common basis: of the rows of B^-1, by a warp each, and of the columns of D
/// with 1 more, by a thread each.
__device__ inline void formRowWeight(batch::VariantBase const& base, int i, double* rowWeight) {
  int const n = base.columns;
  double const* const d = base.tableau + std::int64_t{i} * n;
  double sum = 0.0;
  for (int j = static_cast<int>(threadIdx.x & 31); j < n; j += 32)
    if (base.columnVariable[j] >= n) sum += d[j] * d[j];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  if (base.rowVariable[i] >= n) sum += 1.0;
  if ((threadIdx.x & 31) == 0)
    rowWeight[i] = sum > rules::leastRowWeight ? sum : rules::leastRowWeight;
}
__device__ inline void formColumnWeight(batch::VariantBase const& base, int j,
                                        double* columnWeight) {
  double sum = 1.0;
#pragma unroll 8
  for (int i = 0; i < base.rows; ++i) {
    double const d = base.tableau[std::int64_t{i} * base.columns + j];
    sum += d * d;
  }
  columnWeight[j] = sum;
}

}  // namespace osi_cuda::cuda
