// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::readers {

/// The same problem without rows of two different bounds: such a row keeps its place, name and
/// upper bound, and one with the lower bound, NAME_low, follows it. Names are filled in where there
/// are none; two may be equal then.
LinearProgram withSplitRanges(LinearProgram const& lp);

}  // namespace osi_cuda::readers
