// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <stdexcept>

namespace osi_cuda::response {

/// Calls `work.operator()<P>()` with P = degree, 1 to 4.
template <class Work>
void withDegree(int degree, Work const& work) {
  switch (degree) {
    case 1:
      return work.template operator()<1>();
    case 2:
      return work.template operator()<2>();
    case 3:
      return work.template operator()<3>();
    case 4:
      return work.template operator()<4>();
    default:
      throw std::logic_error("degrees go from 1 to 4");
  }
}

}  // namespace osi_cuda::response
