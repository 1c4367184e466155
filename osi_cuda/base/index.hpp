// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "osi_cuda/base/host_device.hpp"

namespace osi_cuda {

/// The number of a row, column, variable or entry as a place in a container.
OSI_CUDA_HD constexpr std::size_t at(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

}  // namespace osi_cuda
