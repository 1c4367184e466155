// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "readers/line_source.hpp"
#include "readers/mps_fields.hpp"
#include "readers/read.hpp"

namespace osi_cuda::readers {

/// Reads an MPS file line by line; docs/reference/formats.md says how each case is decided. Throws
/// ReadError and what the source throws.
ReadResult readMps(LineSource& source, MpsLayout layout, FreeRows freeRows,
                   OrderedSets orderedSets);

}  // namespace osi_cuda::readers
