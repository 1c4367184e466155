// SPDX-License-Identifier: EPL-2.0
// The one exported function of the module.
#include "examples/common/device.cuh"
#include "examples/textbook/device_module.hpp"

namespace osi_cuda::textbook::device {
namespace {

constexpr DeviceModule module{OSI_CUDA_INTERFACE, &examples::device::deviceName,
                              &simplex,           &examples::device::copySeconds,
                              &product,           &peak};

}  // namespace
}  // namespace osi_cuda::textbook::device

extern "C" __attribute__((visibility("default"))) osi_cuda::textbook::DeviceModule const*
textbookDevice() {
  return &osi_cuda::textbook::device::module;
}
