// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "osi_cuda/rational/integers.hpp"

// Doubles as the exact rationals they are, and exact rationals as doubles and as text.

namespace osi_cuda::rational {

/// mantissa 2^exponent, the mantissa odd; 0 is 0 2^0.
struct Dyadic {
  std::int64_t mantissa = 0;
  int exponent = 0;
};

/// A finite double, denormal ones included.
Dyadic exactly(double value);

/// The smaller of `exponent` and the exponents of the finite, nonzero values.
int lowestExponent(std::span<double const> values, int exponent);

/// sum += value factor 2^shift, exactly. `value` is finite, and its exponent + shift >= 0 unless it
/// is 0.
void addTimes(Integer& sum, double value, fmpz const* factor, int shift);
/// sum += left right 2^shift, exactly; the exponents of both and shift together are >= 0.
void addProduct(Integer& sum, double left, double right, int shift);

/// The double nearest to numerator / denominator (> 0), ties to even; infinite beyond the doubles.
double toDouble(fmpz const* numerator, fmpz const* denominator);

/// The largest double <= and the smallest >= numerator / denominator (> 0).
std::pair<double, double> enclosing(fmpz const* numerator, fmpz const* denominator);

/// "-464753/1000" or "-8": the fraction in lowest terms. `denominator` > 0.
std::string toFraction(fmpz const* numerator, fmpz const* denominator);

/// The fraction rounded to 30 significant decimal digits, half away from zero: "-464.7531428...",
/// with an exponent ("1.25e+42") where it would not fit into 30 digits and a few zeros. Zeros at
/// the end are left out. `denominator` > 0.
std::string toDigits(fmpz const* numerator, fmpz const* denominator);

}  // namespace osi_cuda::rational
