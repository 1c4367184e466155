// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

namespace osi_cuda::cuda {

/// Gives out pieces of one allocation, each aligned to 16 bytes.
class Layout {
 public:
  template <class T>
  std::size_t take(std::size_t count) {
    std::size_t const place = used_;
    used_ += (count * sizeof(T) + 15) / 16 * 16;
    return place;
  }
  std::size_t bytes() const { return used_; }

 private:
  std::size_t used_ = 0;
};

}  // namespace osi_cuda::cuda
