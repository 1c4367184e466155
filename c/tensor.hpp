// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "c/osi_cuda.h"

namespace osi_cuda::c {

/// A tensor without gaps in the memory of a CUDA device, which it keeps by `owner`; of doubles, or of
/// bytes.
osi_cuda_tensor* makeTensor(std::shared_ptr<void> owner, void* data, int device, bool doubles,
                            std::vector<std::int64_t> shape);

}  // namespace osi_cuda::c
