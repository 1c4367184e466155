// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace osi_cuda::testing {

/// Random numbers that are the same on every machine: std::mt19937_64 is fixed by the standard, the
/// distributions of the standard library are not, so that these are made here. Meets the
/// requirements of UniformRandomBitGenerator.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// For seeds that are counted: each of them and each stream has a sequence of its own.
  Random(std::uint64_t seed, std::uint64_t stream) : engine_(seed * 0x9e3779b97f4a7c15u + stream) {}

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return std::numeric_limits<std::uint64_t>::max(); }
  std::uint64_t operator()() { return engine_(); }

  /// In [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// 0 to n - 1
  int below(int n) { return static_cast<int>((engine_() >> 11) % static_cast<std::uint64_t>(n)); }
  int whole(int low, int high) { return low + below(high - low + 1); }  ///< both ends included
  bool chance(double probability) { return unit() < probability; }
  bool percent(int share) { return below(100) < share; }
  bool oneIn(int n) { return below(n) == 0; }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }
  /// A multiple of 1/4 in [-most/4, most/4]
  double quarters(int most) { return 0.25 * (below(2 * most + 1) - most); }
  /// 10^U(low, high), rounded to single precision: what the mathematical library of another machine
  /// makes of it in the last place then makes no difference.
  double power(double low, double high) {
    return static_cast<double>(static_cast<float>(std::pow(10.0, between(low, high))));
  }
  /// Normal with mean 0 and deviation 1 (Box and Muller 1958); the last place is the machine's.
  double normal() {
    double const radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
    return radius * std::cos(2.0 * std::numbers::pi * unit());
  }

  /// 0 to n - 1 in any order.
  std::vector<int> shuffled(int n) {
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    shuffle(order);
    return order;
  }
  /// std::shuffle may differ by library, too.
  template <class Values>
  void shuffle(Values& values) {
    for (int i = static_cast<int>(values.size()) - 1; i > 0; --i)
      std::swap(values[static_cast<std::size_t>(i)],
                values[static_cast<std::size_t>(below(i + 1))]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace osi_cuda::testing
