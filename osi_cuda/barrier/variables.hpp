// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/barrier/view.hpp"
#include "osi_cuda/host_device.hpp"

/// Which bounds a variable has.
namespace osi_cuda::barrier {

OSI_CUDA_HD inline bool lowerBounded(View const& v, int k) {
  return (v.kind[k] & hasLower) != 0;
}
OSI_CUDA_HD inline bool upperBounded(View const& v, int k) {
  return (v.kind[k] & hasUpper) != 0;
}
OSI_CUDA_HD inline bool fixedVariable(View const& v, int k) {
  return v.kind[k] == isFixed;
}

}  // namespace osi_cuda::barrier
