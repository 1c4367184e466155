// SPDX-License-Identifier: EPL-2.0
#pragma once

/// What the kernels of all examples need around them: errors, memory, streams, launches, clocks.
/// With OSI_CUDA_EMULATED (tests/support/emulated_device.hpp) kernels are ordinary functions, and
/// the same source runs on the tests' emulated device.
#include <cuda_runtime.h>
#ifndef OSI_CUDA_EMULATED
#include <cooperative_groups.h>
#endif

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/base/errors.hpp"
#ifdef OSI_CUDA_EMULATED
#include <map>
#endif

namespace osi_cuda::examples::device {

/// Throws EngineUnavailable with CUDA's reason unless the call succeeded.
inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an error that does not stick must not show up at the next call
  throw EngineUnavailable(std::string("device: ") + cudaGetErrorString(status));
}

/// Owns uninitialised memory for `size` elements on the device that is current when it is made.
/// Copies wait for all work of that device before, and are done when the call returns.
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
  /// With a copy of `values`.
  explicit DeviceArray(std::vector<T> const& values) : DeviceArray(values.size()) {
    upload(0, values.data(), values.size());
  }

  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

  void upload(std::size_t at, T const* values, std::size_t count) const {
    if (count == 0) return;
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(data() + at, values, count * sizeof(T), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());  // a copy from pageable memory may still be on its way
  }
  void upload(std::vector<T> const& values) const { upload(0, values.data(), values.size()); }
  void download(std::size_t at, T* values, std::size_t count) const {
    if (count == 0) return;
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(values, data() + at, count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    download(0, values.data(), size_);
    return values;
  }
  void fillBytes(int byte) const {
    if (size_ == 0) return;
    check(cudaMemset(data(), byte, size_ * sizeof(T)));
    check(cudaDeviceSynchronize());
  }

 private:
  struct Free {
    void operator()(T* memory) const { cudaFree(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

/// A stream of the current device that does not wait for the default stream.
class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(Stream const&) = delete;
  Stream& operator=(Stream const&) = delete;
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(Event const&) = delete;
  Event& operator=(Event const&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// kernel<<<blocks, threads, 0, stream>>>(arguments...). The emulated device wants whole warps.
template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, dim3 blocks, dim3 threads, void (*kernel)(Parameters...),
            Arguments const&... arguments) {
#ifdef OSI_CUDA_EMULATED
  check(emulated::start(stream, blocks, threads, 0, emulated::Blocks::oneByOne,
                        [=] { kernel(arguments...); }));
#else
  kernel<<<blocks, threads, 0, stream>>>(arguments...);
  check(cudaGetLastError());
#endif
}

/// The same for a kernel whose blocks wait for each other at grid barriers: at most `blocks`, and
/// no more than the device runs at once. Returns how many.
template <class Parameter>
unsigned launchTogether(cudaStream_t stream, unsigned blocks, unsigned threads,
                        void (*kernel)(Parameter), Parameter argument) {
  int device = 0, each = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device));
  check(cudaGetDeviceProperties(&properties, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, reinterpret_cast<void const*>(kernel),
                                                      int(threads), 0));
  blocks = std::min(blocks, unsigned(each * properties.multiProcessorCount));
#ifdef OSI_CUDA_EMULATED
  check(emulated::start(stream, dim3(blocks), dim3(threads), 0, emulated::Blocks::together,
                        [=] { kernel(argument); }));
#else
  void* arguments[] = {&argument};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(kernel), dim3(blocks),
                                    dim3(threads), arguments, 0, stream));
#endif
  return blocks;
}

/// `__shared__ T`, by any type as name. For kernels that launchTogether() starts: their blocks take
/// turns on the emulated device, where a plain `__shared__` would be one for all of them.
template <class T, class Name>
__device__ T& blockShared() {
#ifdef OSI_CUDA_EMULATED
  struct Own {
    T value;
  };
  static std::map<unsigned, Own> own;
  return own[blockIdx.x].value;
#else
  __shared__ T value;
  return value;
#endif
}

inline unsigned blocksFor(std::size_t items, unsigned each) {
  return static_cast<unsigned>(std::max<std::size_t>(1, (items + each - 1) / each));
}

/// Of the current device. Throws EngineUnavailable if no device can be used.
inline std::string deviceName() {
  int devices = 0, current = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    throw EngineUnavailable(std::string("device: no usable CUDA device (") +
                            cudaGetErrorString(status) + ")");
  }
  cudaDeviceProp properties{};
  check(cudaGetDevice(&current));
  check(cudaGetDeviceProperties(&properties, current));
  return properties.name;
}

/// Seconds of what work() puts into the stream, by events.
template <class Work>
double seconds(cudaStream_t stream, Work const& work) {
  Event const begin, end;
  check(cudaEventRecord(begin, stream));
  work();
  check(cudaEventRecord(end, stream));
  check(cudaEventSynchronize(end));
  float milliseconds = 0.0f;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  return 1e-3 * double(milliseconds);
}

/// Seconds to copy so many bytes from one array in device memory to another, the best of three
/// times twenty copies.
inline double copySeconds(double bytes) {
  auto const size = std::size_t(std::max(bytes, 256.0));
  DeviceArray<char> const from(size), to(size);
  from.fillBytes(0);
  Stream const stream;
  constexpr int copies = 20;
  double best = 1e30;
  for (int repeat = 0; repeat < 3; ++repeat)
    best = std::min(
        best, seconds(stream, [&] {
          for (int k = 0; k < copies; ++k)
            check(cudaMemcpyAsync(to.data(), from.data(), size, cudaMemcpyDeviceToDevice, stream));
        }));
  return best / copies;
}

}  // namespace osi_cuda::examples::device
