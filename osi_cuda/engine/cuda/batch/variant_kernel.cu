// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/batch/variant_kernel.hpp"

#include "osi_cuda/engine/cuda/batch/variant_queue.cuh"
#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/shared_memory.cuh"

namespace osi_cuda::cuda {
namespace {

/// As many registers as so many threads leave to each.
template <int mostThreads>
__global__ void __launch_bounds__(mostThreads)
    variantKernel(VariantPart const __grid_constant__ part,
                  batch::VariantSettings const __grid_constant__ settings) {
  __shared__ int ticket;
  solveVariantQueue(part, settings, static_cast<int>(blockDim.x), dynamicShared(), &ticket);
}

using VariantKernelCall = void (*)(VariantPart, batch::VariantSettings);

VariantKernelCall kernelFor(VariantShape const& shape) {
  return shape.threads > moreVariantThreads ? &variantKernel<mostVariantThreads>
                                            : &variantKernel<moreVariantThreads>;
}

constexpr int weightThreads = 256;

__global__ void rowWeightKernel(batch::VariantBase const __grid_constant__ base,
                                double* rowWeight) {
  int const i = static_cast<int>(blockIdx.x * weightThreads + threadIdx.x) / 32;
  if (i < base.rows) formRowWeight(base, i, rowWeight);
}
__global__ void columnWeightKernel(batch::VariantBase const __grid_constant__ base,
                                   double* columnWeight) {
  int const j = static_cast<int>(blockIdx.x * weightThreads + threadIdx.x);
  if (j < base.columns) formColumnWeight(base, j, columnWeight);
}

unsigned blocksFor(std::int64_t threads) {
  return static_cast<unsigned>((threads + weightThreads - 1) / weightThreads);
}

}  // namespace

int variantBlocks(VariantShape const& shape, int multiprocessors) {
  return blocksAtATime(kernelFor(shape), shape.threads, shape.shared, multiprocessors);
}

void launchVariants(VariantShape const& shape, int blocks, VariantPart const& part,
                    batch::VariantSettings const& settings, cudaStream_t stream) {
  launch(
      {stream, static_cast<unsigned>(blocks), static_cast<unsigned>(shape.threads), shape.shared},
      kernelFor(shape), part, settings);
}

void launchVariantWeights(batch::VariantBase const& base, double* rowWeight, double* columnWeight,
                          cudaStream_t stream) {
  launch({stream, blocksFor(std::int64_t{32} * base.rows), weightThreads}, &rowWeightKernel, base,
         rowWeight);
  launch({stream, blocksFor(base.columns), weightThreads}, &columnWeightKernel, base, columnWeight);
}

}  // namespace osi_cuda::cuda
