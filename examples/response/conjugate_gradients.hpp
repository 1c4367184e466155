// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <vector>

#include "examples/response/csr.hpp"

namespace osi_cuda::response {

/// What came of solving A X = B, B and X with `width` columns, row by row.
struct ManySolved {
  std::vector<double> x;
  int iterations = 0;     ///< of the column that took most
  double residual = 0.0;  ///< the largest |b - A x| / |b| over the columns, formed anew
  double seconds = 0.0;   ///< of the iterations, data in place
};

/// Conjugate gradients (Hestenes and Stiefel 1952) with Jacobi's preconditioner for all columns at
/// once: each has its own step lengths, and they share the passes over the matrix, which is
/// symmetric and positive definite. Kept for many solves with one matrix.
class ManySolver {
 public:
  virtual ~ManySolver() = default;
  /// Until each column's residual, as updated, is at most `tolerance` |b|, or for `mostIterations`.
  virtual ManySolved solve(std::vector<double> const& b, int width, double tolerance,
                           int mostIterations) = 0;
};

/// sum over rows i of a[i, c] b[i, c] for each column c; the same to the bit for any number of
/// threads.
std::vector<double> dots(std::vector<double> const& a, std::vector<double> const& b, int rows,
                         int width);

/// On all cores of the host. `matrix` must outlive it.
std::unique_ptr<ManySolver> hostManySolver(Csr const& matrix);

}  // namespace osi_cuda::response
