// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "examples/common/device_array.cuh"

namespace osi_cuda::response::device {

/// A CUDA event of the current device.
class Event {
 public:
  Event() { examples::device::check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(Event const&) = delete;
  Event& operator=(Event const&) = delete;
  void record(cudaStream_t stream = nullptr) {
    examples::device::check(cudaEventRecord(event_, stream));
  }
  cudaEvent_t get() const { return event_; }
  double secondsSince(Event const& begin) const {
    float milliseconds = 0.0f;
    examples::device::check(cudaEventSynchronize(event_));
    examples::device::check(cudaEventElapsedTime(&milliseconds, begin.event_, event_));
    return 1e-3 * milliseconds;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Median over `repeats` of the seconds of one call of `work`, which queues kernels; each is the
/// mean of `inner` calls queued one after the other. One call goes before; if it takes long
/// already, two single ones are enough.
template <class Work>
double medianSeconds(int repeats, int inner, Work const& work) {
  std::vector<double> seconds;
  Event begin, end;
  begin.record();
  work();
  end.record();
  constexpr double isLong = 0.02;
  if (end.secondsSince(begin) > isLong) {
    repeats = std::min(repeats, 2);
    inner = 1;
  }
  for (int k = 0; k < repeats; ++k) {
    begin.record();
    for (int call = 0; call < inner; ++call) work();
    end.record();
    seconds.push_back(end.secondsSince(begin) / inner);
  }
  examples::device::check(cudaGetLastError());
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace osi_cuda::response::device
