// SPDX-License-Identifier: EPL-2.0
#include "examples/common/device_array.cuh"
#include "examples/response/device/fused.cuh"
#include "examples/response/device/scan.cuh"

namespace osi_cuda::response::device {
namespace {

/// Along rows. W warps share a piece, a block has rowWarps / W pieces. Owner: they own its output.
template <int W>
__global__ void __launch_bounds__(32 * rowWarps)
    fusedAlongRows(Fused p, int rows, int pieces, double const* in, double* out) {
  extern __shared__ double staged[];  // rowWarps * rowSpan
  __shared__ Scanned ends[rowWarps];
  int const lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  int const group = warp / W, inGroup = int(threadIdx.x) % (32 * W);
  long long const item = (long long)(blockIdx.x) * (rowWarps / W) + group;
  bool const isReal = item < (long long)(rows)*pieces;
  int const row = int(item / pieces), begin = int(item % pieces) * p.count;
  int const count = isReal ? min(p.count, p.length - begin) : 0;
  int const span = isReal ? count + 2 * p.halo : 0;
  double* const mine = staged + group * W * rowSpan;
  double const* const line = in + std::size_t(isReal ? row : 0) * p.length;
  double value[rowChunk];
  // All loads of a thread are on their way before the first one is waited for.
#pragma unroll
  for (int k = 0; k < rowChunk; ++k) {
    int at = begin - p.halo + inGroup + k * 32 * W;
    at += at < 0 ? p.length : 0;
    at -= at >= p.length ? p.length : 0;
    value[k] = inGroup + k * 32 * W < span ? line[at] : 0.0;
  }
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (inGroup + k * 32 * W < span) mine[inGroup + k * 32 * W] = value[k];
  __syncthreads();
  int const from = inGroup * rowChunk, places = max(0, min(rowChunk, span - from));
  double e = 0.0, times = 1.0;
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (k < places) {
      value[k] = mine[from + k];
      e = value[k] + p.f.forward * e;
      times *= p.f.forward;
    }
  {
    Scanned const s = scanUp(e, times);
    if (lane == 31) ends[warp] = s;
    __syncthreads();
    Scanned total{0.0, 1.0}, before{0.0, 1.0};
    for (int w = 0; w < W; ++w) {
      if (w == warp % W) before = total;
      Scanned const one = ends[group * W + w];
      total = {one.value + one.times * total.value, one.times * total.times};
    }
    double const start = p.isCircle ? total.value / (1.0 - total.times) : 0.0;
    double const atWarp = before.value + before.times * start;
    double const up = __shfl_up_sync(0xffffffffu, s.value + s.times * atWarp, 1);
    e = lane == 0 ? atWarp : up;
  }
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (k < places) {
      e = value[k] + p.f.forward * e;
      value[k] = p.f.scale * e;
    }
  e = 0.0;
  times = 1.0;
#pragma unroll
  for (int k = rowChunk - 1; k >= 0; --k)
    if (k < places) {
      e = value[k] + p.f.backward * e;
      times *= p.f.backward;
    }
  {
    Scanned const s = scanDown(e, times);
    __syncthreads();
    if (lane == 0) ends[warp] = s;
    __syncthreads();
    Scanned total{0.0, 1.0}, behind{0.0, 1.0};
    for (int w = W - 1; w >= 0; --w) {
      if (w == warp % W) behind = total;
      Scanned const one = ends[group * W + w];
      total = {one.value + one.times * total.value, one.times * total.times};
    }
    double const start = p.isCircle ? total.value / (1.0 - total.times) : 0.0;
    double const atWarp = behind.value + behind.times * start;
    double const down = __shfl_down_sync(0xffffffffu, s.value + s.times * atWarp, 1);
    e = lane == 31 ? atWarp : down;
  }
#pragma unroll
  for (int k = rowChunk - 1; k >= 0; --k)
    if (k < places) {
      e = value[k] + p.f.backward * e;
      mine[from + k] = e;
    }
  __syncthreads();
  for (int k = p.halo + inGroup; k < p.halo + count; k += 32 * W)
    out[std::size_t(row) * p.length + begin + k - p.halo] = mine[k];
}

}  // namespace

void queueFusedRows(Fused const& p, int rows, double const* in, double* out, cudaStream_t stream) {
  int const pieces = (p.length + p.count - 1) / p.count, span = p.count + 2 * p.halo;
  constexpr std::size_t bytes = sizeof(double) * rowWarps * rowSpan;
  std::size_t const all = std::size_t(rows) * pieces;
  auto const queue = [&](auto kernel, int warps) {
    unsigned const blocks = examples::device::blocksFor(all * warps, rowWarps);
    kernel<<<blocks, 32 * rowWarps, bytes, stream>>>(p, rows, pieces, in, out);
  };
  if (span <= rowSpan)
    queue(fusedAlongRows<1>, 1);
  else if (span <= 2 * rowSpan)
    queue(fusedAlongRows<2>, 2);
  else if (span <= 4 * rowSpan)
    queue(fusedAlongRows<4>, 4);
  else
    queue(fusedAlongRows<8>, 8);
}

}  // namespace osi_cuda::response::device
