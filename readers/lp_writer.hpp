// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "readers/lp_lexer.hpp"
#include "readers/output.hpp"
#include "readers/write.hpp"

namespace osi_cuda::readers {

/// Writes `lp` in one of the LP formats. Every column stands in the objective, if need be with the
/// coefficient 0, so that the order of the columns survives. Throws WriteError as write does.
WriteResult writeLp(Output& out, LinearProgram const& lp, LpDialect dialect);

}  // namespace osi_cuda::readers
