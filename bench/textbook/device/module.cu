// SPDX-License-Identifier: EPL-2.0
// The one door of the module.
#include "bench/textbook/device_module.hpp"
#include "examples/common/device_array.cuh"

namespace osi_cuda::textbook::device {
namespace {

constexpr DeviceModule module{
    OSI_CUDA_VERSION, &examples::device::deviceName, &simplex, &copySeconds, &product, &peak};

}  // namespace
}  // namespace osi_cuda::textbook::device

extern "C" __attribute__((visibility("default"))) osi_cuda::textbook::DeviceModule const*
textbookDevice() {
  return &osi_cuda::textbook::device::module;
}
