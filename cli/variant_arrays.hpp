// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/variants.hpp"

namespace osi_cuda::cli {

/// Reads variants of `lp` from a NumPy archive, if the file at `path` is one; nothing: it is not.
/// Every array has the K variants for its first dimension:
///
///     c, lower, upper                K x n   costs and bounds of the columns
///     row_lower, row_upper, rhs      K x m   bounds of the rows; rhs as in the CSV file
///     names                          K       texts
///
/// NaN leaves the model's number, and so does one that is not there. One array at least is needed.
/// Throws readers::ReadError, which names the array, and readers::OpenError.
std::optional<Variants> readVariantArrays(std::string const& path, LinearProgram const& lp);

}  // namespace osi_cuda::cli
