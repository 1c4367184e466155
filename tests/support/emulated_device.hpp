// SPDX-License-Identifier: EPL-2.0
#pragma once

/// Device code on the host: what stands for CUDA's language and its built-in functions, so that the
/// very kernels run in tests without a device. Include before any .cuh file. With
/// OSI_CUDA_EMULATED_RUNTIME CUDA's own headers give the types, and kernels are started through
/// streams; tests/support/emulated_runtime/ is the rest of such a device.
#define OSI_CUDA_EMULATED
#ifdef OSI_CUDA_EMULATED_RUNTIME
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <cusparse.h>
#endif

#include <math.h>  // device code takes these functions from the global namespace

#include <algorithm>
#include <cstdlib>

#include "tests/support/emulated_fibers.hpp"
#include "tests/support/emulated_memory.hpp"

#ifdef OSI_CUDA_EMULATED_RUNTIME
namespace emulated {

/// Whether the blocks of a launch wait for each other, or have nothing to do with each other.
enum class Blocks { oneByOne, together };

/// Puts a kernel into a stream: body() on every thread of the grid, when the stream comes to it.
cudaError_t start(cudaStream_t stream, dim3 blocks, dim3 threads, std::size_t sharedBytes,
                  Blocks how, std::function<void()> body);

/// The value that decides whether a graph's WHILE node goes round again.
unsigned& conditional(cudaGraphConditionalHandle handle);

}  // namespace emulated
/// Constant memory is the host's.
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, void const* source, std::size_t bytes) {
  std::memcpy(&symbol, source, bytes);
  return cudaSuccess;
}
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  emulated::conditional(handle) = value;
}
#endif

// The names of what it stands in for.
// NOLINTBEGIN(bugprone-reserved-identifier)
#define threadIdx (emulated::self().thread)
#define blockIdx (emulated::self().block)
#define blockDim (emulated::grid->threads)
#define gridDim (emulated::grid->blockCount)
#undef __device__
#undef __global__
#undef __noinline__
#undef __shared__
#undef __launch_bounds__
#undef __grid_constant__
#define __device__
#define __global__
#define __noinline__
#define __shared__ static  // of kernels whose blocks run one by one
#define __launch_bounds__(...)
#define __grid_constant__

#ifndef OSI_CUDA_EMULATED_RUNTIME
struct double2 {
  double x, y;
};
struct float4 {
  float x, y, z, w;
};
inline double2 make_double2(double x, double y) {
  return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
#endif
using std::max;
using std::min;
inline void __syncthreads() {
  emulated::barrier();
}
inline int __syncthreads_or(int vote) {
  return emulated::barrierVote(vote != 0) ? 1 : 0;
}
namespace cooperative_groups {
struct grid_group {
  static void sync() { emulated::gridBarrier(); }
};
inline grid_group this_grid() {
  return {};
}
}  // namespace cooperative_groups
inline void __syncwarp() {
  emulated::exchange(0);
}
template <class T>
T __shfl_sync(unsigned, T value, int lane) {
  return emulated::exchange(value).of[lane & 31];
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  return emulated::exchange(value).of[static_cast<int>(emulated::self().lane()) ^ mask];
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned distance) {
  unsigned const lane = emulated::self().lane();
  return emulated::exchange(value).of[lane < distance ? lane : lane - distance];
}
template <class T>
T __shfl_down_sync(unsigned, T value, unsigned distance) {
  unsigned const lane = emulated::self().lane();
  return emulated::exchange(value).of[lane + distance > 31 ? lane : lane + distance];
}
inline unsigned __ballot_sync(unsigned, bool vote) {
  auto const votes = emulated::exchange(static_cast<int>(vote));
  unsigned result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= static_cast<unsigned>(votes.of[i]) << i;
  return result;
}
inline bool __any_sync(unsigned mask, bool vote) {
  return __ballot_sync(mask, vote) != 0;
}
inline unsigned __reduce_max_sync(unsigned, unsigned x) {
  auto const all = emulated::exchange(x);
  return *std::max_element(all.of, all.of + 32);
}
inline unsigned __reduce_min_sync(unsigned, unsigned x) {
  auto const all = emulated::exchange(x);
  return *std::min_element(all.of, all.of + 32);
}
inline unsigned __reduce_add_sync(unsigned, unsigned x) {
  unsigned sum = 0;
  for (unsigned const part : emulated::exchange(x).of) sum += part;
  return sum;
}
// Fibers don't interrupt each other.
template <class T>
T atomicAdd(T* target, T value) {
  return std::exchange(*target, *target + value);
}
template <class T>
T atomicOr(T* target, T value) {
  return std::exchange(*target, *target | value);
}
template <class T>
T atomicMax(T* target, T value) {
  return std::exchange(*target, std::max(*target, value));
}
template <class T>
T atomicMin(T* target, T value) {
  return std::exchange(*target, std::min(*target, value));
}
template <class T>
T __ldcg(T const* source) {
  return emulated::ownStores().load(source);
}
template <class T>
void __stcg(T* target, T value) {
  emulated::ownStores().store(target, value);
}
inline void __threadfence() {
  emulated::ownStores().drain();
}
inline void __trap() {
  std::abort();
}
template <class To, class From>
To emulatedBits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline long long __double_as_longlong(double x) {
  return emulatedBits<long long>(x);
}
inline double __longlong_as_double(long long x) {
  return emulatedBits<double>(x);
}
inline unsigned __float_as_uint(float x) {
  return emulatedBits<unsigned>(x);
}
inline float __int_as_float(int x) {
  return emulatedBits<float>(x);
}
inline int __double2int_rn(double x) {
  return static_cast<int>(lrint(x));
}
inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
// NOLINTEND(bugprone-reserved-identifier)
