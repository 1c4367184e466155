// SPDX-License-Identifier: EPL-2.0
// What the module exports.
#include "examples/response/device_module.hpp"

#include "examples/common/device.cuh"

namespace osi_cuda::response::device {

std::unique_ptr<Fem> makeFem(FemProblem const& problem);  // fem.cu
std::unique_ptr<Solver> makeSolver(Csr const& matrix);    // fem.cu
std::unique_ptr<DeviceProducts> makeProducts(Csr const& matrix, std::vector<double> const& x,
                                             bool isDouble);  // products.cu
std::unique_ptr<PartExecutor> makePart(int device);           // part.cu

namespace {

int deviceCount() {
  int count = 0;
  examples::device::check(cudaGetDeviceCount(&count));
  return count;
}

constexpr DeviceModule module{OSI_CUDA_INTERFACE, &examples::device::deviceName,
                              &deviceCount,       &makeFem,
                              &makeSolver,        &makeProducts,
                              &makePart};

}  // namespace
}  // namespace osi_cuda::response::device

extern "C" __attribute__((visibility("default"))) osi_cuda::response::DeviceModule const*
responseDevice() {
  return &osi_cuda::response::device::module;
}
