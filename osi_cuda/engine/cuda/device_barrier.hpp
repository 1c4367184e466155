// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "osi_cuda/barrier/barrier.hpp"

namespace osi_cuda::cuda {

/// The interior point method on a CUDA device. Throws EngineUnavailable where there is none.
std::unique_ptr<Barrier> makeDeviceBarrier(BarrierOptions const& options);

}  // namespace osi_cuda::cuda
