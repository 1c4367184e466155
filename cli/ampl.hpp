// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

namespace osi_cuda::cli {

/// AMPL and its kin call a solver as `osi-cuda STUB -AMPL NAME=VALUE ...`, and `osi-cuda -v` to
/// learn its version: those words as the program's own, `ampl STUB NAME=VALUE ...` and `--version`.
/// All others as they are.
std::vector<std::string> withoutAmplFlag(int count, char const* const* words);

}  // namespace osi_cuda::cli
