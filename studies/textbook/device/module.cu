// SPDX-License-Identifier: EPL-2.0
// What the module exports.
#include "examples/common/device_array.cuh"
#include "studies/textbook/device_module.hpp"

namespace osi_cuda::textbook::device {
namespace {

constexpr DeviceModule module{OSI_CUDA_VERSION, &examples::device::deviceName, &simplex,
                              &copySeconds};

}  // namespace
}  // namespace osi_cuda::textbook::device

extern "C" __attribute__((visibility("default"))) osi_cuda::textbook::DeviceModule const*
studyTextbookDevice() {
  return &osi_cuda::textbook::device::module;
}
