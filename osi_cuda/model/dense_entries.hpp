// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda {

/// Entries of a matrix without the zeros of a DenseArray.
std::int64_t countNonzeros(SparseMatrix const& matrix);

/// The numbers of a dense matrix, some of which are zero, on their way to a SparseMatrix. They are
/// read in tiles that stay in the first cache whichever way the matrix lies.
class DenseEntries {
 public:
  /// Calls part(k) for k = 0 ... count - 1, in any order; `part` throws nothing.
  using Loop =
      std::function<void(std::int64_t count, std::function<void(std::int64_t)> const& part)>;

  /// rows x columns numbers, entry (i, j) at numbers[i rowStep + j columnStep], which must outlive
  /// the object. Counts those that are not zero; without a `loop` by this thread.
  DenseEntries(int rows, int columns, double const* numbers, std::int64_t rowStep,
               std::int64_t columnStep, Loop loop = {});

  /// Without zeros an entry takes 12 bytes, with its row; in an array of all entries 8.
  bool fitsArray() const {
    return starts_.back() > 0 && 3 * starts_.back() >= 2 * std::int64_t{rows_} * columns_;
  }
  SparseMatrix nonzeros() const;
  /// All entries, on a DenseArray of its own, by columns.
  SparseMatrix copy() const;

 private:
  template <class Visit>
  void visit(Visit const& visit) const;

  int rows_, columns_;
  double const* numbers_;
  std::int64_t rowStep_, columnStep_;
  Loop loop_;
  std::vector<std::int64_t> starts_;  ///< of the columns of nonzeros()
};

}  // namespace osi_cuda
