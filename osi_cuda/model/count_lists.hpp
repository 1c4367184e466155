// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda {

/// Lines in doubly linked lists by their number of entries, for the choice of pivots (Suhl and Suhl
/// 1990).
class CountLists {
 public:
  CountLists(int lines, int counts)
      : head_(at(counts) + 1, -1),
        next_(at(lines), -1),
        previous_(at(lines), -1),
        count_(at(lines), -1) {}

  int first(int count) const { return head_[at(count)]; }
  int after(int line) const { return next_[at(line)]; }
  int largest() const { return static_cast<int>(head_.size()) - 1; }
  int countOf(int line) const { return count_[at(line)]; }  ///< -1: it is in no list

  void remove(int line) {
    auto const l = at(line);
    if (count_[l] < 0) return;
    if (next_[l] >= 0) previous_[at(next_[l])] = previous_[l];
    if (previous_[l] >= 0)
      next_[at(previous_[l])] = next_[l];
    else
      head_[at(count_[l])] = next_[l];
    count_[l] = -1;
  }
  void place(int line, std::size_t count) {
    remove(line);
    auto const l = at(line);
    count_[l] = static_cast<int>(count);
    previous_[l] = -1;
    next_[l] = head_[count];
    if (next_[l] >= 0) previous_[at(next_[l])] = line;
    head_[count] = line;
  }

 private:
  std::vector<int> head_, next_, previous_, count_;
};

}  // namespace osi_cuda
