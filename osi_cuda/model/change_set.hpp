// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace osi_cuda {

/// Which of many numbered things have changed since somebody took note: their numbers, or all.
class ChangeSet {
 public:
  static ChangeSet all() {
    ChangeSet everything;
    everything.all_ = true;
    return everything;
  }
  /// Where there are many, a pass over all things costs no more.
  void add(int number) {
    constexpr std::size_t many = 4096;
    if (numbers_.size() == many) *this = all();
    if (!all_) numbers_.push_back(number);
  }
  /// The things have other numbers now.
  void renumber() {
    if (any()) *this = all();
  }
  bool any() const { return all_ || !numbers_.empty(); }
  void clear() { *this = {}; }

  /// f(number) for what has changed among `count` things; some may come more than once.
  template <class F>
  void each(int count, F f) const {
    if (!all_)
      for (int const number : numbers_) f(number);
    else
      for (int number = 0; number < count; ++number) f(number);
  }

 private:
  std::vector<int> numbers_;
  bool all_ = false;
};

}  // namespace osi_cuda
