// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>

#include "examples/response/conjugate_gradients.hpp"

namespace osi_cuda::response {

/// What the shared library ResponseDevice offers, by its one exported function. It is opened at run
/// time, so that the program starts where there is no driver, no device, or no such library. All
/// functions throw EngineUnavailable with one sentence when CUDA can't do what they ask.
struct DeviceModule {
  char const* version;  ///< of the project; another version's module is refused
  std::string (*deviceName)();
  std::unique_ptr<ManySolver> (*makeManySolver)(Csr<double> const&);
};

/// The module, opened at the first call and never closed; looked for as OSI_CUDA_ENGINE_PATH says
/// (a folder) or beside the program. Throws EngineUnavailable.
DeviceModule const& deviceModule();

/// Empty if a device can be used, otherwise the reason.
std::string whyNoDevice();

/// Whether to use the device, from auto, host or cuda. Throws EngineUnavailable for cuda where
/// there is none.
bool usesDevice(std::string const& choice);

}  // namespace osi_cuda::response
