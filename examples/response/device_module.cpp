// SPDX-License-Identifier: EPL-2.0
#include "examples/response/device_module.hpp"

#include "examples/common/kernels.hpp"
#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::response {

DeviceModule const& deviceModule() {
  static auto const* const table = static_cast<DeviceModule const*>(
      examples::openKernels("ResponseDevice.so", "responseDevice", OSI_CUDA_INTERFACE));
  return *table;
}

std::string whyNoDevice() {
  return examples::whyNoDevice([] { return deviceModule().deviceName(); });
}

bool usesDevice(std::string const& choice) {
  if (choice == "host") return false;
  std::string const why = whyNoDevice();
  if (choice == "cuda" && !why.empty()) throw EngineUnavailable(why);
  return why.empty();
}

}  // namespace osi_cuda::response
