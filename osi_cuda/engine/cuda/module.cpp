// SPDX-License-Identifier: EPL-2.0
// The one door of the module.
#include "osi_cuda/engine/cuda/batch/device_batch.hpp"
#include "osi_cuda/engine/cuda/batch/device_variants.hpp"
#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/device_barrier.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::cuda {
namespace {

std::unique_ptr<Engine> makeEngine(EngineOptions const& options) {
  return std::make_unique<CudaEngine>(options);
}

std::vector<std::string> deviceNames() {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    throw EngineUnavailable(std::string("engine cuda: no usable CUDA device (") +
                            cudaGetErrorString(status) + ")");
  }
  std::vector<std::string> names;
  for (int device = 0; device < devices; ++device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device));
    names.emplace_back(properties.name);
  }
  return names;
}

constexpr CudaModule module{OSI_CUDA_INTERFACE, &makeEngine,      &deviceNames,
                            &makeDeviceBarrier, &makeDeviceBatch, &makeDeviceVariants};

}  // namespace
}  // namespace osi_cuda::cuda

extern "C" __attribute__((visibility("default"))) osi_cuda::CudaModule const* osiCudaModule() {
  return &osi_cuda::cuda::module;
}
