// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

/// Sums of whole numbers times given coefficients: which values they can have. All of it is exact.
namespace osi_cuda {

/// The greatest common divisor of doubles: an odd number times a power of two.
class CommonDivisor {
 public:
  void take(double value) {
    if (value == 0.0) return;
    int exponent = 0;
    auto digits =
        static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
    int const zeros = std::countr_zero(digits);
    digits >>= zeros;
    exponent += zeros - 53;
    exponent_ = odd_ == 0 ? exponent : std::min(exponent_, exponent);
    odd_ = std::gcd(odd_, digits);
  }
  /// Zero where there was no number.
  double value() const { return std::ldexp(static_cast<double>(odd_), exponent_); }

 private:
  std::uint64_t odd_ = 0;
  int exponent_ = 0;
};

/// The least multiple of `step` that is not below `side`; `up` false: the greatest not above it.
/// What is off by the rounding of one double counts as a multiple. `side` itself where a double
/// can't hold that.
inline double toMultiple(double side, double step, bool up) {
  constexpr double most = 0x1p52, least = 0x1p-900;  // beyond, quotients and remainders round
  double multiple = std::nearbyint(side / step);
  if (!(step > least) || !(std::fabs(multiple) < most)) return side;
  double const beyond = std::fma(multiple, step, -side);  // its sign is exact
  bool const rounding = std::fabs(beyond) <= 0x1p-50 * std::fabs(side);
  if (!rounding && up && beyond < 0.0) multiple += 1.0;
  if (!rounding && !up && beyond > 0.0) multiple -= 1.0;
  double const rounded = multiple * step;
  return std::fma(multiple, step, -rounded) == 0.0 ? rounded + 0.0 : side;
}

}  // namespace osi_cuda
