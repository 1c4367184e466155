// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

namespace osi_cuda::cuda {

/// Whether machine code for one of these cards ("75 86") runs on a card of this compute capability:
/// it does on the same and on later ones of the same major number.
bool hasMachineCode(std::string const& cards, int major, int minor);

/// A sentence where the first kernels on this device wait until the driver has translated the
/// module's PTX; empty where there is machine code, or where its cache may have the translation.
/// Throws EngineUnavailable.
std::string translation(int device);

}  // namespace osi_cuda::cuda
