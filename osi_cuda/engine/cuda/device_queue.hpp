// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/engine/engine.hpp"

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
  DeviceQueue() : stream_(makeStream()), finished_(makeEvent()), blas_(makeBlas(stream_)) {}

  cudaStream_t stream() const { return stream_; }
  cublasHandle_t blas() const { return blas_; }
  /// made at the first call
  cusolverDnHandle_t solver() {
    if (!solver_) solver_ = makeSolver(stream_);
    return solver_;
  }
  cusparseHandle_t sparse() {
    if (!sparse_) sparse_ = makeSparse(stream_);
    return sparse_;
  }

  /// Asked while waitWatching() waits.
  void watch(std::function<bool()> stop) { stop_ = std::move(stop); }
  /// Until all that was queued is done.
  void wait() const { check(cudaStreamSynchronize(stream_)); }
  /// The same, asking several times a second whether to stop: throws Interrupted then.
  // Work that runs on the device can't be called off: it is waited for, and the rest is not begun.
  void waitWatching() const {
    if (!stop_) return;
    check(cudaEventRecord(finished_, stream_));
    bool stopped = stop_();
    for (auto asked = std::chrono::steady_clock::now();;) {
      cudaError_t const status = cudaEventQuery(finished_);
      if (status == cudaSuccess) break;
      if (status != cudaErrorNotReady) check(status);
      auto const now = std::chrono::steady_clock::now();
      if (now - asked < std::chrono::milliseconds(50)) continue;
      asked = now;
      stopped = stopped || stop_();
    }
    if (stopped) throw Interrupted{};
  }
  /// The same at once, for what takes microseconds: the thread keeps looking.
  void waitEagerly() const {
    check(cudaEventRecord(finished_, stream_));
    for (;;) {
      cudaError_t const status = cudaEventQuery(finished_);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check(status);
      std::this_thread::yield();
    }
  }

  /// target <- source, in the queue's order; the source may be changed when the call returns.
  void put(double* target, std::span<double const> source) {
    if (source.size() <= mostFew) return putFew(stream_, source, target);
    uploader_.upload(stream_, target, source.data(), source.size());
  }
  /// The same for what differs from `known`, what the target holds. False: nothing differs.
  bool putChanged(double* target, std::span<double const> source, std::vector<double>& known) {
    std::size_t first = 0, last = source.size();
    while (first < last && source[first] == known[first]) ++first;
    if (first == last) return false;
    while (source[last - 1] == known[last - 1]) --last;
    std::span<double const> const changed = source.subspan(first, last - first);
    std::ranges::copy(changed, known.begin() + static_cast<std::ptrdiff_t>(first));
    put(target + first, changed);
    return true;
  }
  Uploader& uploader() { return uploader_; }
  /// Room for `numbers` numbers that arrive from the device.
  void reserveLanding(std::size_t numbers) {
    if (landing_.size() < numbers) landing_ = PinnedArray<double>(numbers + numbers / 4);
  }
  double* landing() const { return landing_.data(); }
  /// landing()[place...] <- source, once the queue has come to it.
  void queueFetch(double const* source, std::size_t length, std::size_t place) const {
    if (length > 0)
      check(cudaMemcpyAsync(landing_.data() + place, source, length * sizeof(double),
                            cudaMemcpyDeviceToHost, stream_));
  }
  /// Waits for `length` numbers.
  std::vector<double> fetch(double const* source, int length) const {
    queueFetch(source, at(length), 0);
    wait();
    return {landing_.data(), landing_.data() + length};
  }

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
