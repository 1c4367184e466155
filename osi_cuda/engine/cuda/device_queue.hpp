// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {

/// The parts one behind the other: one copy to the device takes less time than several.
template <class T>
std::vector<T> joined(std::initializer_list<std::span<T const>> parts) {
  std::vector<T> all;
  for (auto const& part : parts) all.insert(all.end(), part.data(), part.data() + part.size());
  return all;
}

/// What a device does for an engine, one thing after the other: a stream with the libraries that
/// work in it, the ways of data to the device and back, and waiting for it all.
class DeviceQueue {
 public:
  DeviceQueue();

  cudaStream_t stream() const { return stream_; }
  cublasHandle_t blas() const { return blas_; }
  cusolverDnHandle_t solver();  ///< made at the first call
  cusparseHandle_t sparse();

  /// Asked while waitWatching() waits.
  void watch(std::function<bool()> stop) { stop_ = std::move(stop); }
  /// Until all that was queued is done.
  void wait() const;
  /// The same, asking several times a second whether to stop: throws Interrupted then.
  void waitWatching() const;
  /// The same at once, for what takes microseconds: the thread keeps looking.
  void waitEagerly() const;

  /// target <- source, in the queue's order; the source may be changed when the call returns.
  void put(double* target, std::span<double const> source);
  /// The same for what differs from `known`, what the target holds. False: nothing differs.
  bool putChanged(double* target, std::span<double const> source, std::vector<double>& known);
  Uploader& uploader() { return uploader_; }
  /// Room for `numbers` numbers that arrive from the device.
  void reserveLanding(std::size_t numbers);
  double* landing() const { return landing_.data(); }
  /// landing()[place...] <- source, once the queue has come to it.
  void queueFetch(double const* source, std::size_t length, std::size_t place) const;
  /// Waits for `length` numbers.
  std::vector<double> fetch(double const* source, int length) const;

 private:
  Stream stream_;
  Event finished_;
  BlasHandle blas_;
  SolverHandle solver_;
  SparseHandle sparse_;
  Uploader uploader_;
  PinnedArray<double> landing_;
  std::function<bool()> stop_;
};

/// Vectors by variable in device memory, of length n + m each, in this order: what the caller gave,
/// and room to work in. What lies in the latter is nobody's after a call of the engine.
class VariableVectors {
 public:
  double* cost = nullptr;
  double* lower = nullptr;  ///< working bounds
  double* upper = nullptr;
  double* value = nullptr;  ///< work
  double* other = nullptr;  ///< work; follows `value` in memory
  double* work = nullptr;   ///< work, twice the length and two numbers more; follows `other`

  void allocate(DeviceQueue const& queue, std::size_t variables) {
    std::size_t const numbers = 7 * variables + 2;
    makeRoom(queue.stream(), memory_, numbers);
    double* next = memory_.data();
    for (double** vector : {&cost, &lower, &upper, &value, &other, &work}) {
      *vector = next;
      next += variables;
    }
  }
  void giveBack() { memory_ = {}; }

 private:
  DeviceArray<double> memory_;
};

}  // namespace osi_cuda::cuda
