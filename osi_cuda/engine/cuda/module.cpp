// SPDX-License-Identifier: EPL-2.0
// The one door of the module.
#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/engine/cuda/translation.hpp"
#include "osi_cuda/engine/cuda_module.hpp"

namespace osi_cuda::cuda {
namespace {

std::unique_ptr<Engine> makeEngine(EngineOptions const& options) {
  return std::make_unique<CudaEngine>(options);
}

constexpr CudaModule module{OSI_CUDA_INTERFACE, &makeEngine,    &deviceNames, &makeDeviceBarrier,
                            &makeDeviceMany,    &fetchNumbers,  &deviceOf,    &copyAcross,
                            &deviceProperties,  &measureDevice, &useMachine,  &translation};

}  // namespace
}  // namespace osi_cuda::cuda

extern "C" __attribute__((visibility("default"))) osi_cuda::CudaModule const* osiCudaModule() {
  return &osi_cuda::cuda::module;
}
