// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/errors.hpp"

namespace osi_cuda::examples::device {

/// Throws EngineUnavailable with CUDA's reason unless the call succeeded.
inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an error that does not stick must not show up at the next call
  throw EngineUnavailable(std::string("device: ") + cudaGetErrorString(status));
}

/// Owns uninitialised device memory for `size` elements.
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
    check(cudaMemcpy(data() + at, values, count * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    if (size_ > 0)
      check(cudaMemcpy(values.data(), data(), size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  void fillBytes(int byte) const {
    if (size_ > 0) check(cudaMemset(data(), byte, size_ * sizeof(T)));
  }

 private:
  struct Free {
    void operator()(T* memory) const { cudaFree(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

/// Of device 0. Throws EngineUnavailable if no device can be used.
inline std::string deviceName() {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    throw EngineUnavailable(std::string("device: no usable CUDA device (") +
                            cudaGetErrorString(status) + ")");
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  return properties.name;
}

inline unsigned blocksFor(std::size_t threads, unsigned perBlock) {
  return static_cast<unsigned>((threads + perBlock - 1) / perBlock);
}

}  // namespace osi_cuda::examples::device
