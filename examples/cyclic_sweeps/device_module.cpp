// SPDX-License-Identifier: EPL-2.0
#include "examples/cyclic_sweeps/device_module.hpp"

#include "examples/common/kernels.hpp"

namespace osi_cuda::cyclic_sweeps {

DeviceModule const& deviceModule() {
  static auto const* const table = static_cast<DeviceModule const*>(
      examples::openKernels("CyclicSweepsDevice.so", "cyclicSweepsDevice", OSI_CUDA_INTERFACE));
  return *table;
}

std::string whyNoDevice() {
  return examples::whyNoDevice([] { return deviceModule().deviceName(); });
}

}  // namespace osi_cuda::cyclic_sweeps
