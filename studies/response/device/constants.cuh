// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device_array.cuh"
#include "examples/response/integration.hpp"

namespace osi_cuda::response::device {

// The elements' tables, 41 kB in all, where a warp reads one word for all its threads at once.
__constant__ Reference<1> constantReference1;
__constant__ Reference<2> constantReference2;
__constant__ Reference<3> constantReference3;
__constant__ Reference<4> constantReference4;

template <int P>
__device__ Reference<P> const& constantReference() {
  if constexpr (P == 1)
    return constantReference1;
  else if constexpr (P == 2)
    return constantReference2;
  else if constexpr (P == 3)
    return constantReference3;
  else
    return constantReference4;
}

/// Into the constant memory that this translation unit has for itself.
inline void uploadReferences() {
  using examples::device::check;
  check(cudaMemcpyToSymbol(constantReference1, &reference<1>(), sizeof(Reference<1>)));
  check(cudaMemcpyToSymbol(constantReference2, &reference<2>(), sizeof(Reference<2>)));
  check(cudaMemcpyToSymbol(constantReference3, &reference<3>(), sizeof(Reference<3>)));
  check(cudaMemcpyToSymbol(constantReference4, &reference<4>(), sizeof(Reference<4>)));
}

}  // namespace osi_cuda::response::device
