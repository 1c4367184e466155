// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// A dense LP: max c'x, A x <= b, x >= 0 with entries of A uniform in [-1, 1), m rows, n columns,
/// and an interior point and a dual interior point by construction, so that an optimum exists.
/// With `origin` the slack basis is primal feasible, otherwise neither primal nor dual feasible.
LinearProgram denseLp(int rows, int columns, std::uint64_t seed, bool origin);

/// A dense LP of entries uniform in [0, 1) and ones: max sum x, A x <= n, or min sum x, A x >= n
/// where it is `covering`; x >= 0. All good points cost nearly the same.
LinearProgram positiveLp(int rows, int columns, std::uint64_t seed, bool covering);

/// A sparse LP with about `perColumn` entries a column over two decades, boxed, free, fixed and
/// one-sided variables, equality rows and ranges; feasible and bounded by construction.
LinearProgram sparseLp(int rows, int columns, int perColumn, std::uint64_t seed);

}  // namespace osi_cuda::testing
