// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::cuda {

/// The shared memory that a block of the present launch was given, aligned to 16 bytes.
__device__ inline char* dynamicShared() {
#ifndef OSI_CUDA_EMULATED
  extern __shared__ double2 memory[];
  return reinterpret_cast<char*>(memory);
#else
  return emulated::sharedMemory();
#endif
}

}  // namespace osi_cuda::cuda
