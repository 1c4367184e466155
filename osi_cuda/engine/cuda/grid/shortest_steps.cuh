// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/block.cuh"

namespace osi_cuda::cuda::grid {

/// How far each own column can go, for greatest improvement: columns().product[j] = the least
/// boundOf(x, lower, upper, directionOf(j) T_ij) over all rows. D is the tableau then, k = 0.
///
/// Threads side by side take successive columns of those that have a direction. All rows are
/// needed, whoever owns them: their state is read in memory, where nobody changes it before the
/// first pivot, and lies in shared memory for some hundred rows at a time.
template <class Kind, class DirectionOf, class BoundOf>
__device__ void shortestSteps(Block<Kind> const& b, DirectionOf directionOf, BoundOf boundOf) {
  constexpr int ahead = 8, rowsAtOnce = listLength / 3;
  double* const x = piece<double>(b.team.places.listValue);
  double *const lower = x + rowsAtOnce, *const upper = lower + rowsAtOnce;
  double* const partial = piece<double>(b.team.places.partial);
  int* const directions = piece<int>(b.team.places.listPosition);
  int* const list = directions + teamThreads;
  Side const& own = b.columnSide;
  double* const steps = columnsOf(b).product + own.first;
  RowState const rows = b.t.rows;
  std::int64_t const n = b.t.n;
  int const m = b.t.m;
  for (int first = 0; first < own.count; first += teamThreads) {
    int const width = min(teamThreads, own.count - first);
    if (thread() < width) directions[thread()] = directionOf(own.first + first + thread());
    __syncthreads();
    int total = 0, before = 0;
    for (int c = 0; c < width; ++c) {
      before += c < thread() && directions[c] != 0;
      total += directions[c] != 0;
    }
    if (thread() < width) {
      if (directions[thread()] != 0) list[before] = thread();
      steps[first + thread()] = rules::unlimited;
    }
    __syncthreads();
    if (total == 0) continue;
    int const shares = teamThreads / total, share = thread() / total;
    int const c = list[thread() % total], direction = directions[c];
    double const* const base = b.t.base + own.first + first + c;
    double step = rules::unlimited;
#pragma unroll 1
    for (int begin = 0; begin < m; begin += rowsAtOnce) {
      int const length = min(rowsAtOnce, m - begin);
      for (int i = thread(); i < length; i += teamThreads) {
        x[i] = rows.value[begin + i];
        lower[i] = rows.lower[begin + i];
        upper[i] = rows.upper[begin + i];
      }
      __syncthreads();
#pragma unroll 1
      for (int i = share; i < (share < shares ? length : 0); i += ahead * shares) {
        double entry[ahead];
#pragma unroll
        for (int e = 0; e < ahead; ++e)
          entry[e] = __ldcg(base + (begin + min(i + e * shares, length - 1)) * n);
#pragma unroll
        for (int e = 0; e < ahead; ++e) {
          int const row = min(i + e * shares, length - 1);  // the last one may come more than once
          step = fmin(step, boundOf(x[row], lower[row], upper[row], direction * entry[e]));
        }
      }
      __syncthreads();
    }
    partial[thread()] = step;
    __syncthreads();
    if (thread() < total) {
      for (int k = 1; k < shares; ++k) step = fmin(step, partial[k * total + thread()]);
      steps[first + c] = step;
    }
    __syncthreads();
  }
}

}  // namespace osi_cuda::cuda::grid
