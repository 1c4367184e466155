// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/from_device.hpp"

#include "osi_cuda/engine/cuda_module.hpp"

namespace osi_cuda {

DeviceNumbers fetchFromDevice(DeviceNumbers const& source, double* target) {
  return cudaModule().fetchNumbers(source, target);
}

}  // namespace osi_cuda
