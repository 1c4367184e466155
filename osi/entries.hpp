// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "CoinPackedMatrix.hpp"
#include "CoinPackedVectorBase.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda::osi {

/// Vectors of Osi's kinds as columns of one sparse matrix with `length` rows, each place once:
/// entries of one place are added up, and what is exactly zero then is left out.
class EntryList {
 public:
  /// `method` is what errors name.
  EntryList(int length, char const* method);

  /// Throws CoinError where an index is not in 0..length-1.
  void add(int count, int const* indices, double const* values);
  void add(CoinPackedVectorBase const& vector);
  SparseMatrix const& get() const { return list_; }

 private:
  SparseMatrix list_;
  std::vector<std::int64_t> place_;  // by index: where its entry is, if not before this vector
  char const* method_;
};

/// Whether a matrix without gaps has an entry of zero, or two in one place.
bool needsCleaning(CoinPackedMatrix const& matrix);

/// Rows that a problem lost and got since a solver took it over; new rows come last.
struct RowEdits {
  std::vector<int> gone;  ///< of the solver's rows, ascending
  SparseMatrix fresh{};   ///< new rows, as columns in which indices ascend
  int appendedFrom = 0;   ///< the solver's rows from this one on come last in every column

  bool any() const { return !gone.empty() || fresh.columns > 0; }
  /// `numbers`: of the problem's rows, ascending; `held`: how many the solver has.
  void remove(std::vector<int> const& numbers, int held);
  /// Branch and bound takes all cuts out between two nodes and puts most of them back. Lost rows at
  /// the end of the solver's matrix that are the first new ones in turn are kept instead, and leave
  /// both lists. Only rows from number appendedFrom on count. Returns how many are kept.
  int restore(SparseMatrix const& held);
};

}  // namespace osi_cuda::osi
