// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/errors.hpp"
#include "studies/response/device/fused.cuh"
#include "studies/response/device/launch.cuh"
#include "studies/response/device/scan.cuh"

namespace osi_cuda::response::device {
namespace {

constexpr int rowChunk = 17;  // places of a thread: odd, so that chunks start in different banks
constexpr int rowWarps = 8;   // of a block
constexpr int rowSpan = rowChunk * 32;             // places of a warp
constexpr int mostRowPlaces = rowWarps * rowSpan;  // that a row of one piece may have

/// What comes into a thread's chunk, where W warps share a piece. `ends` is room for all warps.
template <int Direction, int W>
__device__ double incoming(Chunk own, bool isCircle, Chunk* ends) {
  int const lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  constexpr int firstLane = Direction > 0 ? 0 : 31;
  Chunk const scanned = scan<Direction>(own);
  if (lane == 31 - firstLane) ends[warp] = scanned;
  __syncthreads();
  Chunk total{0.0, 1.0}, before{0.0, 1.0};
  for (int i = 0; i < W; ++i) {
    int const w = Direction > 0 ? i : W - 1 - i;
    if (w == warp % W) before = total;
    Chunk const one = ends[warp / W * W + w];
    total = {one.value + one.times * total.value, one.times * total.times};
  }
  double const start = isCircle ? total.value / (1.0 - total.times) : 0.0;
  double const atWarp = before.value + before.times * start;
  double const through = fromBefore<Direction>(scanned.value + scanned.times * atWarp, 1);
  return lane == firstLane ? atWarp : through;
}

/// Along rows. W warps share a piece, a block has rowWarps / W pieces. Owner: they own its output.
template <int W>
__global__ void __launch_bounds__(32 * rowWarps)
    fusedAlongRows(FusedRows p, int rows, int pieces, double const* in, double* out) {
  __shared__ double staged[rowWarps * rowSpan];
  __shared__ Chunk ends[2][rowWarps];
  int const warp = int(threadIdx.x) / 32;
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
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (k < places) value[k] = mine[from + k];
  double const up = incoming<1, W>(
      {endOf<1>(value, places, p.f.forward), power(p.f.forward, places)}, p.isCircle, ends[0]);
  recurUpwards(value, places, p.f.forward, p.f.scale, up);
  double e = incoming<-1, W>({endOf<-1>(value, places, p.f.backward), power(p.f.backward, places)},
                             p.isCircle, ends[1]);
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

FusedRows rowPiecesOf(CyclicMatrix const& m, int length) {
  FusedRows p{factorsOf(m), length, 0, length, true};
  if (length <= mostRowPlaces) return p;
  p.isCircle = false;
  p.halo = p.f.reach();
  if (2 * p.halo > mostRowPlaces / 2)
    throw EngineUnavailable(
        "device: the fused sweep has no form for rows this long of a matrix this close to "
        "singular");
  p.count = mostRowPlaces - 2 * p.halo;
  // Pieces of equal size.
  int const pieces = (length + p.count - 1) / p.count;
  p.count = (length + pieces - 1) / pieces;
  return p;
}

void queueFusedRows(FusedRows const& p, int rows, double const* in, double* out,
                    cudaStream_t stream) {
  int const pieces = (p.length + p.count - 1) / p.count, span = p.count + 2 * p.halo;
  std::size_t const all = std::size_t(rows) * pieces;
  auto const queue = [&](auto kernel, int warps) {
    launch(stream, dim3(examples::device::blocksFor(all * warps, rowWarps)), 32 * rowWarps, kernel,
           p, rows, pieces, in, out);
  };
  if (span <= rowSpan)
    queue(&fusedAlongRows<1>, 1);
  else if (span <= 2 * rowSpan)
    queue(&fusedAlongRows<2>, 2);
  else if (span <= 4 * rowSpan)
    queue(&fusedAlongRows<4>, 4);
  else
    queue(&fusedAlongRows<8>, 8);
}

}  // namespace osi_cuda::response::device
