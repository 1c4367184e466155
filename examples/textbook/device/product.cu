// SPDX-License-Identifier: EPL-2.0
// C = A B on the device, from a thread for each entry to the matrix units. All matrices are n x n,
// by rows, n a multiple of 128.
#include <cublas_v2.h>
#ifndef OSI_CUDA_EMULATED
#include <mma.h>
#endif

#include "examples/common/device.cuh"
#include "examples/textbook/device_module.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::textbook::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;
using examples::device::seconds;
using examples::device::Stream;

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw EngineUnavailable(std::string("cuBLAS: ") + cublasGetStatusString(status));
}

/// A thread computes one entry, and reads 2 n numbers for its 2 n flop; neighbours share what the
/// caches hold.
__global__ void naive(int n, double const* A, double const* B, double* C) {
  int const i = int(blockIdx.y * blockDim.y + threadIdx.y);
  int const j = int(blockIdx.x * blockDim.x + threadIdx.x);
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += A[std::size_t(i) * n + k] * B[std::size_t(k) * n + j];
  C[std::size_t(i) * n + j] = sum;
}

/// A block computes 32 x 32 entries and takes tiles of A and B through shared memory, so that every
/// number comes from device memory n / 32 times instead of n times.
__global__ void tiled(int n, double const* A, double const* B, double* C) {
  constexpr int tile = 32;
  __shared__ double a[tile][tile], b[tile][tile];
  int const y = int(threadIdx.y), x = int(threadIdx.x);
  std::size_t const i = blockIdx.y * tile + y, j = blockIdx.x * tile + x;
  double sum = 0.0;
  for (int begin = 0; begin < n; begin += tile) {
    a[y][x] = A[i * n + begin + x];
    b[y][x] = B[(std::size_t(begin) + y) * n + j];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  C[i * n + j] = sum;
}

/// Brings A[row..row+side)[begin..begin+depth) and B[begin..begin+depth)[column..column+side) into
/// shared memory, by all threads of the block.
template <int side, int depth, int aPitch, int bPitch>
__device__ void loadTiles(int n, double const* A, double const* B, std::size_t row,
                          std::size_t column, int begin, double (&a)[side][aPitch],
                          double (&b)[depth][bPitch]) {
  for (int k = int(threadIdx.x); k < side * depth; k += int(blockDim.x)) {
    a[k / depth][k % depth] = A[(row + k / depth) * n + begin + k % depth];
    b[k / side][k % side] = B[(std::size_t(begin) + k / side) * n + column + k % side];
  }
}

/// The same with 128 x 128 entries a block, and 8 x 8 sums in the registers of each of 256 threads:
/// 16 numbers from shared memory serve 64 multiply-adds, where `tiled` reads two for each.
__global__ void __launch_bounds__(256) blocked(int n, double const* A, double const* B, double* C) {
  constexpr int side = 128, depth = 8, own = 8, across = side / own;
  __shared__ double a[side][depth + 1], b[depth][side];
  int const y = int(threadIdx.x) / across, x = int(threadIdx.x) % across;
  std::size_t const row = std::size_t(blockIdx.y) * side, column = std::size_t(blockIdx.x) * side;
  double sum[own][own] = {};
  for (int begin = 0; begin < n; begin += depth) {
    loadTiles<side, depth>(n, A, B, row, column, begin, a, b);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      double left[own], right[own];
      // Rows and columns of a thread lie `across` apart: neighbours read neighbours.
#pragma unroll
      for (int p = 0; p < own; ++p) left[p] = a[y + p * across][k];
#pragma unroll
      for (int q = 0; q < own; ++q) right[q] = b[k][x + q * across];
#pragma unroll
      for (int p = 0; p < own; ++p)
#pragma unroll
        for (int q = 0; q < own; ++q) sum[p][q] += left[p] * right[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < own; ++p)
    for (int q = 0; q < own; ++q)
      C[(row + y + p * across) * n + column + x + q * across] = sum[p][q];
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800  // older cards have none of double precision
namespace wmma = nvcuda::wmma;
using LeftTile = wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major>;
using RightTile = wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major>;
using SumTile = wmma::fragment<wmma::accumulator, 8, 8, 4, double>;

/// The matrix units: a warp multiplies an 8 x 4 by a 4 x 8 tile in one instruction. A block has 64
/// x 64 entries, each of its 4 warps 32 x 32 of them, in 4 x 4 such tiles.
__global__ void __launch_bounds__(128)
    byMatrixUnits(int n, double const* A, double const* B, double* C) {
  constexpr int side = 64, depth = 16, unit = 8, step = 4, own = 4;
  // Four more columns than are used, so that the rows of a tile lie in different banks.
  constexpr int aPitch = depth + 4, bPitch = side + 4;
  __shared__ double a[side][aPitch], b[depth][bPitch];
  int const w = int(threadIdx.x) / 32, y = w / 2 * own * unit, x = w % 2 * own * unit;
  std::size_t const row = std::size_t(blockIdx.y) * side, column = std::size_t(blockIdx.x) * side;
  SumTile sum[own][own];
  for (auto& line : sum)
    for (SumTile& tile : line) wmma::fill_fragment(tile, 0.0);
  for (int begin = 0; begin < n; begin += depth) {
    loadTiles<side, depth>(n, A, B, row, column, begin, a, b);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; k += step) {
      LeftTile left[own];
      RightTile right[own];
#pragma unroll
      for (int p = 0; p < own; ++p) wmma::load_matrix_sync(left[p], &a[y + p * unit][k], aPitch);
#pragma unroll
      for (int q = 0; q < own; ++q) wmma::load_matrix_sync(right[q], &b[k][x + q * unit], bPitch);
#pragma unroll
      for (int p = 0; p < own; ++p)
#pragma unroll
        for (int q = 0; q < own; ++q) wmma::mma_sync(sum[p][q], left[p], right[q], sum[p][q]);
    }
    __syncthreads();
  }
  for (int p = 0; p < own; ++p)
    for (int q = 0; q < own; ++q)
      wmma::store_matrix_sync(C + (row + y + p * unit) * n + column + x + q * unit, sum[p][q],
                              unsigned(n), wmma::mem_row_major);
}
#else
__global__ void __launch_bounds__(128) byMatrixUnits(int, double const*, double const*, double*) {}
#endif

/// Throws EngineUnavailable where byMatrixUnits is the empty one.
void requireMatrixUnits() {
#ifndef OSI_CUDA_EMULATED
  constexpr int first = 80;
  cudaFuncAttributes code{};
  check(cudaFuncGetAttributes(&code, reinterpret_cast<void const*>(byMatrixUnits)));
  if (code.ptxVersion < first)
    throw EngineUnavailable(
        "device: matrix units of double precision need code for compute "
        "capability 8.0");
#endif
}

/// Multiply-adds without memory: 8 sums that don't wait for each other in every thread.
__global__ void multiplyAdds(double* result, int rounds, double factor) {
  double sum[8];
  for (int k = 0; k < 8; ++k) sum[k] = double(threadIdx.x) + k;
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (double& s : sum) s = s * factor + 1e-3;
  double total = 0.0;
  for (double const s : sum) total += s;
  result[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
/// The same on the matrix units, by their largest instruction: 16 x 16 by 16 x 8 in a warp
/// (Hopper).
__global__ void matrixMultiplyAdds(double* result, [[maybe_unused]] int rounds,
                                   [[maybe_unused]] double factor) {
  double sum[8][4];
  for (int k = 0; k < 8; ++k)
    for (double& s : sum[k]) s = double(k);
#if __CUDA_ARCH__ >= 900
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (auto& s : sum)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
          "{%4, %4, %4, %4, %4, %4, %4, %4}, {%4, %4, %4, %4}, {%0, %1, %2, %3};"
          : "+d"(s[0]), "+d"(s[1]), "+d"(s[2]), "+d"(s[3])
          : "d"(factor));
#endif
  double total = 0.0;
  for (auto const& s : sum) total += s[0] + s[1] + s[2] + s[3];
  result[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

void multiply(ProductForm form, Stream const& stream, int n, double const* A, double const* B,
              double* C) {
  auto const side = unsigned(n);
  if (form == ProductForm::deviceNaive)
    return launch(stream, dim3(side / 32, side / 8), dim3(32, 8), naive, n, A, B, C);
  if (form == ProductForm::deviceTiled)
    return launch(stream, dim3(side / 32, side / 32), dim3(32, 32), tiled, n, A, B, C);
  if (form == ProductForm::deviceBlocked)
    return launch(stream, dim3(side / 128, side / 128), 256, blocked, n, A, B, C);
  if (form == ProductForm::deviceMatrix)
    return launch(stream, dim3(side / 64, side / 64), 128, byMatrixUnits, n, A, B, C);
  // A handle is opened at the first product, and kept.
  static cublasHandle_t const handle = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made));
    return made;
  }();
  double const one = 1.0, zero = 0.0;
  check(cublasSetStream(handle, stream));
  // cuBLAS stores by columns: C' = B' A'.
  check(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, B, n, A, n, &zero, C, n));
}

}  // namespace

Product product(ProductForm form, Matrices const& matrices, int repeats) {
  int const n = matrices.n;
  if (form == ProductForm::deviceMatrix) requireMatrixUnits();
  Product result;
  Stream const stream;
  DeviceArray<double> const A(matrices.a.size()), B(matrices.b.size()), C(matrices.a.size());
  result.c.resize(C.size());  // memory that has been touched: not part of the transfer
  Stopwatch const up;
  A.upload(matrices.a);
  B.upload(matrices.b);
  result.transferSeconds = up.seconds();
  multiply(form, stream, n, A.data(), B.data(), C.data());  // opens what has to be opened
  stream.wait();
  std::vector<double> times;
  for (int k = 0; k < repeats; ++k)
    times.push_back(
        seconds(stream, [&] { multiply(form, stream, n, A.data(), B.data(), C.data()); }));
  std::sort(times.begin(), times.end());
  result.seconds = times[times.size() / 2];
  Stopwatch const down;
  C.download(0, result.c.data(), C.size());
  result.transferSeconds += down.seconds();
  return result;
}

double peak(bool matrixUnits) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  constexpr int blocksEach = 4, perBlock = 256, rounds = 20000;
  auto const blocks = unsigned(blocksEach * properties.multiProcessorCount);
  DeviceArray<double> const result(std::size_t(blocks) * perBlock);
  Stream const stream;
  double best = 1e30;
  for (int repeat = 0; repeat < 3; ++repeat)
    best = std::min(
        best, seconds(stream, [&] {
          if (matrixUnits)
            launch(stream, blocks, perBlock, matrixMultiplyAdds, result.data(), rounds, 1e-3);
          else
            launch(stream, blocks, perBlock, multiplyAdds, result.data(), rounds, 0.999);
        }));
  // A warp's matrix instruction makes 16 x 8 x 16 multiply-adds, 64 for each of its threads.
  return 2.0 * 8.0 * rounds * blocks * perBlock * (matrixUnits ? 64.0 : 1.0) / best;
}

}  // namespace osi_cuda::textbook::device
