// SPDX-License-Identifier: EPL-2.0
#include "examples/common/device_array.cuh"
#include "examples/response/device/fused.cuh"
#include "examples/response/device/scan.cuh"

namespace osi_cuda::response::device {
namespace {

__device__ double power(double base, int exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2) result *= base;
    base *= base;
  }
  return result;
}

/// Along columns. Block (tile of 8 columns, piece); thread (c, chunk), at most L places each.
/// `firstRow`: where the first piece starts. Owner: a thread owns its places of the output, whose
/// first row is `outRow`.
template <int L>
__global__ void __launch_bounds__(fusedColumns* fusedChunks)
    fusedAlongColumns(Fused p, int columns, int firstRow, int rowsToDo, TwoParts in, double* out) {
  __shared__ double summary[fusedChunks][fusedColumns + 1];
  int const flat = int(threadIdx.x), c = flat % fusedColumns, chunk = flat / fusedColumns;
  int const column = int(blockIdx.x) * fusedColumns + c;
  int const begin = int(blockIdx.y) * p.count;
  int const count = min(p.count, rowsToDo - begin);
  int const span = count + 2 * p.halo;
  int const from = int((long long)(chunk)*span / fusedChunks);
  int const places = int((long long)(chunk + 1) * span / fusedChunks) - from;
  double value[L];
#pragma unroll
  for (int k = 0; k < L; ++k) {
    int r = firstRow + begin - p.halo + from + k;
    r += r < 0 ? p.length : 0;
    r -= r >= p.length ? p.length : 0;
    value[k] = k < places && column < columns ? in.row(r, columns)[column] : 0.0;
  }
  // A warp scans the 32 chunks of one column.
  int const lane = flat % 32, warp = flat / 32;
  int const lanePlaces =
      int((long long)(lane + 1) * span / fusedChunks) - int((long long)(lane)*span / fusedChunks);
  double e = 0.0;
#pragma unroll
  for (int k = 0; k < L; ++k)
    if (k < places) e = value[k] + p.f.forward * e;
  summary[chunk][c] = e;
  __syncthreads();
  {
    Scanned const s = scanUp(summary[lane][warp], power(p.f.forward, lanePlaces));
    double const end = __shfl_sync(0xffffffffu, s.value, 31);
    double const all = __shfl_sync(0xffffffffu, s.times, 31);
    double const start = p.isCircle ? end / (1.0 - all) : 0.0;
    double const before = __shfl_up_sync(0xffffffffu, s.value + s.times * start, 1);
    summary[lane][warp] = lane == 0 ? start : before;
  }
  __syncthreads();
  double z = summary[chunk][c];
#pragma unroll
  for (int k = 0; k < L; ++k)
    if (k < places) {
      z = value[k] + p.f.forward * z;
      value[k] = p.f.scale * z;
    }
  e = 0.0;
#pragma unroll
  for (int k = L - 1; k >= 0; --k)
    if (k < places) e = value[k] + p.f.backward * e;
  __syncthreads();
  summary[chunk][c] = e;
  __syncthreads();
  {
    Scanned const s = scanDown(summary[lane][warp], power(p.f.backward, lanePlaces));
    double const end = __shfl_sync(0xffffffffu, s.value, 0);
    double const all = __shfl_sync(0xffffffffu, s.times, 0);
    double const start = p.isCircle ? end / (1.0 - all) : 0.0;
    double const behind = __shfl_down_sync(0xffffffffu, s.value + s.times * start, 1);
    summary[lane][warp] = lane == 31 ? start : behind;
  }
  __syncthreads();
  double y = summary[chunk][c];
#pragma unroll
  for (int k = L - 1; k >= 0; --k)
    if (k < places) {
      y = value[k] + p.f.backward * y;
      int const at = from + k - p.halo;
      if (at >= 0 && at < count && column < columns)
        out[std::size_t(begin + at) * columns + column] = y;
    }
}

}  // namespace

void queueFusedColumns(Fused const& p, int columns, int firstRow, int rowsToDo, TwoParts const& in,
                       double* out, cudaStream_t stream) {
  dim3 const blocks(examples::device::blocksFor(columns, fusedColumns),
                    examples::device::blocksFor(rowsToDo, unsigned(p.count)));
  constexpr int block = fusedColumns * fusedChunks;
  int const places = (p.count + 2 * p.halo + fusedChunks - 1) / fusedChunks;
  auto const queue = [&](auto kernel) {
    kernel<<<blocks, block, 0, stream>>>(p, columns, firstRow, rowsToDo, in, out);
  };
  if (places <= 10)
    queue(fusedAlongColumns<10>);
  else if (places <= 16)
    queue(fusedAlongColumns<16>);
  else if (places <= 22)
    queue(fusedAlongColumns<22>);
  else
    queue(fusedAlongColumns<32>);
}

}  // namespace osi_cuda::response::device
