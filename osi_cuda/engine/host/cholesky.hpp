// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>

/// Parts of Cholesky factors in blocks, by BLAS or, where they are small, without it. Matrices are
/// stored by columns, of symmetric ones the lower triangle. `pause` is called at least every
/// tenth of a second or so of work; what it throws passes through.
namespace osi_cuda::host {

/// The first `count` columns of the factor L of a symmetric matrix of order `rows` at `a`, in place
/// of its own. False where there is none.
bool factorColumns(double* a, int rows, int count, std::function<void()> const& pause);

/// Adds alpha X X(first `width` rows)' to the lower trapezoid of height x width at `to`; X has
/// height x depth.
void addProduct(double alpha, double const* x, int stride, int height, int width, int depth,
                double* to, int toStride, std::function<void()> const& pause);

}  // namespace osi_cuda::host
