// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {

Stream makeStream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return Stream(stream);
}

Event makeEvent() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return Event(event);
}

BlasHandle makeBlas(cudaStream_t stream) {
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle));
  BlasHandle owner(handle);
  check(cublasSetStream(handle, stream));
  return owner;
}

SolverHandle makeSolver(cudaStream_t stream) {
  cusolverDnHandle_t handle = nullptr;
  check(cusolverDnCreate(&handle));
  SolverHandle owner(handle);
  check(cusolverDnSetStream(handle, stream));
  return owner;
}

SparseHandle makeSparse(cudaStream_t stream) {
  cusparseHandle_t handle = nullptr;
  check(cusparseCreate(&handle));
  SparseHandle owner(handle);
  check(cusparseSetStream(handle, stream));
  return owner;
}

}  // namespace osi_cuda::cuda
