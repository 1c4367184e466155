// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device_array.cuh"

namespace osi_cuda::response::device {

/// Starts a kernel whose blocks have nothing to do with each other. Tests run it without a device,
/// with OSI_CUDA_EMULATED, where kernels are ordinary functions.
template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, dim3 blocks, unsigned threads, void (*kernel)(Parameters...),
            Arguments... arguments) {
#ifdef OSI_CUDA_EMULATED
  examples::device::check(emulated::start(
      stream, blocks, dim3(threads), 0, emulated::Blocks::oneByOne, [=] { kernel(arguments...); }));
#else
  kernel<<<blocks, threads, 0, stream>>>(arguments...);
  examples::device::check(cudaGetLastError());
#endif
}

}  // namespace osi_cuda::response::device
