// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace osi_cuda::stress {

/// FNV-1a, so that each kind of problem has random numbers of its own.
inline std::uint64_t hashOf(std::string const& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

/// Random numbers that are the same on every machine: std::mt19937_64 is fixed by the standard, the
/// distributions of the standard library are not, so that these are made here.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}

  /// In [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  int below(int n) { return static_cast<int>((engine_() >> 11) % static_cast<std::uint64_t>(n)); }
  int whole(int low, int high) { return low + below(high - low + 1); }
  bool chance(double probability) { return unit() < probability; }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }
  /// 10^U(low, high), rounded to single precision: what the mathematical library of another machine
  /// makes of it in the last place then makes no difference.
  double power(double low, double high) {
    return static_cast<double>(static_cast<float>(std::pow(10.0, between(low, high))));
  }
  std::vector<int> shuffled(int n) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
    return order;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace osi_cuda::stress
