// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/owners.hpp"

#include <algorithm>
#include <cstring>

namespace osi_cuda::cuda {

Stream makeStream(bool urgent) {
  constexpr int usual = 0, first = -1000;  // the device's least and greatest are taken for these
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent ? first : usual));
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

SolverParameters makeSolverParameters(cusolverAlgMode_t luAlgorithm) {
  cusolverDnParams_t parameters = nullptr;
  check(cusolverDnCreateParams(&parameters));
  SolverParameters owner(parameters);
  check(cusolverDnSetAdvOptions(parameters, CUSOLVERDN_GETRF, luAlgorithm));
  return owner;
}

SparseHandle makeSparse(cudaStream_t stream) {
  cusparseHandle_t handle = nullptr;
  check(cusparseCreate(&handle));
  SparseHandle owner(handle);
  check(cusparseSetStream(handle, stream));
  return owner;
}

SparseMatrixHandle makeSparseMatrix(int rows, int columns, std::int64_t entries,
                                    DeviceArray<int> const& starts, DeviceArray<int> const& indices,
                                    DeviceArray<double> const& values) {
  cusparseSpMatDescr_t matrix = nullptr;
  check(cusparseCreateCsr(&matrix, rows, columns, entries, starts.data(), indices.data(),
                          values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  return SparseMatrixHandle(matrix);
}

DenseMatrixHandle makeDenseMatrix(int rows, int columns, double* entries) {
  cusparseDnMatDescr_t matrix = nullptr;
  check(cusparseCreateDnMat(&matrix, rows, columns, columns, entries, CUDA_R_64F,
                            CUSPARSE_ORDER_ROW));
  return DenseMatrixHandle(matrix);
}

namespace {

constexpr std::size_t firstPieces = 2;  // of an Uploader that has only vectors to send so far

}  // namespace

Uploader::Uploader() : memory_(firstPieces * pieceBytes) {
  for (Event& event : free_) event = makeEvent();
}

void Uploader::uploadBytes(cudaStream_t stream, char* target, char const* source,
                           std::size_t bytes) {
  constexpr std::size_t share = std::size_t{1} << 17;  // of one thread
  std::size_t const wanted = std::min(pieces, (bytes + pieceBytes - 1) / pieceBytes);
  if (memory_.size() < wanted * pieceBytes) {
    check(cudaStreamSynchronize(stream));  // all have left
    memory_ = PinnedArray<char>(wanted * pieceBytes);
    next_ = used_ = 0;
  }
  for (std::size_t begin = 0; begin < bytes; begin += pieceBytes) {
    std::size_t const length = std::min(pieceBytes, bytes - begin);
    if (used_ + length > pieceBytes) {
      check(cudaEventRecord(free_[next_], stream));
      next_ = (next_ + 1) % (memory_.size() / pieceBytes);
      check(cudaEventSynchronize(free_[next_]));
      used_ = 0;
    }
    char* const there = memory_.data() + next_ * pieceBytes + used_;
#pragma omp parallel for schedule(static) if (length > 4 * share)
    for (std::size_t part = 0; part < length; part += share)
      std::memcpy(there + part, source + begin + part, std::min(share, length - part));
    check(cudaMemcpyAsync(target + begin, there, length, cudaMemcpyHostToDevice, stream));
    used_ += (length + alignment - 1) / alignment * alignment;
  }
}

}  // namespace osi_cuda::cuda
