// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "osi_cuda/engine/cuda/device_tableau.hpp"

namespace osi_cuda::cuda {

/// Fills team.places; returns the bytes of shared memory that a block needs.
std::size_t placeShared(TableauView const& tableau, TeamView& team, Algorithm algorithm);

/// Allows pivot kernels `bytes` of shared memory on the present device.
void allowShared(std::size_t bytes);

/// Starts one launch of pivots: k of them may be in use already, messages are counted from `next`
/// on. The report is written to memory that the device reaches.
void launchPivots(TableauView const& tableau, TeamView const& team, PivotRequest const& request,
                  int used, Counters next, LaunchReport* report, cudaStream_t stream);

}  // namespace osi_cuda::cuda
