// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/cost/machine.hpp"
#include "osi_cuda/model/device_numbers.hpp"

/// What the module makes and does besides engines. Throws EngineUnavailable where there is no such
/// device.
namespace osi_cuda::cuda {

/// The interior point method.
std::unique_ptr<Barrier> makeDeviceBarrier(BarrierOptions const& options);
/// Many problems at once.
std::unique_ptr<batch::DeviceMany> makeDeviceMany(int device);
/// Its rates but for the opening, in a second or two; `order`: of the matrices that are multiplied.
DeviceRates measureDevice(int device, int order);

/// What osi_cuda/solve/engines.hpp describes.
DeviceNumbers fetchNumbers(DeviceNumbers const& source, double* target);
int deviceOf(void const* address, void* stream);
void copyAcross(int device, void* target, void const* source, std::size_t bytes);

}  // namespace osi_cuda::cuda
