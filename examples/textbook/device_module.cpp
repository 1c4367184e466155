// SPDX-License-Identifier: EPL-2.0
#include "examples/textbook/device_module.hpp"

#include "examples/common/kernels.hpp"

namespace osi_cuda::textbook {

DeviceModule const& deviceModule() {
  // Tried again at the next call where this throws.
  static auto const& module = *static_cast<DeviceModule const*>(
      examples::openKernels("TextbookDevice.so", "textbookDevice", OSI_CUDA_INTERFACE));
  return module;
}

std::string whyNoDevice() {
  return examples::whyNoDevice([] { return deviceModule().deviceName(); });
}

}  // namespace osi_cuda::textbook
