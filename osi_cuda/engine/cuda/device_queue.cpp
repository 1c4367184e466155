// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_queue.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

DeviceQueue::DeviceQueue()
    : stream_(makeStream()), finished_(makeEvent()), blas_(makeBlas(stream_)) {}

cusolverDnHandle_t DeviceQueue::solver() {
  if (!solver_) solver_ = makeSolver(stream_);
  return solver_;
}

cusparseHandle_t DeviceQueue::sparse() {
  if (!sparse_) sparse_ = makeSparse(stream_);
  return sparse_;
}

void DeviceQueue::wait() const {
  check(cudaStreamSynchronize(stream_));
}

// Work that runs on the device can't be called off: it is waited for, and the rest is not begun.
void DeviceQueue::waitWatching() const {
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

void DeviceQueue::waitEagerly() const {
  check(cudaEventRecord(finished_, stream_));
  for (;;) {
    cudaError_t const status = cudaEventQuery(finished_);
    if (status == cudaSuccess) return;
    if (status != cudaErrorNotReady) check(status);
    std::this_thread::yield();
  }
}

void DeviceQueue::put(double* target, std::span<double const> source) {
  if (source.size() <= mostFew) return putFew(stream_, source, target);
  uploader_.upload(stream_, target, source.data(), source.size());
}

bool DeviceQueue::putChanged(double* target, std::span<double const> source,
                             std::vector<double>& known) {
  std::size_t first = 0, last = source.size();
  while (first < last && source[first] == known[first]) ++first;
  if (first == last) return false;
  while (source[last - 1] == known[last - 1]) --last;
  std::span<double const> const changed = source.subspan(first, last - first);
  std::ranges::copy(changed, known.begin() + static_cast<std::ptrdiff_t>(first));
  put(target + first, changed);
  return true;
}

void DeviceQueue::reserveLanding(std::size_t numbers) {
  if (landing_.size() < numbers) landing_ = PinnedArray<double>(numbers + numbers / 4);
}

void DeviceQueue::queueFetch(double const* source, std::size_t length, std::size_t place) const {
  if (length > 0)
    check(cudaMemcpyAsync(landing_.data() + place, source, length * sizeof(double),
                          cudaMemcpyDeviceToHost, stream_));
}

std::vector<double> DeviceQueue::fetch(double const* source, int length) const {
  queueFetch(source, at(length), 0);
  wait();
  return {landing_.data(), landing_.data() + length};
}

}  // namespace osi_cuda::cuda
