// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "osi_cuda/engine/cuda/batch/variant_part.hpp"

namespace osi_cuda::cuda {

/// Blocks that the device works on at a time.
int variantBlocks(VariantShape const& shape, int multiprocessors);

void launchVariants(VariantShape const& shape, int blocks, VariantPart const& part,
                    batch::VariantSettings const& settings, cudaStream_t stream);

/// Fills the weights that `base` is going to have.
void launchVariantWeights(batch::VariantBase const& base, double* rowWeight, double* columnWeight,
                          cudaStream_t stream);

}  // namespace osi_cuda::cuda
