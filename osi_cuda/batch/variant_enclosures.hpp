// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>

#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/batch/variants.hpp"

namespace osi_cuda::batch {

/// Fills results.enclosure of `answers`, by several threads, until `stop`.
void enclose(LinearProgram const& lp, BatchVariants const& variants, int threads,
             std::atomic<bool> const& stop, BatchTargets const& answers, BatchResults& results);

}  // namespace osi_cuda::batch
