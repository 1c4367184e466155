// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/double_double.hpp"

/// Pairs of doubles by the names that teams use.
namespace osi_cuda::batch {

using Pair = DoubleDouble;
using double_double::plainProduct;
using double_double::plainSum;
using double_double::quickTwoSum;
using double_double::twoProduct;
using double_double::twoSum;

OSI_CUDA_HD inline Pair combinePairs(Pair const& a, Pair const& b) {
  return a + b;
}

}  // namespace osi_cuda::batch
