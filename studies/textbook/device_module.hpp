// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "studies/textbook/first_tableau.hpp"

namespace osi_cuda::textbook {

/// What the shared library StudyTextbookDevice offers, by its one exported function. It is opened
/// at run time, so that the program starts where there is no driver, no device, or no such library.
/// All functions throw EngineUnavailable with one sentence when CUDA can't do what they ask.
struct DeviceModule {
  char const* version;  ///< of the project; another version's module is refused
  std::string (*deviceName)();
  Outcome (*simplex)(FirstTableau const&, Variant const&, Limits const&);
  /// Seconds to copy so many bytes from one array in device memory to another.
  double (*copySeconds)(double bytes);
};

/// What the files of device/ give to the module's table; only there.
namespace device {
Outcome simplex(FirstTableau const& first, Variant const& variant, Limits const& limits);
double copySeconds(double bytes);
}  // namespace device

/// The module, opened at the first call and never closed; looked for as OSI_CUDA_ENGINE_PATH says
/// (a folder) or beside the program. Throws EngineUnavailable.
DeviceModule const& deviceModule();

/// Empty if a device can be used, otherwise the reason.
std::string whyNoDevice();

}  // namespace osi_cuda::textbook
