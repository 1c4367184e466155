// SPDX-License-Identifier: EPL-2.0
// The one door of the module.
#include "examples/common/device_array.cuh"
#include "examples/shortest_path/device/entries.hpp"

namespace osi_cuda::shortest_path::device {
namespace {

constexpr DeviceModule module{OSI_CUDA_VERSION, &examples::device::deviceName, &makeRelaxation,
                              &wave, &runAnts};

}  // namespace
}  // namespace osi_cuda::shortest_path::device

extern "C" __attribute__((visibility("default"))) osi_cuda::shortest_path::DeviceModule const*
shortestPathDevice() {
  return &osi_cuda::shortest_path::device::module;
}
