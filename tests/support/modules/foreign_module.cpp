// SPDX-License-Identifier: EPL-2.0
// A module of another build: of this version, but made from other headers.
#include "osi_cuda/engine/cuda_module.hpp"

namespace {

std::unique_ptr<osi_cuda::Engine> makeEngine(osi_cuda::EngineOptions const&) {
  return nullptr;
}
std::vector<std::string> deviceNames() {
  return {"a device that nobody should see"};
}
constexpr osi_cuda::CudaModule module{OSI_CUDA_VERSION " 0123456789abcdef",
                                      &makeEngine,
                                      &deviceNames,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr};

}  // namespace

extern "C" osi_cuda::CudaModule const* osiCudaModule() {
  return &module;
}
