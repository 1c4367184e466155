// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/edits.hpp"

namespace osi_cuda::osi {

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
