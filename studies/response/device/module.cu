// SPDX-License-Identifier: EPL-2.0
// What the module exports.
#include "examples/common/device_array.cuh"
#include "studies/response/device/entries.hpp"

namespace osi_cuda::response::device {
namespace {

int deviceCount() {
  int count = 0;
  examples::device::check(cudaGetDeviceCount(&count));
  return count;
}

constexpr Kernels module{OSI_CUDA_VERSION,      &examples::device::deviceName,
                         &deviceCount,          &sweepOnDevice,
                         &sweepOnTwoDevices,    &makeFem,
                         &timeProductsInDouble, &timeProductsInSingle,
                         &timeManyProducts};

}  // namespace
}  // namespace osi_cuda::response::device

extern "C" __attribute__((visibility("default"))) osi_cuda::response::Kernels const*
studyResponseDevice() {
  return &osi_cuda::response::device::module;
}
