// SPDX-License-Identifier: EPL-2.0
#include "bench/textbook/device_module.hpp"

#include "examples/common/module.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::textbook {

DeviceModule const& deviceModule() {
  // Tried again at the next call where this throws.
  static auto const& module = *static_cast<DeviceModule const*>(
      examples::openModule("TextbookDevice.so", "textbookDevice"));
  return module;
}

std::string whyNoDevice() {
  try {
    deviceModule().deviceName();
    return "";
  } catch (EngineUnavailable const& error) {
    return error.what();
  }
}

}  // namespace osi_cuda::textbook
