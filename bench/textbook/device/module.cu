// SPDX-License-Identifier: EPL-2.0
// The one door of the module.
#include "bench/textbook/device_module.hpp"
#include "examples/shortest_path/device/device_array.cuh"

namespace osi_cuda::textbook::device {
namespace {

std::string deviceName() {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    throw EngineUnavailable(std::string("device: no usable CUDA device (") +
                            cudaGetErrorString(status) + ")");
  }
  cudaDeviceProp properties{};
  shortest_path::device::check(cudaGetDeviceProperties(&properties, 0));
  return properties.name;
}

constexpr DeviceModule module{OSI_CUDA_VERSION, &deviceName, &simplex,
                              &copySeconds,     &product,    &peak};

}  // namespace
}  // namespace osi_cuda::textbook::device

extern "C" __attribute__((visibility("default"))) osi_cuda::textbook::DeviceModule const*
textbookDevice() {
  return &osi_cuda::textbook::device::module;
}
