// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <future>

namespace osi_cuda::cli {

/// Begins, on a thread of its own, what takes NVIDIA's driver some tenths of a second before a
/// device can be used: it is started and the device's context is made, the very one that the CUDA
/// runtime will use. Meanwhile the CUDA module with its libraries can be loaded. Where there is no
/// driver or no such device, nothing happens; who asks for an engine hears of it. The context stays
/// until the process ends.
std::future<void> wakeCudaDriver(int device);

}  // namespace osi_cuda::cli
