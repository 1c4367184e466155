// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "osi_cuda/engine/cuda/views.hpp"

namespace osi_cuda::cuda {

/// Allows pivot kernels `bytes` of shared memory on the present device.
void allowShared(std::size_t bytes);

/// Starts one launch of pivots: k of them may be in use already, messages are counted from `next`
/// on. `team` has its places in `shared` bytes of shared memory. The report is written to memory
/// that the device reaches.
void launchPivots(TableauView const& tableau, TeamView const& team, std::size_t shared,
                  PivotRequest const& request, int used, Counters next, LaunchReport* report,
                  cudaStream_t stream);

}  // namespace osi_cuda::cuda
