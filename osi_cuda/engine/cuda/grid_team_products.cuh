// SPDX-License-Identifier: EPL-2.0
// The team's products with the whole tableau: T'g and T g for a g that may be sparse.
#pragma once

#include "osi_cuda/engine/cuda/grid_team.cuh"

namespace osi_cuda::cuda {

// Every block lists the nonzeros of its own part of g and sums their lines of U (or V), then all
// meet. Returns the number of nonzeros; `folded` is U g (or V g), `blockStart` their places.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ int GridTeam<Kind>::shareActive(double const* g) {
  Side const own = side<kind>();
  int const warp = thread() / 32, lane = thread() % 32;  // of the warp, here
  int* const inWarp = piece<int>(places().partial);
  __syncthreads();
  int found = 0;
  for (int base = 0; base < own.count; base += teamThreads) {
    int const i = base + thread();
    double const value = i < own.count ? g[own.first + i] : 0.0;
    unsigned const ballot = __ballot_sync(~0u, value != 0.0);
    if (lane == 0) inWarp[warp] = __popc(ballot);
    __syncthreads();
    int place = found + __popc(ballot & ((1u << lane) - 1));
    for (int w = 0; w < warps; ++w) {
      if (w < warp) place += inWarp[w];
      found += inWarp[w];
    }
    if (value != 0.0) {
      __stcg(team_.activePosition + own.first + place, own.first + i);
      __stcg(team_.activeValue + own.first + place, value);
    }
    __syncthreads();
  }
  if (thread() == 0) __stcg(team_.activeCount + block(), found);
  if (found > 0)
    for (int l = thread(); l < used_; l += teamThreads) {
      double sum = 0.0;
      for (int e = 0; e < found; ++e) {
        int const i = __ldcg(team_.activePosition + own.first + e) - own.first;
        double const factor =
            l < older() ? __ldcg(older<kind>() + static_cast<std::size_t>(i) * t_.stride + l)
                        : newest<kind>()[i * team_.sharedLines + l - older()];
        sum += __ldcg(team_.activeValue + own.first + e) * factor;
      }
      __stcg(team_.folded + static_cast<std::size_t>(block()) * t_.stride + l, sum);
    }
  meet();
  if (thread() < team_.blocks)
    piece<int>(places().blockStart)[thread() + 1] = __ldcg(team_.activeCount + thread());
  __syncthreads();
  if (thread() == 0) {
    piece<int>(places().blockStart)[0] = 0;
    for (int b = 0; b < team_.blocks; ++b)
      piece<int>(places().blockStart)[b + 1] += piece<int>(places().blockStart)[b];
  }
  __syncthreads();
  for (int l = thread(); l < used_ + 4 * lanes; l += teamThreads) {
    double sum = 0.0;
    if (l < used_)
      for (int b = 0; b < team_.blocks; ++b)
        if (piece<int>(places().blockStart)[b + 1] > piece<int>(places().blockStart)[b])
          sum += __ldcg(team_.folded + static_cast<std::size_t>(b) * t_.stride + l);
    piece<double>(places().folded)[l] = sum;
  }
  __syncthreads();
  return piece<int>(places().blockStart)[team_.blocks];
}

// Nonzeros begin, begin + 1, ... of g into shared memory; returns how many.
template <class Kind>
__device__ int GridTeam<Kind>::listActive(Side const& side, int begin, int total) const {
  int const length = min(listLength, total - begin);
  __syncthreads();
  for (int e = thread(); e < length; e += teamThreads) {
    int low = 0, high = team_.blocks;  // the block whose list holds nonzero begin + e
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      if (piece<int>(places().blockStart)[middle] <= begin + e)
        low = middle;
      else
        high = middle;
    }
    int const place =
        min(low * side.tile, side.total) + begin + e - piece<int>(places().blockStart)[low];
    piece<int>(places().listPosition)[e] = __ldcg(team_.activePosition + place);
    piece<double>(places().listValue)[e] = __ldcg(team_.activeValue + place);
  }
  __syncthreads();
  return length;
}

// out_j = sum_i g_i T_ij for the own columns j: threads side by side take successive columns, so
// that a row of D is read in one piece; groups of them take every so many nonzeros.
template <class Kind>
__device__ __noinline__ void GridTeam<Kind>::combineRowsApart(double const* g, double* out) {
  int const total = shareActive<Lines::rows>(g);
  for (int first = 0; first < columnSide_.count; first += teamThreads) {
    int const width = min(teamThreads, columnSide_.count - first);
    int const shares = teamThreads / width, share = thread() / width, c = thread() % width;
    double const* const base = t_.base + columnSide_.first + first + c;
    double sum = 0.0;
    for (int begin = 0; begin < total; begin += listLength) {
      int const length = listActive(rowSide_, begin, total);
      if (share >= shares) continue;
#pragma unroll 8
      for (int e = share; e < length; e += shares)
        sum = fma(
            piece<double>(places().listValue)[e],
            __ldcg(base + static_cast<std::size_t>(piece<int>(places().listPosition)[e]) * t_.n),
            sum);
    }
    piece<double>(places().partial)[thread()] = sum;
    __syncthreads();
    if (thread() < width) {
      double all = 0.0;
      for (int k = 0; k < shares; ++k) all += piece<double>(places().partial)[k * width + thread()];
      out[columnSide_.first + first + thread()] = all;
    }
    __syncthreads();
  }
  products<Lines::columns>(piece<double>(places().folded),
                           [&](int j, double sum) { out[columnSide_.first + j] -= sum; });
  __syncthreads();
}

// out_i = sum_j g_j T_ij for the own rows i: a warp takes a row, its threads every 32nd nonzero.
template <class Kind>
__device__ __noinline__ void GridTeam<Kind>::combineColumnsApart(double const* g, double* out) {
  int const warp = thread() / 32, lane = thread() % 32;
  int const total = shareActive<Lines::columns>(g);
  forRows([&](int i) { out[i] = 0.0; });
  for (int begin = 0; begin < total; begin += listLength) {
    int const length = listActive(columnSide_, begin, total);
    for (int i = warp; i < rowSide_.count; i += warps) {
      double const* const base = t_.base + static_cast<std::size_t>(rowSide_.first + i) * t_.n;
      double sum = 0.0;
#pragma unroll 8
      for (int e = lane; e < length; e += 32)
        sum = fma(piece<double>(places().listValue)[e],
                  __ldcg(base + piece<int>(places().listPosition)[e]), sum);
      for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
      if (lane == 0) out[rowSide_.first + i] += sum;
    }
  }
  __syncthreads();
  products<Lines::rows>(piece<double>(places().folded),
                        [&](int i, double sum) { out[rowSide_.first + i] -= sum; });
  __syncthreads();
}

template <class Kind>
__device__ void GridTeam<Kind>::dualSteepestProducts() {
  forColumns([&](int j) {
    columns().change[j] = slack(columns().variable[j]) ? columns().entry[j] : 0.0;
  });
  combineColumns(columns().change, rows().product);
}

}  // namespace osi_cuda::cuda
