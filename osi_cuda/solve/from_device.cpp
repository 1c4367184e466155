// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/from_device.hpp"

#include "osi_cuda/engine/cuda_module.hpp"

namespace osi_cuda {

DeviceNumbers fetchFromDevice(DeviceNumbers const& source, double* target) {
  return cudaModule().fetchNumbers(source, target);
}

int deviceOf(void const* address, void* stream) {
  return cudaModule().deviceOf(address, stream);
}

void copyAcross(int device, void* target, void const* source, std::size_t bytes) {
  if (bytes > 0) cudaModule().copyAcross(device, target, source, bytes);
}

}  // namespace osi_cuda
