// SPDX-License-Identifier: EPL-2.0
// The one door of the module.
#include "examples/shortest_path/device/device_array.cuh"
#include "examples/shortest_path/device/entries.hpp"

namespace osi_cuda::shortest_path::device {
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
  check(cudaGetDeviceProperties(&properties, 0));
  return properties.name;
}

constexpr DeviceModule module{OSI_CUDA_VERSION, &deviceName, &makeRelaxation, &wave, &runAnts};

}  // namespace
}  // namespace osi_cuda::shortest_path::device

extern "C" __attribute__((visibility("default"))) osi_cuda::shortest_path::DeviceModule const*
shortestPathDevice() {
  return &osi_cuda::shortest_path::device::module;
}
