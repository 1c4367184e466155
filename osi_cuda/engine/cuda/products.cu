// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/products.hpp"

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/sums.cuh"

namespace osi_cuda::cuda {
namespace {

/// finish(i, sign (line i times x)), a warp each.
template <class Finish>
__global__ void linesKernel(LinesView matrix, double const* x, double sign, Finish finish) {
  int const i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (i >= matrix.lines) return;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  Line const line = lineTimes(matrix, i, lane, x, sign);
  if (lane == 0) finish(i, line);
}

constexpr int acrossWarps = 32;

/// The same where neighbouring lines lie side by side: a thread of each warp for a line, a warp for
/// every so many entries.
template <class Finish>
__global__ void acrossKernel(LinesView matrix, double const* x, double sign, Finish finish) {
  // Bytes: an object with initial values can't be in shared memory.
  alignas(16) __shared__ unsigned char memory[sizeof(Line) * acrossWarps * 32];
  auto* const shared = reinterpret_cast<Line*>(memory);
  int const lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  int const i = static_cast<int>(blockIdx.x) * 32 + lane;
  Line line;
  if (i < matrix.lines)
    for (std::int64_t e = warp; e < matrix.length; e += acrossWarps)
      addEntry(matrix, i, e, x, sign, line);
  shared[warp * 32 + lane] = line;
  for (int half = acrossWarps / 2; half > 0; half /= 2) {
    __syncthreads();
    if (warp < half) shared[warp * 32 + lane].join(shared[(warp + half) * 32 + lane]);
  }
  if (warp == 0 && i < matrix.lines) finish(i, shared[lane]);
}

template <class Finish>
void forLines(cudaStream_t stream, LinesView const& matrix, double const* x, double sign,
              Finish const& finish) {
  auto const groups = [&](int perBlock) {
    return static_cast<unsigned>((matrix.lines + perBlock - 1) / perBlock);
  };
  if (matrix.lines == 0) return;
  if (matrix.across())
    launch({stream, groups(32), dim3(32, acrossWarps)}, &acrossKernel<Finish>, matrix, x, sign,
           finish);
  else
    launch({stream, groups(blockThreads / 32), blockThreads}, &linesKernel<Finish>, matrix, x, sign,
           finish);
}

__device__ void finishLine(Line const& line, double* out, ResidualSize* size) {
  double const result = line.sum.hi + line.sum.lo;
  *out = result;
  if (!size) return;
  raise(&size->residual, fabs(result));
  raise(&size->scale, line.largest);
}

struct FinishProduct {
  double const *a, *b;
  double* out;
  ResidualSize* size;

  __device__ void operator()(int i, Line line) const {
    if (a) line.add(a[i]);
    if (b) line.add(-b[i]);
    finishLine(line, out + i, size);
  }
};

struct FinishResidual {
  double const *rest, *constant;
  double* largest;

  __device__ void operator()(int i, Line const& line) const {
    double const sum = line.sum.hi + line.sum.lo + rest[i];
    raise(largest, fabs(sum) / (1.0 + fmax(line.largest, fabs(constant[i]))));
  }
};

}  // namespace

void lineProducts(cudaStream_t stream, LinesView const& matrix, double const* x, double sign,
                  double const* a, double const* b, double* out, ResidualSize* size) {
  forLines(stream, matrix, x, sign, FinishProduct{a, b, out, size});
}

void largestResidual(cudaStream_t stream, LinesView const& matrix, double const* x, double sign,
                     double const* rest, double const* constant, double* largest) {
  forLines(stream, matrix, x, sign, FinishResidual{rest, constant, largest});
}

void takeSlackEntries(cudaStream_t stream, int n, int const* columnVariable, double const* b,
                      double* g) {
  forEach(stream, n, [=] __device__(int j) {
    int const v = columnVariable[j];
    g[j] = v >= n ? b[v - n] : 0.0;
  });
}

void placeBasicEntries(cudaStream_t stream, int m, int n, int const* rowVariable,
                       double const* product, double const* b, bool add, double* x) {
  forEach(stream, m, [=] __device__(int i) {
    int const v = rowVariable[i];
    x[v] = (add ? x[v] : 0.0) + (product[i] + (v >= n ? b[v - n] : 0.0));
  });
}

void placeMultipliers(cudaStream_t stream, int m, int n, int const* rowVariable,
                      int const* columnVariable, double const* product, double const* c, bool add,
                      double* y) {
  forEach(stream, m + n, [=] __device__(int k) {
    int const v = k < m ? rowVariable[k] : columnVariable[k - m];
    if (v < n) return;
    y[v - n] = (add ? y[v - n] : 0.0) + (k < m ? c[k] : product[k - m]);
  });
}

void basicResiduals(cudaStream_t stream, LinesView const& columns, int m, int const* rowVariable,
                    double const* y, double const* c, double* r, ResidualSize* size) {
  forWarps(stream, m, [=] __device__(int i, int lane) {
    int const v = rowVariable[i];
    Line line;
    if (v < columns.lines)
      line = lineTimes(columns, v, lane, y, -1.0);
    else
      line.add(-y[v - columns.lines]);
    line.add(c[i]);
    if (lane == 0) finishLine(line, r + i, size);
  });
}

}  // namespace osi_cuda::cuda
