// SPDX-License-Identifier: EPL-2.0
// The one door of the module.
#include "examples/common/device_array.cuh"
#include "examples/response/device/entries.hpp"

namespace osi_cuda::response::device {
namespace {

int deviceCount() {
  int count = 0;
  examples::device::check(cudaGetDeviceCount(&count));
  return count;
}

constexpr DeviceModule module{OSI_CUDA_VERSION,
                              &examples::device::deviceName,
                              &deviceCount,
                              &makeManySolver,
                              &sweepOnDevice,
                              &sweepOnTwoDevices,
                              &makeFem,
                              &timeProductsInDouble,
                              &timeProductsInSingle,
                              &timeManyProducts,
                              &makePart};

}  // namespace
}  // namespace osi_cuda::response::device

extern "C" __attribute__((visibility("default"))) osi_cuda::response::DeviceModule const*
responseDevice() {
  return &osi_cuda::response::device::module;
}
