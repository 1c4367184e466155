// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/response/fem.hpp"
#include "examples/response/space.hpp"

namespace osi_cuda::response {

FemProblem femProblemOf(Space const& space);
/// The matrix is symmetric.
Csr csrOf(SparseMatrix const& matrix);
/// With the diagonal of the fixed degrees of freedom 0.
Csr withoutFixed(Csr matrix, Space const& space);

}  // namespace osi_cuda::response
