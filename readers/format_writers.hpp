// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/exact_certificate.hpp"
#include "readers/lp_scanner.hpp"
#include "readers/output.hpp"
#include "readers/write.hpp"

/// One function for each kind of file; all throw WriteError as write does.
namespace osi_cuda::readers {

/// The line layout of an MPS file.
enum class MpsStyle { free, fixed };

WriteResult writeMps(Output& out, LinearProgram const& lp, MpsStyle style,
                     WriteOptions const& options);

/// One of the LP formats. Every column stands in the objective, if need be with the coefficient 0,
/// so that the order of the columns survives.
WriteResult writeLp(Output& out, LinearProgram const& lp, LpDialect dialect);

/// Arrays in a NumPy archive, stored: the matrix as A, by columns, where that takes no more bytes
/// than csc does, else as scipy.sparse.save_npz does. Names, integer marks, sense and offset only
/// where there are any.
WriteResult writeNpz(Output& out, LinearProgram const& lp);

/// See writeProof(). Throws for what the format has no statement for.
void writeVipr(Output& out, LinearProgram const& lp, ExactCertificate const& proof);

/// Whether that row has two different finite bounds.
bool hasTwoBounds(LinearProgram const& lp, int row);
/// The same problem without rows of two different bounds: such a row keeps its place, name and
/// upper bound, and one with the lower bound, NAME_low, follows it. Names are filled in where there
/// are none; two may be equal then. Without `freeRows` rows without bounds are left out.
LinearProgram withSplitRanges(LinearProgram const& lp, bool freeRows);

}  // namespace osi_cuda::readers
