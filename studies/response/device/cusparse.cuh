// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cusparse.h>

#include <string>

#include "osi_cuda/errors.hpp"

namespace osi_cuda::response::device {

/// Throws EngineUnavailable with cuSPARSE's reason unless the call succeeded.
inline void checkSparse(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw EngineUnavailable(std::string("device: cuSPARSE: ") + cusparseGetErrorString(status));
}

}  // namespace osi_cuda::response::device
