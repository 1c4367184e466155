// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

#include "osi_cuda/engine/cuda/check.hpp"

/// How kernels are started: the one place, so that tests can run them without a device (there, with
/// OSI_CUDA_EMULATED, kernels are ordinary functions, and `emulated` puts them into a stream).

namespace osi_cuda::cuda {

/// The grid of a launch, and the stream that it waits in.
struct LaunchShape {
  cudaStream_t stream;
  dim3 blocks, threads;    ///< in all, and of a block
  std::size_t shared = 0;  ///< bytes of dynamic shared memory of a block
};

inline constexpr int blockThreads = 256;

#ifndef OSI_CUDA_EMULATED

template <class... Parameters, class... Arguments>
void launch(LaunchShape const& shape, void (*kernel)(Parameters...), Arguments... arguments) {
  kernel<<<shape.blocks, shape.threads, shape.shared, shape.stream>>>(arguments...);
  check(cudaGetLastError());
}

/// All blocks run at a time, so that they can wait for each other.
template <class... Parameters>
void launchCooperative(LaunchShape const& shape, void (*kernel)(Parameters...),
                       std::type_identity_t<Parameters>... arguments) {
  void* list[] = {&arguments...};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(kernel), shape.blocks,
                                    shape.threads, list, shape.shared, shape.stream));
}

#else

template <class... Parameters, class... Arguments>
void launch(LaunchShape const& shape, void (*kernel)(Parameters...), Arguments... arguments) {
  check(emulated::start(shape.stream, shape.blocks, shape.threads, shape.shared,
                        emulated::Blocks::oneByOne, [=] { kernel(arguments...); }));
}
template <class... Parameters>
void launchCooperative(LaunchShape const& shape, void (*kernel)(Parameters...),
                       std::type_identity_t<Parameters>... arguments) {
  check(emulated::start(shape.stream, shape.blocks, shape.threads, shape.shared,
                        emulated::Blocks::together, [=] { kernel(arguments...); }));
}

#endif

/// Blocks of such a kernel that the device works on at a time.
template <class... Parameters>
int blocksAtATime(void (*kernel)(Parameters...), int threads, std::size_t shared,
                  int multiprocessors) {
  auto const* const address = reinterpret_cast<void const*>(kernel);
  check(cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared)));
  int each = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, address, threads, shared));
  return (each > 1 ? each : 1) * multiprocessors;
}

/// f(i) for i < length, one thread each.
template <class F>
__global__ void forEachKernel(int length, F f) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < length) f(i);
}

template <class F>
void forEach(cudaStream_t stream, int length, F f) {
  if (length <= 0) return;
  auto const blocks = static_cast<unsigned>((length + blockThreads - 1) / blockThreads);
  launch({stream, blocks, blockThreads}, &forEachKernel<F>, length, f);
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
  auto const blocks = static_cast<unsigned>((count + perBlock - 1) / perBlock);
  launch({stream, blocks, blockThreads}, &forWarpsKernel<F>, count, f);
}

}  // namespace osi_cuda::cuda
