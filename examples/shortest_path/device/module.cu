// SPDX-License-Identifier: EPL-2.0
// The one exported function of the module.
#include "examples/common/device.cuh"
#include "examples/shortest_path/device_module.hpp"

namespace osi_cuda::shortest_path::device {
namespace {

constexpr DeviceModule module{OSI_CUDA_INTERFACE, &examples::device::deviceName, &makeRelaxation,
                              &wave, &runAnts};

}  // namespace
}  // namespace osi_cuda::shortest_path::device

extern "C" __attribute__((visibility("default"))) osi_cuda::shortest_path::DeviceModule const*
shortestPathDevice() {
  return &osi_cuda::shortest_path::device::module;
}
