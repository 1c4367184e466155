// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace osi_cuda::cuda {

/// Says, as long as it lives, that numbers of the host lie on the present device as well: an engine
/// that holds a dense matrix saves the interior point method of the same problem a second upload.
/// Whoever uses them does so while the engine that holds them is not called.
class Residence {
 public:
  Residence() = default;
  /// `count` numbers from `host` on lie at `there`.
  Residence(double const* host, std::size_t count, double const* there);
  Residence(Residence&& other) noexcept : key_(std::exchange(other.key_, 0)) {}
  Residence& operator=(Residence&& other) noexcept {
    std::swap(key_, other.key_);
    return *this;
  }
  ~Residence();

  /// Where they lie on the present device, null: nowhere. They may still be on their way there.
  static double const* find(double const* host, std::size_t count);

 private:
  std::size_t key_ = 0;  ///< 0: says nothing
};

}  // namespace osi_cuda::cuda
