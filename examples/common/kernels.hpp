// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

namespace osi_cuda::examples {

/// Opens `file`, an example's shared library of CUDA kernels, never to be closed, and calls its
/// function `entry`, which returns a table whose first member has to say `interface`. A program
/// thus runs where there is no driver, no device, or no such library. The file is looked for where
/// the environment variable OSI_CUDA_EXAMPLES_PATH says (a folder), else beside the program and
/// where the system looks, never in the current directory. Throws EngineUnavailable.
void const* openKernels(std::string const& file, std::string const& entry,
                        std::string const& interface);

/// Empty if a device can be used; otherwise the message of the EngineUnavailable that `deviceName`
/// throws.
std::string whyNoDevice(std::string (*deviceName)());

}  // namespace osi_cuda::examples
