// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/device_module.hpp"

#include "examples/common/kernels.hpp"

namespace osi_cuda::shortest_path {

DeviceModule const& deviceModule() {
  // Tried again at the next call where this throws.
  static auto const& module = *static_cast<DeviceModule const*>(
      examples::openKernels("ShortestPathDevice.so", "shortestPathDevice", OSI_CUDA_INTERFACE));
  return module;
}

std::string executorOf(Place place) {
  return place == Place::host ? "host" : deviceModule().deviceName();
}

std::string whyNoDevice() {
  return examples::whyNoDevice([] { return executorOf(Place::device); });
}

}  // namespace osi_cuda::shortest_path
