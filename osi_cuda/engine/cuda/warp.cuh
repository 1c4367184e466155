// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <cstring>

/// Reductions over the 32 threads of a warp; all of them call, all get the result.
namespace osi_cuda::cuda {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ inline unsigned warpMax(unsigned x) {
  return __reduce_max_sync(~0u, x);
}
__device__ inline unsigned warpMin(unsigned x) {
  return __reduce_min_sync(~0u, x);
}
__device__ inline unsigned warpSum(unsigned x) {
  return __reduce_add_sync(~0u, x);
}
#else
__device__ unsigned warpFold(unsigned x, auto f) {
  for (int distance = 16; distance > 0; distance /= 2) x = f(x, __shfl_xor_sync(~0u, x, distance));
  return x;
}
__device__ inline unsigned warpMax(unsigned x) {
  return warpFold(x, [](unsigned a, unsigned b) { return a > b ? a : b; });
}
__device__ inline unsigned warpMin(unsigned x) {
  return warpFold(x, [](unsigned a, unsigned b) { return a < b ? a : b; });
}
__device__ inline unsigned warpSum(unsigned x) {
  return warpFold(x, [](unsigned a, unsigned b) { return a + b; });
}
#endif

__device__ inline std::uint64_t warpMax(std::uint64_t x) {
  unsigned const high = warpMax(static_cast<unsigned>(x >> 32));
  unsigned const low =
      warpMax(static_cast<unsigned>(x >> 32) == high ? static_cast<unsigned>(x) : 0u);
  return (static_cast<std::uint64_t>(high) << 32) | low;
}
__device__ inline std::uint64_t warpMin(std::uint64_t x) {
  return ~warpMax(~x);
}

/// The bits of a number that is not negative: ordered like the numbers.
__device__ inline std::uint64_t orderOf(double x) {
  return static_cast<std::uint64_t>(__double_as_longlong(x));
}
__device__ inline double numberOf(std::uint64_t order) {
  return __longlong_as_double(static_cast<long long>(order));
}

/// A value of several words as another lane has it.
template <class T>
__device__ T fromLane(T const& value, int lane) {
  static_assert(sizeof(T) % 4 == 0);
  constexpr int words = sizeof(T) / 4;
  int own[words], there[words];
  memcpy(own, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) there[w] = __shfl_sync(~0u, own[w], lane);
  T result = value;
  memcpy(static_cast<void*>(&result), there, sizeof(T));
  return result;
}

}  // namespace osi_cuda::cuda
