// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace osi_cuda::examples {

/// Random numbers that are the same on every platform: the standard fixes the engine, but not what
/// its distributions make of it.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// Uniform in 0 .. bound - 1, bound > 0, with an error of at most bound / 2^32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((engine_() >> 32) * bound >> 32);
  }
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// Normal with mean 0 and deviation 1 (Box and Muller 1958).
  double normal() {
    double const radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace osi_cuda::examples
