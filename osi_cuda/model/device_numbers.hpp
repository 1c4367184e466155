// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

namespace osi_cuda {

/// Numbers of the caller's that lie one behind the other in the memory of a CUDA device.
struct DeviceNumbers {
  double const* numbers = nullptr;  ///< an address there
  std::size_t count = 0;
  int device = 0;          ///< its number
  void* stream = nullptr;  ///< the cudaStream_t in whose order they are written; null: the default
};

}  // namespace osi_cuda
