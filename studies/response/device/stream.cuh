// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device_array.cuh"

namespace osi_cuda::response::device {

/// A stream of the device that is the current one, beside all others.
class Stream {
 public:
  Stream() { examples::device::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(Stream const&) = delete;
  Stream& operator=(Stream const&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const { examples::device::check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace osi_cuda::response::device
