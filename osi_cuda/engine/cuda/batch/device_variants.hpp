// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "osi_cuda/batch/device_variants.hpp"

namespace osi_cuda::cuda {

/// Throws EngineUnavailable where there is no such device.
std::unique_ptr<batch::DeviceVariants> makeDeviceVariants(int device);

}  // namespace osi_cuda::cuda
