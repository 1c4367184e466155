// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace osi_cuda::readers {

/// Positions by name, for files that speak of an existing model.
class NameIndex {
 public:
  static constexpr int absent = -1;

  /// Of names 0 ... count - 1, where nameOf(i) is the name of i. Of equal names the first counts.
  template <class NameOf>
  NameIndex(int count, NameOf nameOf) {
    names_.reserve(count);
    positions_.reserve(count);
    for (int i = 0; i < count; ++i) names_.push_back(nameOf(i));
    for (int i = 0; i < count; ++i) positions_.emplace(names_[i], i);
  }
  NameIndex(NameIndex const&) = delete;
  NameIndex& operator=(NameIndex const&) = delete;

  int find(std::string_view name) const {
    auto const found = positions_.find(name);
    return found == positions_.end() ? absent : found->second;
  }

 private:
  std::vector<std::string> names_;  // what the keys view
  std::unordered_map<std::string_view, int> positions_;
};

}  // namespace osi_cuda::readers
