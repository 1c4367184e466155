// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "osi_cuda/model/device_numbers.hpp"

namespace osi_cuda::cuda {

/// What osi_cuda/from_device.hpp describes: the numbers on the host, and, as long as the result
/// lives, a Residence that says where they lie on their device.
std::shared_ptr<void const> fetchNumbers(DeviceNumbers const& source, double* target);

}  // namespace osi_cuda::cuda
