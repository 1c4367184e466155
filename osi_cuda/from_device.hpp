// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "osi_cuda/model/device_numbers.hpp"

namespace osi_cuda {

/// Copies numbers from a device's memory to `target` on the host, once the stream has come to them.
/// As long as what is returned lives, an engine on the same device that is given a dense matrix at
/// `target` uses the numbers where they lie on the device, without an upload and without a copy of
/// them: until then neither may change, and both have to stay where they are.
///
/// Throws EngineUnavailable where there is no module, driver or device, and std::invalid_argument
/// where `source` is no address of a device's memory.
std::shared_ptr<void const> fetchFromDevice(DeviceNumbers const& source, double* target);

}  // namespace osi_cuda
