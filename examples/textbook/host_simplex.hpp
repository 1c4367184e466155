// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/textbook/first_tableau.hpp"

namespace osi_cuda::textbook {

/// The variants of the processor.
Outcome solveOnHost(FirstTableau const& first, Variant const& variant, Limits const& limits);

/// Seconds to copy so many bytes from one array to another, by one core or by all (allCores): a
/// pivot can't take less, as it reads and writes every entry.
double hostCopySeconds(double bytes, Drive drive);

}  // namespace osi_cuda::textbook
