// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "readers/line_source.hpp"
#include "readers/mps_fields.hpp"
#include "readers/read.hpp"

namespace osi_cuda::readers {

/// Read the text formats; docs/reference/formats.md says how each case is decided. Throw ReadError
/// and what the source throws.
ReadResult readMps(LineSource& source, MpsLayout layout, FreeRows freeRows,
                   OrderedSets orderedSets);
ReadResult readCplexLp(LineSource& source, ReadOptions const& options);
ReadResult readLpSolveLp(LineSource& source, ReadOptions const& options);

}  // namespace osi_cuda::readers
