// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/cuda/check.hpp"

/// One owner for every object of CUDA and its libraries. They can be moved, not copied.
namespace osi_cuda::cuda {

/// Copies doubles between arrays of the host, by several threads.
void copyByThreads(double const* from, double* to, std::size_t count);

/// Uninitialised device memory for `size` elements.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    check(cudaMalloc(&memory, size * sizeof(T)));
    data_.reset(static_cast<T*>(memory));
  }

  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }  ///< elements that there is room for

  /// Makes room for `size` elements; what was stored is lost when the array has to grow. One that
  /// is small and grew before gets some to spare, as rows may be coming one after the other.
  void reserve(std::size_t size) {
    constexpr std::size_t small = (std::size_t{1} << 24) / sizeof(T);
    if (size <= size_) return;
    if (size_ > 0 && size <= small) size += size / 4;
    *this = DeviceArray();  // give back first: both need not fit
    *this = DeviceArray(size);
  }

 private:
  struct Free {
    void operator()(T* memory) const { cudaFree(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

/// Page-locked host memory that the device can read and write as well.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, size * sizeof(T), cudaHostAllocMapped));
    data_.reset(static_cast<T*>(memory));
  }

  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_.get()[i]; }
  T* onDevice() const {
    void* address = nullptr;
    check(cudaHostGetDevicePointer(&address, data_.get(), 0));
    return static_cast<T*>(address);
  }

 private:
  struct Free {
    void operator()(T* memory) const { cudaFreeHost(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

/// A handle of one of the libraries, with its destroyer.
template <class Handle, auto destroy>
class Owner {
 public:
  Owner() = default;
  explicit Owner(Handle handle) : handle_(handle) {}
  operator Handle() const { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(std::remove_pointer_t<Handle>* handle) const { destroy(handle); }
  };
  std::unique_ptr<std::remove_pointer_t<Handle>, Destroy> handle_;
};

using Stream = Owner<cudaStream_t, &cudaStreamDestroy>;
using Event = Owner<cudaEvent_t, &cudaEventDestroy>;
using BlasHandle = Owner<cublasHandle_t, &cublasDestroy>;
using SolverHandle = Owner<cusolverDnHandle_t, &cusolverDnDestroy>;
using SolverParameters = Owner<cusolverDnParams_t, &cusolverDnDestroyParams>;
using SparseHandle = Owner<cusparseHandle_t, &cusparseDestroy>;
using SparseMatrixHandle = Owner<cusparseSpMatDescr_t, &cusparseDestroySpMat>;
using DenseMatrixHandle = Owner<cusparseDnMatDescr_t, &cusparseDestroyDnMat>;

/// `urgent`: its kernels come before those of other streams that have not begun.
Stream makeStream(bool urgent = false);
Event makeEvent();
BlasHandle makeBlas(cudaStream_t stream);
SolverHandle makeSolver(cudaStream_t stream);
SolverParameters makeSolverParameters(cusolverAlgMode_t luAlgorithm);
SparseHandle makeSparse(cudaStream_t stream);
/// A matrix by rows: `starts` has rows + 1. The arrays stay the caller's.
SparseMatrixHandle makeSparseMatrix(int rows, int columns, std::int64_t entries,
                                    DeviceArray<int> const& starts, DeviceArray<int> const& indices,
                                    DeviceArray<double> const& values);
/// A full matrix by rows, without gaps.
DenseMatrixHandle makeDenseMatrix(int rows, int columns, double* entries);

/// Copies through the stream; the host side is safe to reuse when the call returns.
template <class T>
void upload(cudaStream_t stream, T* target, T const* source, std::size_t count) {
  if (count == 0) return;
  check(cudaMemcpyAsync(target, source, count * sizeof(T), cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));
}
template <class T>
void download(cudaStream_t stream, T* target, T const* source, std::size_t count) {
  if (count == 0) return;
  check(cudaMemcpyAsync(target, source, count * sizeof(T), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
}
/// The first `count` elements become zero.
template <class T>
void clear(cudaStream_t stream, DeviceArray<T> const& array, std::size_t count) {
  if (count > 0) check(cudaMemsetAsync(array.data(), 0, count * sizeof(T), stream));
}
/// The same with room for so many, and for those of a vector, which is uploaded.
template <class T>
void zeros(cudaStream_t stream, DeviceArray<T>& array, std::size_t count) {
  array.reserve(count);
  clear(stream, array, count);
}
template <class T>
void uploadAll(cudaStream_t stream, DeviceArray<T>& array, std::vector<T> const& numbers) {
  array.reserve(numbers.size());
  upload(stream, array.data(), numbers.data(), numbers.size());
}

/// Room for `count` elements, some to spare where they are few. Only new memory is zeroed.
template <class T>
void makeRoom(cudaStream_t stream, DeviceArray<T>& array, std::size_t count) {
  constexpr std::size_t few = (std::size_t{1} << 20) / sizeof(T);
  if (count <= array.size()) return;
  array.reserve(count <= few ? count + count / 8 : count);
  clear(stream, array, array.size());
}

/// Copies through page-locked memory: other memory travels at a fraction of the bus's speed. Small
/// copies share a piece of it, of one stream; of large ones each thread fills pieces of its own and
/// sends them, so that no thread waits for another. Pieces are few, to stay in the processor's
/// cache. Who begins a piece waits until it has left.
class Uploader {
 public:
  Uploader();

  /// The host side is safe to reuse when the call returns; the device has it in the stream's order.
  template <class T>
  void upload(cudaStream_t stream, T* target, T const* source, std::size_t count) {
    uploadBytes(stream, reinterpret_cast<char*>(target), reinterpret_cast<char const*>(source),
                count * sizeof(T));
  }

  /// Writes those bytes of what is sent, from `begin` on, to `piece`; several threads ask.
  using Fill = std::function<void(char* piece, std::size_t begin, std::size_t length)>;
  /// Sends what `fill` writes, on the calling thread's device, by at most so many threads.
  void send(cudaStream_t stream, char* target, std::size_t bytes, Fill const& fill, int threads);

  static constexpr int mostThreads = 8;  ///< that copy at a time: more are too many for the bus

 private:
  // Small enough for a model of a few megabytes to be on its way while it is still being copied.
  static constexpr std::size_t pieceBytes = std::size_t{1} << 21, alignment = 256;
  static constexpr std::size_t pieces = 2 * mostThreads;
  static constexpr std::size_t firstPieces = 2;  ///< as long as there are only vectors to send

  void uploadBytes(cudaStream_t stream, char* target, char const* source, std::size_t bytes);
  void reserve(std::size_t wanted);

  PinnedArray<char> memory_;
  Event free_[pieces];    ///< the piece has left
  std::size_t next_ = 0;  ///< piece that small copies share
  std::size_t used_ = 0;  ///< bytes of it
};

}  // namespace osi_cuda::cuda
