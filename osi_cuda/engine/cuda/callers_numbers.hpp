// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/device_numbers.hpp"

namespace osi_cuda::cuda {

/// What osi_cuda/solve/from_device.hpp describes.
DeviceNumbers fetchNumbers(DeviceNumbers const& source, double* target);
int deviceOf(void const* address, void* stream);
void copyAcross(int device, void* target, void const* source, std::size_t bytes);

}  // namespace osi_cuda::cuda
