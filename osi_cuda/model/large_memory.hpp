// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace osi_cuda {

/// Makes room for `count` elements in all. A vector of many megabytes asks the system for large
/// pages: to be given a gigabyte in pages of 4 KiB takes longer than to parse what fills it.
template <class Value>
void reserveLarge(std::vector<Value>& values, std::size_t count);

/// Tells the system that these bytes, not used yet, will be.
void preferLargePages(void* place, std::size_t bytes);

template <class Value>
void reserveLarge(std::vector<Value>& values, std::size_t count) {
  if (count <= values.capacity()) return;
  std::vector<Value> larger;
  larger.reserve(count);
  preferLargePages(larger.data(), count * sizeof(Value));
  larger.insert(larger.end(), values.begin(), values.end());
  values = std::move(larger);
}

}  // namespace osi_cuda
