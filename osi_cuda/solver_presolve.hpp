// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/options.hpp"

namespace osi_cuda {

/// Whether a presolve of a problem of that size and density takes less time than it saves, on a
/// device or on the host; the figures stand in docs/presolve.md.
bool presolvePays(LinearProgram const& lp, bool onDevice);

}  // namespace osi_cuda
