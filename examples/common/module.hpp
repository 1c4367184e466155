// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

namespace osi_cuda::examples {

/// Opens the shared library `file` (its kernels, beside the program or where OSI_CUDA_ENGINE_PATH
/// says), never to be closed, and calls its function `entry`, which returns the module's table. The
/// first member of a table must be the project's version. Throws EngineUnavailable with a sentence
/// if there is no such library, or if it belongs to another version.
void const* openModule(std::string const& file, std::string const& entry);

/// Empty if a device can be used; otherwise the sentence of the EngineUnavailable that `deviceName`
/// throws.
std::string whyNoDevice(std::string (*deviceName)());

}  // namespace osi_cuda::examples
