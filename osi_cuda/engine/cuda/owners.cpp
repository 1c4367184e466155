// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/owners.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "osi_cuda/base/thread_pool.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"

namespace osi_cuda::cuda {

void copyByThreads(double const* from, double* to, std::size_t count) {
  constexpr std::size_t share = std::size_t{1} << 16;
  runPieces(loopThreads(static_cast<std::int64_t>(count)), (count + share - 1) / share,
            [=](std::size_t piece, int) {
              std::size_t const begin = piece * share;
              std::copy_n(from + begin, std::min(share, count - begin), to + begin);
            });
}

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

namespace {

template <class Owner, class Handle, class Status>
Owner makeLibrary(Status (*create)(Handle*), Status (*setStream)(Handle, cudaStream_t),
                  cudaStream_t stream) {
  Handle handle = nullptr;
  check(create(&handle));
  Owner owner(handle);
  check(setStream(handle, stream));
  return owner;
}

}  // namespace

BlasHandle makeBlas(cudaStream_t stream) {
  BlasHandle handle = makeLibrary<BlasHandle>(&cublasCreate, &cublasSetStream, stream);
#if CUBLAS_VERSION >= 130100
  // With no less accuracy, and only for sizes at which cuBLAS expects a gain; a library that is
  // older than the one of the build knows no such mode, and goes on without.
  if (slicesPay(machine())) cublasSetMathMode(handle, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH);
#endif
  return handle;
}
SolverHandle makeSolver(cudaStream_t stream) {
  return makeLibrary<SolverHandle>(&cusolverDnCreate, &cusolverDnSetStream, stream);
}
SparseHandle makeSparse(cudaStream_t stream) {
  return makeLibrary<SparseHandle>(&cusparseCreate, &cusparseSetStream, stream);
}

SolverParameters makeSolverParameters(cusolverAlgMode_t luAlgorithm) {
  cusolverDnParams_t parameters = nullptr;
  check(cusolverDnCreateParams(&parameters));
  SolverParameters owner(parameters);
  check(cusolverDnSetAdvOptions(parameters, CUSOLVERDN_GETRF, luAlgorithm));
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

Uploader::Uploader() : memory_(firstPieces * pieceBytes) {
  for (Event& event : free_) event = makeEvent();
}

void Uploader::reserve(std::size_t wanted) {
  if (memory_.size() >= wanted * pieceBytes) return;
  for (Event const& event : free_) check(cudaEventSynchronize(event));
  memory_ = PinnedArray<char>(wanted * pieceBytes);
}

void Uploader::uploadBytes(cudaStream_t stream, char* target, char const* source,
                           std::size_t bytes) {
  if (bytes > pieceBytes) {
    auto const fill = [source](char* piece, std::size_t begin, std::size_t length) {
      std::memcpy(piece, source + begin, length);
    };
    return send(stream, target, bytes, fill, omp_get_max_threads());
  }
  if (used_ + bytes > pieceBytes) {
    check(cudaEventRecord(free_[next_], stream));
    next_ = (next_ + 1) % (memory_.size() / pieceBytes);
    check(cudaEventSynchronize(free_[next_]));
    used_ = 0;
  }
  char* const there = memory_.data() + next_ * pieceBytes + used_;
  std::memcpy(there, source, bytes);
  check(cudaMemcpyAsync(target, there, bytes, cudaMemcpyHostToDevice, stream));
  used_ += (bytes + alignment - 1) / alignment * alignment;
}

void Uploader::send(cudaStream_t stream, char* target, std::size_t bytes, Fill const& fill,
                    int threads) {
  int const team = loopThreads(static_cast<std::int64_t>(bytes / sizeof(double)), threads);
  std::size_t const work = (bytes + pieceBytes - 1) / pieceBytes,
                    busy = std::min(work, at(std::min(mostThreads, team)));
  check(cudaEventRecord(free_[next_], stream));
  used_ = pieceBytes;  // small copies go on in another piece
  reserve(2 * busy);
  int device = 0;
  check(cudaGetDevice(&device));
  std::size_t turn[mostThreads] = {};  // each thread has two places
  runPieces(static_cast<int>(busy), work, [&](std::size_t piece, int thread) {
    check(cudaSetDevice(device));
    std::size_t const begin = piece * pieceBytes, length = std::min(pieceBytes, bytes - begin),
                      place = 2 * at(thread) + turn[thread];
    char* const there = memory_.data() + place * pieceBytes;
    check(cudaEventSynchronize(free_[place]));
    fill(there, begin, length);
    check(cudaMemcpyAsync(target + begin, there, length, cudaMemcpyHostToDevice, stream));
    check(cudaEventRecord(free_[place], stream));
    turn[thread] ^= 1;
  });
}

}  // namespace osi_cuda::cuda
