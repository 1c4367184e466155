// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/check.hpp"

#include <string>

#include "osi_cuda/base/errors.hpp"

namespace osi_cuda::cuda {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an error that does not stick must not show up at the next call
  std::string text = std::string("engine cuda: ") + cudaGetErrorString(status);
  if (status == cudaErrorUnsupportedPtxVersion || status == cudaErrorNoKernelImageForDevice)
    text +=
        "; the module has no machine code for this card, and the driver can't translate it: a "
        "newer driver can";
  throw EngineUnavailable(text);
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
