// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>

#include "examples/common/module.hpp"
#include "examples/response/conjugate_gradients.hpp"

namespace osi_cuda::response {

/// What the shared library ResponseDevice offers, by its one exported function.
struct DeviceTable {
  char const* version;  ///< of the project; another version's module is refused
  std::string (*deviceName)();
  std::unique_ptr<ManySolver> (*makeManySolver)(Csr const&);
};
inline constexpr examples::DeviceModule<DeviceTable> deviceModule{"ResponseDevice.so",
                                                                  "responseDevice"};

}  // namespace osi_cuda::response
