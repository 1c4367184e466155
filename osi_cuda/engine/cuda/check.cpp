// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::cuda {
namespace {

/// "12.4" of 12040, as CUDA counts.
std::string releaseOf(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// What has happened, and what helps.
std::string reasonOf(cudaError_t status) {
  constexpr int toolkit = CUDART_VERSION;
  int driver = 0;
  if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess)
    return driver == 0 ? "there is no NVIDIA driver"
                       : "NVIDIA's driver is for CUDA " + releaseOf(driver) +
                             " at most, the module for CUDA " + releaseOf(toolkit) +
                             (toolkit < 13000 ? ": a driver from 525 on is needed"
                              : driver < 12000
                                  ? ": a driver from 580 on is needed"
                                  : ": a driver from 580 on is needed, or the module for CUDA 12 "
                                    "(osi-cuda-cu12)");
  if (status == cudaErrorNoDevice)
    return secure_getenv("CUDA_VISIBLE_DEVICES")
               ? "NVIDIA's driver finds no card among CUDA_VISIBLE_DEVICES"
               : "NVIDIA's driver finds no card";
  if (status == cudaErrorUnsupportedPtxVersion || status == cudaErrorNoKernelImageForDevice)
    return std::string(cudaGetErrorString(status)) +
           "; the module has no machine code for this card, and the driver can't translate it: a "
           "newer driver can";
  return cudaGetErrorString(status);
}

}  // namespace

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an error that does not stick must not show up at the next call
  throw EngineUnavailable("engine cuda: " + reasonOf(status));
}

std::size_t memoryLimit() {
  char const* const text = secure_getenv("OSI_CUDA_DEVICE_MEMORY");
  if (!text || !*text) return std::numeric_limits<std::size_t>::max();
  constexpr double most = 1e15;
  char* end = nullptr;
  double const bytes = std::strtod(text, &end);
  if (*end != '\0' || !(bytes >= 0.0 && bytes <= most))
    throw EngineUnavailable(std::string("engine cuda: OSI_CUDA_DEVICE_MEMORY: expected a number of "
                                        "bytes as 4e9, found '") +
                            text + "'");
  return static_cast<std::size_t>(bytes);
}

std::size_t availableBytes() {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total));
  std::size_t const used = total - available, limit = std::max(memoryLimit(), used);
  return std::min(available, limit - used);
}

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw EngineUnavailable(std::string("engine cuda: cuBLAS: ") + cublasGetStatusString(status));
}

void check(cusolverStatus_t status) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw EngineUnavailable("engine cuda: cuSOLVER: status " + std::to_string(status));
}

void check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw EngineUnavailable(std::string("engine cuda: cuSPARSE: ") +
                            cusparseGetErrorString(status));
}

}  // namespace osi_cuda::cuda
