// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace osi_cuda::factors {

/// LU of a dense square matrix by rows, in panels: L below the diagonal, ones on its own, U on and
/// above it. The pivot of a row is the largest entry in it, and columns are exchanged for it; a row
/// without one goes behind those that have theirs.
template <class Number>
class DenseLu {
 public:
  /// Zero: row() takes what is not.
  explicit DenseLu(std::size_t order);

  /// Where `stop` (may be empty) answers true, Interrupted is thrown.
  void eliminate(std::function<bool()> const& stop);

  /// The row in the i-th place, its columns in their places.
  Number* row(std::size_t i) { return values_.data() + rows[i] * order; }

  std::size_t const order;
  std::size_t pivots = order;              ///< the rows that come first have one each
  std::vector<std::size_t> rows, columns;  ///< by place: which of the matrix is there

 private:
  void subtract(std::size_t i, std::size_t first, std::size_t last);
  bool exchangeForPivot(std::size_t k);

  std::vector<Number> values_;  ///< rows where they were
};

}  // namespace osi_cuda::factors
