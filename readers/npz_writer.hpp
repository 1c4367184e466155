// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "readers/output.hpp"
#include "readers/write.hpp"

namespace osi_cuda::readers {

/// Writes a model as arrays in a NumPy archive, stored: the matrix as A, by columns, where that
/// takes no more bytes than csc does, else as scipy.sparse.save_npz does. Names, integer marks,
/// sense and offset only where there are any. Throws WriteError.
WriteResult writeNpz(Output& out, LinearProgram const& lp);

}  // namespace osi_cuda::readers
