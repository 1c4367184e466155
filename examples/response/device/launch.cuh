// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device_array.cuh"

namespace osi_cuda::response::device {

/// Starts a kernel with a thread for each of `count` things. Tests run it without a device, with
/// OSI_CUDA_EMULATED, where kernels are ordinary functions.
template <class... Parameters, class... Arguments>
void launchOver(cudaStream_t stream, std::size_t count, void (*kernel)(Parameters...),
                Arguments... arguments) {
  if (count == 0) return;
  constexpr unsigned threads = 128;
  unsigned const blocks = examples::device::blocksFor(count, threads);
#ifdef OSI_CUDA_EMULATED
  examples::device::check(emulated::start(stream, dim3(blocks), dim3(threads), 0,
                                          emulated::Blocks::oneByOne,
                                          [=] { kernel(arguments...); }));
#else
  kernel<<<blocks, threads, 0, stream>>>(arguments...);
  examples::device::check(cudaGetLastError());
#endif
}

}  // namespace osi_cuda::response::device
