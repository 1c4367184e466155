// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/batch/batch_kernel.hpp"

#include "osi_cuda/engine/cuda/batch/batch_queue.cuh"
#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/shared_memory.cuh"

namespace osi_cuda::cuda {
namespace {

template <bool single, bool inShared, bool usual>
__global__ void __launch_bounds__(single ? 32 : mostBatchThreads)
    batchKernel(BatchPart const __grid_constant__ part, BatchQueue const __grid_constant__ queue,
                batch::SmallSettings const __grid_constant__ settings) {
  __shared__ unsigned ticket;
  solveQueue<single, inShared, usual>(part, queue, settings, static_cast<int>(blockDim.x),
                                      dynamicShared(), &ticket);
}

using BatchKernelCall = void (*)(BatchPart, BatchQueue, batch::SmallSettings);

BatchKernelCall kernelFor(BatchShape const& shape) {
  if (!shape.usual)
    return shape.inShared ? &batchKernel<false, true, false> : &batchKernel<false, false, false>;
  if (!shape.inShared) return &batchKernel<false, false, true>;
  return shape.threads == 32 ? &batchKernel<true, true, true> : &batchKernel<false, true, true>;
}

}  // namespace

int batchBlocks(BatchShape const& shape, int multiprocessors) {
  return blocksAtATime(kernelFor(shape), shape.threads, shape.shared, multiprocessors);
}

void launchBatch(BatchShape const& shape, int blocks, BatchPart const& part,
                 BatchQueue const& queue, batch::SmallSettings const& settings,
                 cudaStream_t stream) {
  launch(
      {stream, static_cast<unsigned>(blocks), static_cast<unsigned>(shape.threads), shape.shared},
      kernelFor(shape), part, queue, settings);
}

}  // namespace osi_cuda::cuda
