// SPDX-License-Identifier: EPL-2.0
#include "studies/textbook/device_module.hpp"

#include "examples/common/module.hpp"

namespace osi_cuda::textbook {

DeviceModule const& deviceModule() {
  // Tried again at the next call where this throws.
  static auto const& module = *static_cast<DeviceModule const*>(
      examples::openModule("StudyTextbookDevice.so", "studyTextbookDevice"));
  return module;
}

std::string whyNoDevice() {
  return examples::whyNoDevice([] { return deviceModule().deviceName(); });
}

}  // namespace osi_cuda::textbook
