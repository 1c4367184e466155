// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cusolverDn.h>
#include <cusparse.h>

/// check(call): nothing when the call succeeded; throws EngineUnavailable with a message that
/// names the library and its reason otherwise.
namespace osi_cuda::cuda {

void check(cudaError_t status);
void check(cublasStatus_t status);
void check(cusolverStatus_t status);
void check(cusparseStatus_t status);

/// Of the thread's device's memory.
inline std::size_t availableBytes() {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total));
  return available;
}

}  // namespace osi_cuda::cuda
