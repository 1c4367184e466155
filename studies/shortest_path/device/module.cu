// SPDX-License-Identifier: EPL-2.0
// What the module exports.
#include "examples/common/device_array.cuh"
#include "studies/shortest_path/device/entries.hpp"

namespace osi_cuda::shortest_path::device {
namespace {

constexpr DeviceTable module{OSI_CUDA_VERSION, &examples::device::deviceName, &makeRelaxation,
                             &wave};

}  // namespace
}  // namespace osi_cuda::shortest_path::device

extern "C" __attribute__((visibility("default"))) osi_cuda::shortest_path::DeviceTable const*
studyShortestPathDevice() {
  return &osi_cuda::shortest_path::device::module;
}
