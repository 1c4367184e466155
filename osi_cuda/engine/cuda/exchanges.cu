// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/edits.hpp"

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/sums.cuh"

namespace osi_cuda::cuda {
namespace {

/// T[i, j] with the oldest `used` factors.
__device__ double entryAt(TableauView const& t, int used, int i, int j) {
  double const *const u = t.u + at(i) * t.stride, *const v = t.v + at(j) * t.stride;
  double sum = t.base[at(i) * t.n + j];
#pragma unroll 8
  for (int k = 0; k < used; ++k) sum -= u[k] * v[k];
  return sum;
}

constexpr int chooseThreads = 512;

/// Crout's LU of the candidates' rows, by one block. Rows stay where they are: in the row of a
/// pivot later columns hold entries of U. Largest entries are the same in any order of threads.
__global__ void chooseRows(TableauView const t, BlockExchange const x) {
  __shared__ double size[mostTogether], largest[mostTogether];  // of a pivot, of a column
  __shared__ int pivot[mostTogether];
  int const thread = static_cast<int>(threadIdx.x), c = x.candidates;
  for (int z = thread; z < c * x.count; z += chooseThreads) {
    int const i = x.row[z % c];
    x.work[z] = i < 0 ? 0.0 : t.u[at(i) * t.stride + x.used + z / c];
  }
  int* const exchanged = t.exchanged + 2 * x.used;
  if (thread < x.count) {
    size[thread] = 0.0;
    largest[thread] = fmax(1.0, x.largest[thread]);
    pivot[thread] = c;
    exchanged[2 * thread] = 0;
    exchanged[2 * thread + 1] = x.column[thread];
  }
  auto const updated = [&](double const* column, int step, int i) {
    double entry = column[i];
#pragma unroll 8
    for (int a = 0; a < step; ++a) entry -= x.work[at(a) * c + i] * column[pivot[a]];
    return entry;
  };
  bool failed = *x.failed != 0;
  for (int step = 0; step < x.count && !failed; ++step) {
    __syncthreads();
    double* const column = x.work + at(step) * c;
    double best = 0.0, any = 0.0;
    for (int i = thread; i < c; i += chooseThreads) {
      bool const there = x.row[i] >= 0;
      if (there) column[i] = updated(column, step, i);
      any = fmax(any, fabs(column[i]));
      if (there) best = fmax(best, fabs(column[i]));
    }
    best = warpLargest(best);
    any = warpLargest(any);
    if (thread % 32 == 0) raise(size + step, best), raise(largest + step, any);
    __syncthreads();
    for (int i = thread; i < c; i += chooseThreads)
      if (x.row[i] >= 0 && fabs(column[i]) == size[step]) atomicMin(pivot + step, i);
    __syncthreads();
    int const p = pivot[step];
    failed = p == c || size[step] == 0.0 || size[step] < x.smallestEntry * largest[step];
    if (failed) break;
    if (thread == 0) {
      exchanged[2 * step] = x.row[p];
      x.pivot[step] = p;
      x.row[p] = -1;
    }
    for (int later = step + 1 + thread; later < x.count; later += chooseThreads) {
      double* const other = x.work + at(later) * c;
      other[p] = updated(other, step, p) / column[p];
    }
  }
  if (thread == 0) *x.failed = failed;
}

}  // namespace

void exchangeTogether(cudaStream_t stream, TableauView const& t, BlockExchange const& x) {
  forWarps(stream, t.m, [=] __device__(int i, int lane) {
    for (int e = lane; e < x.count; e += 32) {
      double const entry = entryAt(t, x.used, i, x.column[e]);
      t.u[at(i) * t.stride + x.used + e] = entry;
      raise(x.largest + e, fabs(entry));
    }
  });
  launch({stream, 1, chooseThreads}, &chooseRows, t, x);
  // V's line j by a warp: L z = T[L,j], then U z.
  forWarps(stream, t.n, [=] __device__(int j, int lane) {
    int const k = x.count;
    double *const v = t.v + at(j) * t.stride, *const z = v + x.used;
    auto const w = [&](int a, int b) { return x.work[at(b) * x.candidates + x.pivot[a]]; };
    bool enters = false;
    for (int a = 0; a < k; ++a) enters = enters || x.column[a] == j;
    for (int a = lane; a < k; a += 32) {
      int const i = t.exchanged[2 * (x.used + a)];
      z[a] = *x.failed ? 0.0 : !enters ? entryAt(t, x.used, i, j) : x.column[a] == j ? 1.0 : 0.0;
      if (!*x.failed) t.base[at(i) * t.n + j] = 0.0;
    }
    if (*x.failed) return;
    for (int b = 0; b < k; ++b) {
      __syncwarp();
      double const solved = z[b] / w(b, b);
      for (int a = b + 1 + lane; a < k; a += 32) z[a] -= w(a, b) * solved;
    }
    __syncwarp();
    for (int a = lane; a < k; a += 32) z[a] /= w(a, a);
    for (int b = k - 1; b > 0; --b) {
      __syncwarp();
      for (int a = lane; a < b; a += 32) z[a] -= w(a, b) * z[b];
    }
    for (int f = lane; enters && f < x.used; f += 32) v[f] = 0.0;
  });
  forWarps(stream, t.m, [=] __device__(int i, int lane) {
    if (*x.failed != 0) return;
    int const* const exchanged = t.exchanged + 2 * x.used;
    double* const u = t.u + at(i) * t.stride;
    for (int e = lane; e < x.count; e += 32) t.base[at(i) * t.n + x.column[e]] = 0.0;
    for (int own = 0; own < x.count; ++own) {
      if (exchanged[2 * own] != i) continue;
      for (int f = lane; f < x.used + x.count; f += 32) u[f] = f == x.used + own ? -1.0 : 0.0;
      if (lane != 0) continue;
      int const j = x.column[own], leaving = t.rows.variable[i];
      double const value = t.rows.value[i];
      t.rows.variable[i] = t.columns.variable[j];
      t.rows.value[i] = t.columns.value[j];
      t.columns.variable[j] = leaving;
      t.columns.value[j] = value;
      t.columns.reducedCost[j] = 0.0;
    }
  });
}

}  // namespace osi_cuda::cuda
