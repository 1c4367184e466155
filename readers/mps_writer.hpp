// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "readers/output.hpp"
#include "readers/write.hpp"

namespace osi_cuda::readers {

/// The line layout of an MPS file.
enum class MpsStyle { free, fixed };

/// Writes `lp` as MPS; throws WriteError as write does.
WriteResult writeMps(Output& out, LinearProgram const& lp, MpsStyle style,
                     WriteOptions const& options);

}  // namespace osi_cuda::readers
