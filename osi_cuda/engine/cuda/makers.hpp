// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/batch/device_many.hpp"

/// What the module makes besides engines. Throws EngineUnavailable where there is no such device.
namespace osi_cuda::cuda {

/// The interior point method.
std::unique_ptr<Barrier> makeDeviceBarrier(BarrierOptions const& options);
/// Many problems at once.
std::unique_ptr<batch::DeviceMany> makeDeviceMany(int device);

}  // namespace osi_cuda::cuda
