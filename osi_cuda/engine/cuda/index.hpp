// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "osi_cuda/base/host_device.hpp"

namespace osi_cuda::cuda {

/// A size or an index as memory counts.
OSI_CUDA_HD inline std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

}  // namespace osi_cuda::cuda
