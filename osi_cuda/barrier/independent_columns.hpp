// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace osi_cuda {

/// Picks independent columns of a sparse matrix, one after the other: a left-looking LU
/// factorisation (Gilbert and Peierls 1988) that refuses a column of which the ones before leave
/// nothing.
class IndependentColumns {
 public:
  explicit IndependentColumns(int rows);

  /// What has to be left of a column, beside its largest entry, by those that were taken before: a
  /// basis of less is too near to singular for its tableau to be of use. With 1e-3 the basis of
  /// pilot87 had a condition of 2e16 and 57955 pivots followed on an H200, with 0.1 175.
  static constexpr double least = 0.1;

  /// Whether the column is well independent of those taken so far; then it is taken.
  bool take(std::span<int const> indices, std::span<double const> values);

  /// What those taken so far leave of a column: `rest` by row, zero on entry, where no column has
  /// its pivot yet. Returns the column's largest entry.
  double reduce(std::span<int const> indices, std::span<double const> values,
                std::span<double> rest);

  int taken() const { return static_cast<int>(pivotRow_.size()); }
  bool hasPivot(int row) const { return pivotOf_[static_cast<std::size_t>(row)] >= 0; }
  std::int64_t operations() const { return operations_; }  ///< so far

 private:
  double load(std::span<int const> indices, std::span<double const> values);
  void clear();
  void eliminate();
  int choosePivot(double largest) const;

  std::vector<int> pivotOf_;   ///< by row: the number of the column whose pivot it is, or -1
  std::vector<int> pivotRow_;  ///< by column taken
  std::vector<std::size_t> starts_{0};  ///< of the columns of L, without their diagonal of ones
  std::vector<int> indices_;
  std::vector<double> values_;
  std::vector<int> lengths_;   ///< entries of each row of L: short ones make good pivots
  std::vector<double> work_;   ///< the column at work, by row
  std::vector<char> touched_;  ///< rows of it
  std::vector<int> pattern_;   ///< the same as a list
  std::vector<int> pending_;   ///< a heap: columns of L that have to be subtracted yet
  std::int64_t operations_ = 0;
};

}  // namespace osi_cuda
