// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/analysis/ranging.hpp"

namespace osi_cuda::cli {

/// A ranging of `lp` as docs/guide/analysis.md describes its files, in the format that the name's
/// ending says: .json, .csv, and text for all others. Bounds that there are not are left out.
std::string rangingText(LinearProgram const& lp, Ranging const& ranging, std::string const& path);

}  // namespace osi_cuda::cli
