// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "osi_cuda/batch/device_many.hpp"

namespace osi_cuda::cuda {

/// Throws EngineUnavailable where there is no such device.
std::unique_ptr<batch::DeviceMany> makeDeviceMany(int device);

}  // namespace osi_cuda::cuda
