// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace osi_cuda {

/// Picks independent columns of a dense matrix, one after the other: LU with partial pivoting that
/// refuses a column of which the ones before leave next to nothing. Columns come in blocks, so that
/// those taken earlier are subtracted by products of matrices.
class DenseColumns {
 public:
  /// `least`: how much of a column has to be left, beside its size. `threads`: of BLAS, at most.
  DenseColumns(int rows, double least, int threads);

  /// `block`: rows x sizes.size(), by columns, overwritten; `sizes`: of each column, by its largest
  /// entry. Returns for each whether it is taken.
  std::vector<char> take(std::span<double> block, std::span<double const> sizes);

  int taken() const { return taken_; }
  bool hasPivot(int row) const { return positionOf_[static_cast<std::size_t>(row)] < taken_; }
  double operations() const { return operations_; }  ///< so far

 private:
  bool subtractTaken(double* block, int count);
  bool takeOne(double* block, int column, int count, int before, double size);
  void swapRows(double* block, int count, int a, int b);

  int const rows_, threads_;
  double const least_;
  int taken_ = 0;
  double operations_ = 0.0;
  std::unique_ptr<double[]> factor_;  ///< L, rows x rows by columns, of which `taken_` are there
  std::vector<int> rowAt_;            ///< by position: pivots first, in their order
  std::vector<int> positionOf_;       ///< by row
  std::vector<double> column_;
};

}  // namespace osi_cuda
