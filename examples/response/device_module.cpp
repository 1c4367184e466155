// SPDX-License-Identifier: EPL-2.0
#include "examples/response/device_module.hpp"

#include "examples/common/module.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::response {

DeviceModule const& deviceModule() {
  // Tried again at the next call where this throws.
  static auto const& module = *static_cast<DeviceModule const*>(
      examples::openModule("ResponseDevice.so", "responseDevice"));
  return module;
}

std::string whyNoDevice() {
  return examples::whyNoDevice([] { return deviceModule().deviceName(); });
}

bool usesDevice(std::string const& choice) {
  if (choice == "host") return false;
  std::string const reason = whyNoDevice();
  if (!reason.empty() && choice == "cuda") throw EngineUnavailable(reason);
  return reason.empty();
}

}  // namespace osi_cuda::response
