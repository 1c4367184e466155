// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/kernels.hpp"

#include <algorithm>

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/sums.cuh"
#include "osi_cuda/simplex/sketch_rules.hpp"

namespace osi_cuda::cuda {

// ---- vectors -----------------------------------------------------------------------------------

void gatherByVariable(cudaStream_t stream, int count, int const* variable, double const* source,
                      double* target) {
  forEach(stream, count, [=] __device__(int i) { target[i] = source[variable[i]]; });
}

void scatterByVariable(cudaStream_t stream, int count, int const* variable, double const* source,
                       double* target) {
  forEach(stream, count, [=] __device__(int i) { target[variable[i]] = source ? source[i] : 0.0; });
}

namespace {

// The thread of a variable's first shift adds up all of them, in their order: the same bits always.
__device__ void applyShifts(TableauView const& t) {
  int const count = *t.shiftCount, threads = min(blockThreads, t.m + t.n);
  for (int k = static_cast<int>(threadIdx.x); k < count; k += threads) {
    int const variable = t.shifts[k].variable;
    bool first = true;
    for (int l = 0; l < k; ++l) first = first && t.shifts[l].variable != variable;
    if (!first) continue;
    double cost = t.cost[variable];
    for (int l = k; l < count; ++l)
      if (t.shifts[l].variable == variable) cost += t.shifts[l].delta;
    t.cost[variable] = cost;
  }
}

}  // namespace

void collectPoint(cudaStream_t stream, TableauView const& t, double* value, double* reducedCost,
                  int* variables, bool shifts) {
  forEach(stream, t.m + t.n, [=] __device__(int k) {
    bool const row = k < t.m;
    int const j = row ? k : k - t.m, v = row ? t.rows.variable[j] : t.columns.variable[j];
    value[v] = row ? t.rows.value[j] : t.columns.value[j];
    reducedCost[v] = row ? 0.0 : t.columns.reducedCost[j];
    if (variables) variables[k] = v;
    if (shifts && blockIdx.x == 0) applyShifts(t);
  });
}

void gatherBounds(cudaStream_t stream, TableauView const& t, double const* lower,
                  double const* upper) {
  forEach(stream, t.m + t.n, [=] __device__(int k) {
    if (k < t.m) {
      int const v = t.rows.variable[k];
      t.rows.lower[k] = lower[v];
      t.rows.upper[k] = upper[v];
    } else {
      int const j = k - t.m, v = t.columns.variable[j];
      t.columns.lower[j] = lower[v];
      t.columns.upper[j] = upper[v];
    }
  });
}

struct Few {
  double number[mostFew];
};

void putFew(cudaStream_t stream, std::span<double const> numbers, double* target) {
  Few few{};
  std::ranges::copy(numbers, few.number);
  forEach(stream, static_cast<int>(numbers.size()),
          [=] __device__(int i) { target[i] = few.number[i]; });
}

void subtract(cudaStream_t stream, int length, double const* a, double const* b, double* out) {
  forEach(stream, length, [=] __device__(int i) { out[i] = a[i] - b[i]; });
}

void count(cudaStream_t stream, int length, int first, int* target) {
  forEach(stream, length, [=] __device__(int i) { target[i] = first + i; });
}

void fill(cudaStream_t stream, int length, double value, double* target) {
  forEach(stream, length, [=] __device__(int i) { target[i] = value; });
}

void negate(cudaStream_t stream, int length, double* x) {
  forEach(stream, length, [=] __device__(int i) { x[i] = -x[i]; });
}

void subtractFrom(cudaStream_t stream, int length, double const* a, double* x) {
  forEach(stream, length, [=] __device__(int i) { x[i] = a[i] - x[i]; });
}

void add(cudaStream_t stream, int length, double const* a, double* x) {
  forEach(stream, length, [=] __device__(int i) { x[i] += a[i]; });
}

void keepMarked(cudaStream_t stream, int length, char const* mark, double* x) {
  forEach(stream, length, [=] __device__(int i) {
    if (!mark[i]) x[i] = 0.0;
  });
}

// ---- the tableau -------------------------------------------------------------------------------

namespace {

constexpr int tileSide = 32, tileThreads = 8;

/// placeRows where neighbouring rows lie side by side: a block takes a tile through shared memory,
/// so that both sides are read and written in lines. Tiles without a row that has a place are left
/// alone.
__global__ void placeTiles(LinesView rows, int const* rowPlace, int const* columnPlace,
                           double* base, std::int64_t stride) {
  __shared__ double tile[tileSide][tileSide + 1];
  int const down = (rows.lines + tileSide - 1) / tileSide;
  int const i = static_cast<int>(blockIdx.x) % down * tileSide;
  int const j = static_cast<int>(blockIdx.x) / down * tileSide;
  int const x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  auto const placeOf = [](int const* place, int k, int count) {
    return k >= count ? -1 : place ? place[k] : k;
  };
  bool const wanted = placeOf(rowPlace, i + x, rows.lines) >= 0;
  if (__ballot_sync(~0u, wanted) == 0) return;
  for (int k = y; k < tileSide; k += tileThreads)
    if (wanted && j + k < rows.length) tile[k][x] = rows.value(i + x, j + k);
  __syncthreads();
  int const column = placeOf(columnPlace, j + x, rows.length);
  for (int k = y; k < tileSide; k += tileThreads) {
    int const row = placeOf(rowPlace, i + k, rows.lines);
    if (row >= 0 && column >= 0) base[row * stride + column] = tile[x][k];
  }
}

}  // namespace

void placeRows(cudaStream_t stream, LinesView const& rows, int const* rowPlace,
               int const* columnPlace, double* base, std::int64_t stride) {
  if (rows.across()) {
    auto const tiles = [](int length) {
      return static_cast<unsigned>((length + tileSide - 1) / tileSide);
    };
    return launch({stream, tiles(rows.lines) * tiles(rows.length), dim3(tileSide, tileThreads)},
                  &placeTiles, rows, rowPlace, columnPlace, base, stride);
  }
  forWarps(stream, rows.lines, [=] __device__(int i, int lane) {
    int const place = rowPlace ? rowPlace[i] : i;
    if (place < 0) return;
    double* const target = base + place * stride;
    for (std::int64_t e = rows.begin(i) + lane; e < rows.end(i); e += 32) {
      int const j = rows.index(e);
      int const c = columnPlace ? columnPlace[j] : j;
      if (c >= 0) target[c] = rows.value(i, e);
    }
  });
}

void placeColumns(cudaStream_t stream, LinesView const& columns, double* base,
                  std::int64_t stride) {
  forWarps(stream, columns.lines, [=] __device__(int j, int lane) {
    for (std::int64_t e = columns.starts[j] + lane; e < columns.starts[j + 1]; e += 32)
      base[columns.indices[e] * stride + j] = columns.values[e];
  });
}

void combineLines(cudaStream_t stream, int lines, int used, double const* factors, int stride,
                  double const* g, double* out) {
  forWarps(stream, used, [=] __device__(int k, int lane) {
    double sum = 0.0;
#pragma unroll 8
    for (int i = lane; i < lines; i += 32) sum += g[i] * factors[at(i) * stride + k];
    sum = warpSum(sum);
    if (lane == 0) out[k] = sum;
  });
}

void subtractProducts(cudaStream_t stream, int lines, int used, double const* factors, int stride,
                      double const* g, double* out) {
  forWarps(stream, lines, [=] __device__(int i, int lane) {
    double sum = 0.0;
    for (int k = lane; k < used; k += 32) sum += factors[at(i) * stride + k] * g[k];
    sum = warpSum(sum);
    if (lane == 0) out[i] -= sum;
  });
}

namespace {

constexpr int linesAtOnce = 8, warpsOfBlock = 16;

// A thread for each column, which has its own line of V.
__global__ void subtractFewKernel(TableauView const __grid_constant__ t, int used, double* base) {
  int const j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int const first = static_cast<int>(blockIdx.y) * linesAtOnce;
  if (j >= t.n) return;
  double sum[linesAtOnce] = {};
  for (int l = 0; l < used; ++l) {
    double const v = t.v[at(j) * t.stride + l];
#pragma unroll
    for (int r = 0; r < linesAtOnce; ++r)
      sum[r] += t.u[at(min(first + r, t.m - 1)) * t.stride + l] * v;
  }
#pragma unroll
  for (int r = 0; r < linesAtOnce; ++r)
    if (first + r < t.m) base[at(first + r) * t.n + j] -= sum[r];
}

// A lane for each column; warps share the lines of `base`.
__global__ void subtractCombinationsKernel(int rows, int m, int n, double const* factor,
                                           double const* base, double* target) {
  __shared__ double partial[warpsOfBlock][linesAtOnce][32];
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int const place = static_cast<int>(blockIdx.x) * 32 + lane, j = min(place, n - 1);
  int const first = static_cast<int>(blockIdx.y) * linesAtOnce;
  double sum[linesAtOnce] = {};
#pragma unroll 4
  for (int i = warp; i < m; i += warpsOfBlock) {
    double const entry = base[at(i) * n + j];
#pragma unroll
    for (int k = 0; k < linesAtOnce; ++k)
      sum[k] += factor[at(min(first + k, rows - 1)) * m + i] * entry;
  }
#pragma unroll
  for (int k = 0; k < linesAtOnce; ++k) partial[warp][k][lane] = sum[k];
  __syncthreads();
  if (warp >= linesAtOnce || first + warp >= rows || place >= n) return;
  double whole = 0.0;
  for (int w = 0; w < warpsOfBlock; ++w) whole += partial[w][warp][lane];
  target[at(first + warp) * n + j] -= whole;
}

dim3 gridOf(int columns, int width, int lines) {
  return {static_cast<unsigned>((columns + width - 1) / width),
          static_cast<unsigned>((lines + linesAtOnce - 1) / linesAtOnce)};
}

}  // namespace

void subtractFew(cudaStream_t stream, TableauView const& t, int used, double* base) {
  launch({stream, gridOf(t.n, blockThreads, t.m), blockThreads}, &subtractFewKernel, t, used, base);
}

void subtractCombinations(cudaStream_t stream, int rows, int m, int n, double const* factor,
                          double const* base, double* target) {
  launch({stream, gridOf(n, 32, rows), 32 * warpsOfBlock}, &subtractCombinationsKernel, rows, m, n,
         factor, base, target);
}

void placeUnits(cudaStream_t stream, int count, int const* place, int first, double* base,
                std::int64_t stride) {
  forEach(stream, count, [=] __device__(int a) { base[place[a] * stride + first + a] = 1.0; });
}

void scaleByVariable(cudaStream_t stream, TableauView const& t, double const* factor,
                     double* base) {
  forWarps(stream, t.m, [=] __device__(int i, int lane) {
    double const own = factor[t.rows.variable[i]];
    double* const line = base + at(i) * t.n;
    for (int j = lane; j < t.n; j += 32) line[j] *= own / factor[t.columns.variable[j]];
  });
}

void phase1Costs(cudaStream_t stream, int m, RowState const& rows, double tolerance, double* g) {
  forEach(stream, m, [=] __device__(int i) {
    g[i] = rules::phase1Cost(rows.value[i], rows.lower[i], rows.upper[i], tolerance);
  });
}

void takeDiagonal(cudaStream_t stream, int size, double const* lu, double* diagonal) {
  forEach(stream, size,
          [=] __device__(int k) { diagonal[k] = lu[static_cast<std::int64_t>(k) * size + k]; });
}

// ---- weights -----------------------------------------------------------------------------------

namespace {

constexpr int tileColumns = 32, tileRows = 16;

/// A block takes 32 columns; thread (c, s) sums the rows s, s + 16, ... of column c.
__global__ void columnWeightsKernel(TableauView const t) {
  __shared__ double partial[tileRows][tileColumns];
  int const j = static_cast<int>(blockIdx.x * tileColumns + threadIdx.x);
  double sum = 0.0;
  if (j < t.n)
    for (int i = static_cast<int>(threadIdx.y); i < t.m; i += tileRows) {
      double const x = t.base[at(i) * t.n + j];
      sum += x * x;
    }
  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || j >= t.n) return;
  for (int s = 1; s < tileRows; ++s) sum += partial[s][threadIdx.x];
  t.columns.weight[j] = 1.0 + sum;
}

}  // namespace

void exactColumnWeights(cudaStream_t stream, TableauView const& t) {
  if (t.n == 0) return;
  auto const blocks = static_cast<unsigned>((t.n + tileColumns - 1) / tileColumns);
  launch({stream, blocks, dim3(tileColumns, tileRows)}, &columnWeightsKernel, t);
}

void takeShadow(cudaStream_t stream, TableauView const& t) {
  forWarps(stream, t.m, [=] __device__(int i, int lane) {
    double const* const line = t.base + at(i) * t.n;
    float* const shadow = t.shadow + at(i) * t.shadowStride;
#pragma unroll 4
    for (int j = lane; j < t.shadowStride; j += 32)
      shadow[j] = j < t.n ? static_cast<float>(line[j]) : 0.0f;
  });
}

void exactRowWeights(cudaStream_t stream, TableauView const& t) {
  forWarps(stream, t.m, [=] __device__(int i, int lane) {
    double sum = 0.0;
    for (int j = lane; j < t.n; j += 32) {
      double const x = t.base[at(i) * t.n + j];
      if (t.columns.variable[j] >= t.n) sum += x * x;
    }
    sum = warpSum(sum);
    if (t.rows.variable[i] >= t.n) sum += 1.0;
    if (lane == 0) t.rows.weight[i] = fmax(sum, rules::leastRowWeight);
  });
}

void sketchSigns(cudaStream_t stream, int count, int k, double* signs) {
  forWarps(stream, count, [=] __device__(int i, int lane) {
    for (int l = lane; l < k; l += 32) signs[at(i) * k + l] = rules::sketchSign(l, i);
  });
}

void slackSigns(cudaStream_t stream, int count, int k, int n, int const* variable, double* signs) {
  forWarps(stream, count, [=] __device__(int i, int lane) {
    int const slack = variable[i] - n;
    for (int l = lane; l < k; l += 32)
      signs[at(i) * k + l] = slack >= 0 ? rules::sketchSign(l, slack) : 0.0;
  });
}

void takeColumnSketch(cudaStream_t stream, TableauView const& t, double const* sketch) {
  forWarps(stream, t.n, [=] __device__(int j, int lane) {
    double sum = 0.0;
    for (int l = lane; l < t.sketchSize; l += 32) {
      std::size_t const place = at(j) * t.sketchSize + l;
      auto const z = static_cast<float>(sketch[place]);
      t.columnSketch[place] = z;
      sum += static_cast<double>(z * z);
    }
    sum = warpSum(sum);
    if (lane == 0) t.columns.weight[j] = rules::sketchedColumnWeight(sum / t.sketchSize);
  });
}

void takeRowSketch(cudaStream_t stream, TableauView const& t, double const* sketch) {
  forWarps(stream, t.m, [=] __device__(int i, int lane) {
    double sum = 0.0;
    int const slack = t.rows.variable[i] - t.n;
    for (int l = lane; l < t.sketchSize; l += 32) {
      std::size_t const place = at(i) * t.sketchSize + l;
      double const w = sketch[place] + (slack >= 0 ? rules::sketchSign(l, slack) : 0.0f);
      t.rowSketch[place] = static_cast<float>(w);
      sum += w * w;
    }
    sum = warpSum(sum) / t.sketchSize;
    if (lane == 0) t.rows.weight[i] = rules::sketchedRowWeight(sum);
  });
}

// ---- measures ----------------------------------------------------------------------------------

namespace {

constexpr int measureThreads = 512;  // of 56 bytes each in shared memory

__global__ void measureKernel(TableauView const t, double primalTolerance, double dualTolerance,
                              Measure* result) {
  alignas(8) __shared__ unsigned char storage[measureThreads * sizeof(Measure)];
  auto* const partial = reinterpret_cast<Measure*>(storage);
  int const thread = static_cast<int>(threadIdx.x);
  Measure r;
  for (int i = thread; i < t.m; i += measureThreads)
    r.addBasic(t.rows.value[i], t.rows.lower[i], t.rows.upper[i], primalTolerance);
  for (int j = thread; j < t.n; j += measureThreads)
    r.addNonbasic(t.columns.reducedCost[j], t.columns.value[j], t.columns.lower[j],
                  t.columns.upper[j], dualTolerance);
  partial[thread] = r;
  for (int half = measureThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) partial[thread].add(partial[thread + half]);
  }
  if (thread == 0) *result = partial[0];
}

}  // namespace

void measurePoint(cudaStream_t stream, TableauView const& t, double primalTolerance,
                  double dualTolerance, Measure* result) {
  launch({stream, 1, measureThreads}, &measureKernel, t, primalTolerance, dualTolerance, result);
}

}  // namespace osi_cuda::cuda
