// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace osi_cuda::factors {

/// Lines in lists by their number of entries.
class CountLists {
 public:
  CountLists(int lines, int counts)
      : head_(static_cast<std::size_t>(counts) + 1, -1),
        next_(static_cast<std::size_t>(lines), -1),
        previous_(static_cast<std::size_t>(lines), -1),
        count_(static_cast<std::size_t>(lines), -1) {}

  int first(int count) const { return head_[static_cast<std::size_t>(count)]; }
  int after(int line) const { return next_[static_cast<std::size_t>(line)]; }

  void remove(int line) {
    auto const l = static_cast<std::size_t>(line);
    if (count_[l] < 0) return;
    if (next_[l] >= 0) previous_[static_cast<std::size_t>(next_[l])] = previous_[l];
    if (previous_[l] >= 0)
      next_[static_cast<std::size_t>(previous_[l])] = next_[l];
    else
      head_[static_cast<std::size_t>(count_[l])] = next_[l];
    count_[l] = -1;
  }
  void place(int line, std::size_t count) {
    remove(line);
    auto const l = static_cast<std::size_t>(line);
    count_[l] = static_cast<int>(count);
    previous_[l] = -1;
    next_[l] = head_[count];
    if (next_[l] >= 0) previous_[static_cast<std::size_t>(next_[l])] = line;
    head_[count] = line;
  }

 private:
  std::vector<int> head_, next_, previous_, count_;
};

}  // namespace osi_cuda::factors
