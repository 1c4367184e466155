// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

namespace osi_cuda::response {

/// A sparse matrix by rows, the columns of a row rising.
struct Csr {
  int rows = 0, columns = 0;
  std::vector<int> start{0}, column;
  std::vector<double> value;

  int nonzeros() const { return start.back(); }
  /// Where row i has column j, or -1.
  int find(int i, int j) const;
  void multiply(double const* x, double* y) const;  ///< y = A x, all cores
};

}  // namespace osi_cuda::response
