// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::readers {

/// The members of special ordered sets as a file has them, one set after the other.
class SetMembers {
 public:
  /// A member of the last set; false: it was one already. Columns may be fewer than in the end.
  bool add(LinearProgram& lp, int column, double weight) {
    lastSet_.resize(lp.objective.size());
    std::size_t& last = lastSet_[at(column)];
    if (last == lp.choices.sets.size()) return false;
    last = lp.choices.sets.size();
    lp.choices.sets.back().columns.push_back(column);
    lp.choices.sets.back().weights.push_back(weight);
    return true;
  }

 private:
  std::vector<std::size_t> lastSet_;  // per column: the last set that has it, counted from 1
};

}  // namespace osi_cuda::readers
