// SPDX-License-Identifier: EPL-2.0
// The team's products with the whole tableau: T'g and T g for a g that may be sparse.
#pragma once

#include "osi_cuda/engine/cuda/grid_team.cuh"

namespace osi_cuda::cuda {

// Every block lists the nonzeros of its own part of g and sums their lines of U (or V), then all
// meet. Returns the number of nonzeros; `folded` is U g (or V g), `blockStart` their places.
__device__ inline int GridTeam::shareActive(Side const& side, double const* g) {
  int const warp = thread() / 32, lane = thread() % 32;  // of the warp, here
  __shared__ int inWarp[warps];
  __syncthreads();
  int found = 0;
  for (int base = 0; base < side.count; base += teamThreads) {
    int const i = base + thread();
    double const value = i < side.count ? g[side.first + i] : 0.0;
    unsigned const ballot = __ballot_sync(~0u, value != 0.0);
    if (lane == 0) inWarp[warp] = __popc(ballot);
    __syncthreads();
    int place = found + __popc(ballot & ((1u << lane) - 1));
    for (int w = 0; w < warps; ++w) {
      if (w < warp) place += inWarp[w];
      found += inWarp[w];
    }
    if (value != 0.0) {
      __stcg(team_.activePosition + side.first + place, side.first + i);
      __stcg(team_.activeValue + side.first + place, value);
    }
    __syncthreads();
  }
  if (thread() == 0) __stcg(team_.activeCount + block(), found);
  if (found > 0)
    for (int l = thread(); l < used_; l += teamThreads) {
      double sum = 0.0;
      for (int e = 0; e < found; ++e) {
        int const i = __ldcg(team_.activePosition + side.first + e) - side.first;
        double const factor =
            l < older_ ? __ldcg(side.factors + static_cast<std::size_t>(i) * t_.stride + l)
                       : side.newest[i * team_.sharedLines + l - older_];
        sum += __ldcg(team_.activeValue + side.first + e) * factor;
      }
      __stcg(team_.folded + static_cast<std::size_t>(block()) * t_.stride + l, sum);
    }
  meet();
  if (thread() < team_.blocks)
    shared_.blockStart[thread() + 1] = __ldcg(team_.activeCount + thread());
  __syncthreads();
  if (thread() == 0) {
    shared_.blockStart[0] = 0;
    for (int b = 0; b < team_.blocks; ++b) shared_.blockStart[b + 1] += shared_.blockStart[b];
  }
  __syncthreads();
  for (int l = thread(); l <= used_; l += teamThreads) {
    double sum = 0.0;
    if (l < used_)
      for (int b = 0; b < team_.blocks; ++b)
        if (shared_.blockStart[b + 1] > shared_.blockStart[b])
          sum += __ldcg(team_.folded + static_cast<std::size_t>(b) * t_.stride + l);
    shared_.folded[l] = sum;
  }
  __syncthreads();
  return shared_.blockStart[team_.blocks];
}

// Nonzeros begin, begin + 1, ... of g into shared memory; returns how many.
__device__ inline int GridTeam::listActive(Side const& side, int begin, int total) const {
  int const length = min(listLength, total - begin);
  __syncthreads();
  for (int e = thread(); e < length; e += teamThreads) {
    int low = 0, high = team_.blocks;  // the block whose list holds nonzero begin + e
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      if (shared_.blockStart[middle] <= begin + e)
        low = middle;
      else
        high = middle;
    }
    int const place = min(low * side.tile, side.total) + begin + e - shared_.blockStart[low];
    shared_.listPosition[e] = __ldcg(team_.activePosition + place);
    shared_.listValue[e] = __ldcg(team_.activeValue + place);
  }
  __syncthreads();
  return length;
}

// out_j = sum_i g_i T_ij for the own columns j: threads side by side take successive columns, so
// that a row of D is read in one piece; groups of them take every so many nonzeros.
__device__ __noinline__ inline void GridTeam::combineRowsApart(double const* g, double* out) {
  int const total = shareActive(rowSide_, g);
  for (int first = 0; first < columnSide_.count; first += teamThreads) {
    int const width = min(teamThreads, columnSide_.count - first);
    int const groups = teamThreads / width, group = thread() / width, c = thread() % width;
    double const* const base = t_.base + columnSide_.first + first + c;
    double sum = 0.0;
    for (int begin = 0; begin < total; begin += listLength) {
      int const length = listActive(rowSide_, begin, total);
      if (group >= groups) continue;
#pragma unroll 8
      for (int e = group; e < length; e += groups)
        sum = fma(shared_.listValue[e],
                  __ldcg(base + static_cast<std::size_t>(shared_.listPosition[e]) * t_.n), sum);
    }
    shared_.partial[thread()] = sum;
    __syncthreads();
    if (thread() < width) {
      double all = 0.0;
      for (int k = 0; k < groups; ++k) all += shared_.partial[k * width + thread()];
      out[columnSide_.first + first + thread()] = all;
    }
    __syncthreads();
  }
  products(columnSide_, shared_.folded,
           [&](int j, double sum) { out[columnSide_.first + j] -= sum; });
  __syncthreads();
}

// out_i = sum_j g_j T_ij for the own rows i: a warp takes a row, its threads every 32nd nonzero.
__device__ __noinline__ inline void GridTeam::combineColumnsApart(double const* g, double* out) {
  int const warp = thread() / 32, lane = thread() % 32;
  int const total = shareActive(columnSide_, g);
  forRows([&](int i) { out[i] = 0.0; });
  for (int begin = 0; begin < total; begin += listLength) {
    int const length = listActive(columnSide_, begin, total);
    for (int i = warp; i < rowSide_.count; i += warps) {
      double const* const base = t_.base + static_cast<std::size_t>(rowSide_.first + i) * t_.n;
      double sum = 0.0;
#pragma unroll 8
      for (int e = lane; e < length; e += 32)
        sum = fma(shared_.listValue[e], __ldcg(base + shared_.listPosition[e]), sum);
      for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
      if (lane == 0) out[rowSide_.first + i] += sum;
    }
  }
  __syncthreads();
  products(rowSide_, shared_.folded, [&](int i, double sum) { out[rowSide_.first + i] -= sum; });
  __syncthreads();
}

__device__ inline void GridTeam::dualSteepestProducts() {
  forColumns(
      [&](int j) { columns_.change[j] = slack(columns_.variable[j]) ? columns_.entry[j] : 0.0; });
  combineColumns(columns_.change, rows_.product);
}

}  // namespace osi_cuda::cuda
