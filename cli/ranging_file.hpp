// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/analysis/ranging.hpp"

namespace osi_cuda::cli {

enum class RangingFormat { text, json, csv };

/// By the ending: .json, .csv, and text for all others.
RangingFormat rangingFormatForName(std::string const& path);

/// A ranging of `lp` as docs/guide/analysis.md describes its files. Bounds that there are not are
/// left out.
std::string rangingText(LinearProgram const& lp, Ranging const& ranging, RangingFormat format);

}  // namespace osi_cuda::cli
