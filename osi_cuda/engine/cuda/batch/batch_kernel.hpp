// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "osi_cuda/engine/cuda/batch/batch_part.hpp"

namespace osi_cuda::cuda {

/// Threads of a block at most.
inline constexpr int mostBatchThreads = 512;

/// How a queue of problems is solved.
struct BatchShape {
  int threads = 32;
  bool inShared = true;    ///< the tableau lies in shared memory
  bool usual = true;       ///< exact weights
  std::size_t shared = 0;  ///< bytes
};

/// Blocks of that shape that the device works on at a time.
int batchBlocks(BatchShape const& shape, int multiprocessors);

void launchBatch(BatchShape const& shape, int blocks, BatchPart const& part,
                 BatchQueue const& queue, batch::SmallSettings const& settings,
                 cudaStream_t stream);

}  // namespace osi_cuda::cuda
