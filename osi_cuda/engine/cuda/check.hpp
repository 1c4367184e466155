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

/// Bytes of each device that may be used, by the variable OSI_CUDA_DEVICE_MEMORY ("4e9"): as on a
/// card that has no more. The largest number where it is not set.
std::size_t memoryLimit();
/// Of the thread's device's memory.
std::size_t availableBytes();

}  // namespace osi_cuda::cuda
