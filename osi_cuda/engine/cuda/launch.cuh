// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/check.hpp"
#include "osi_cuda/engine/cuda/warp.cuh"

/// Kernels written as lambdas, and sums in extended precision.
namespace osi_cuda::cuda {

inline constexpr int blockThreads = 256;

/// f(i) for i < length, one thread each.
template <class F>
__global__ void forEachKernel(int length, F f) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < length) f(i);
}

template <class F>
void forEach(cudaStream_t stream, int length, F f) {
  if (length <= 0) return;
  forEachKernel<<<(length + blockThreads - 1) / blockThreads, blockThreads, 0, stream>>>(length, f);
  check(cudaGetLastError());
}

/// f(i, lane) for i < count, a warp each.
template <class F>
__global__ void forWarpsKernel(int count, F f) {
  int const i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (i < count) f(i, static_cast<int>(threadIdx.x) % 32);
}

template <class F>
void forWarps(cudaStream_t stream, int count, F f) {
  if (count <= 0) return;
  constexpr int perBlock = blockThreads / 32;
  forWarpsKernel<<<(count + perBlock - 1) / perBlock, blockThreads, 0, stream>>>(count, f);
  check(cudaGetLastError());
}

__device__ inline double warpSum(double x) {
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(~0u, x, distance);
  return x;
}

/// A sum of doubles kept as a pair, hi + lo (Dekker 1971, Knuth's two-sum).
struct Pair {
  double hi = 0.0, lo = 0.0;

  __device__ void add(double x) {
    double const s = hi + x;
    double const b = s - hi;
    lo += (hi - (s - b)) + (x - b);
    hi = s;
  }
  __device__ void addProduct(double x, double y) {
    double const p = x * y;
    add(p);
    lo += fma(x, y, -p);
  }
};

__device__ inline Pair warpSum(Pair x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    double const hi = __shfl_xor_sync(~0u, x.hi, distance);
    double const lo = __shfl_xor_sync(~0u, x.lo, distance);
    x.add(hi);
    x.lo += lo;
  }
  return x;
}

__device__ inline double warpLargest(double x) {
  for (int distance = 16; distance > 0; distance /= 2)
    x = fmax(x, __shfl_xor_sync(~0u, x, distance));
  return x;
}

/// *largest = max(*largest, x), x >= 0. Numbers that are not finite count as 1e300.
__device__ inline void raise(double* largest, double x) {
  double const size = isfinite(x) ? x : 1e300;
  if (size <= *static_cast<double volatile*>(largest)) return;  // it only ever grows
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(size)));
}

}  // namespace osi_cuda::cuda
