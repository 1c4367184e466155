// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/base/index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

namespace osi_cuda::rational {
namespace {

constexpr int significantDigits = 30;

std::string decimal(fmpz const* value) {
  std::unique_ptr<char, decltype(&flint_free)> const text(fmpz_get_str(nullptr, 10, value),
                                                          &flint_free);
  return text.get();
}

void multiplyByPowerOfTen(Integer& value, slong exponent) {
  Integer power(10);
  fmpz_pow_ui(power.get(), power.get(), static_cast<ulong>(exponent));
  fmpz_mul(value.get(), value.get(), power.get());
}

/// round(|numerator| 10^exponent / denominator), half up.
Integer scaledMagnitude(fmpz const* numerator, fmpz const* denominator, slong exponent) {
  Integer top(numerator), bottom(denominator), quotient;
  fmpz_abs(top.get(), top.get());
  multiplyByPowerOfTen(exponent >= 0 ? top : bottom, exponent >= 0 ? exponent : -exponent);
  fmpz_mul_2exp(top.get(), top.get(), 1);
  fmpz_add(top.get(), top.get(), bottom.get());
  fmpz_mul_2exp(bottom.get(), bottom.get(), 1);
  fmpz_fdiv_q(quotient.get(), top.get(), bottom.get());
  return quotient;
}

/// `digits` with the point after `before` of them; zeros are put in where that is outside.
std::string withPoint(std::string digits, slong before) {
  auto const length = static_cast<slong>(digits.size());
  if (before <= 0) return "0." + std::string(at(-before), '0') + digits;
  if (before >= length) return digits + std::string(at(before - length), '0');
  return digits.insert(at(before), ".");
}

}  // namespace

Dyadic exactly(double value) {
  if (value == 0.0) return {};
  constexpr int precision = std::numeric_limits<double>::digits;
  int exponent = 0;
  double const fraction = std::frexp(value, &exponent);
  auto const mantissa = static_cast<std::int64_t>(std::ldexp(fraction, precision));
  int const zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa / (std::int64_t{1} << zeros), exponent - precision + zeros};
}

int lowestExponent(std::span<double const> values, int exponent) {
  for (double const value : values)
    if (value != 0.0 && std::isfinite(value))
      exponent = std::min(exponent, exactly(value).exponent);
  return exponent;
}

void addTimes(Integer& sum, double value, fmpz const* factor, int shift) {
  Dyadic const exact = exactly(value);
  if (exact.mantissa == 0) return;
  if (exact.exponent + shift == 0) {
    addMultiple(sum.get(), factor, exact.mantissa);
    return;
  }
  Integer term;
  fmpz_mul_si(term.get(), factor, exact.mantissa);
  fmpz_mul_2exp(term.get(), term.get(), static_cast<ulong>(exact.exponent + shift));
  fmpz_add(sum.get(), sum.get(), term.get());
}

void addProduct(Integer& sum, double left, double right, int shift) {
  Dyadic const exact = exactly(right);
  if (exact.mantissa == 0) return;
  Integer const factor(exact.mantissa);
  addTimes(sum, left, factor.get(), shift + exact.exponent);
}

double toDouble(fmpz const* numerator, fmpz const* denominator) {
  if (fmpz_is_zero(numerator)) return 0.0;
  // A quotient of 66 or 67 bits, and whether something was cut off below.
  constexpr slong guarded = 66;
  auto const bits = [](fmpz const* value) { return static_cast<slong>(fmpz_bits(value)); };
  slong const shift = guarded - (bits(numerator) - bits(denominator));
  Integer top(numerator), bottom(denominator), quotient, rest;
  fmpz_abs(top.get(), top.get());
  Integer& shifted = shift >= 0 ? top : bottom;
  fmpz_mul_2exp(shifted.get(), shifted.get(), static_cast<ulong>(shift >= 0 ? shift : -shift));
  fmpz_tdiv_qr(quotient.get(), rest.get(), top.get(), bottom.get());
  // The value lies in [2^(exponent - 1), 2^exponent); denormals have fewer bits.
  slong const exponent = bits(quotient.get()) - shift;
  constexpr slong precision = std::numeric_limits<double>::digits;
  constexpr slong smallest = std::numeric_limits<double>::min_exponent - precision;
  slong const kept = std::min(precision, exponent - smallest);
  double const sign = fmpz_sgn(numerator) < 0 ? -1.0 : 1.0;
  if (kept < 0) return sign * 0.0;
  if (exponent > std::numeric_limits<double>::max_exponent)
    return sign * std::numeric_limits<double>::infinity();
  auto const cut = static_cast<ulong>(bits(quotient.get()) - kept);
  Integer mantissa, below, half;
  fmpz_tdiv_q_2exp(mantissa.get(), quotient.get(), cut);
  fmpz_tdiv_r_2exp(below.get(), quotient.get(), cut);
  fmpz_setbit(half.get(), cut - 1);
  int order = fmpz_cmp(below.get(), half.get());
  if (order == 0 && !fmpz_is_zero(rest.get())) order = 1;
  if (order > 0 || (order == 0 && fmpz_is_odd(mantissa.get())))
    fmpz_add_ui(mantissa.get(), mantissa.get(), 1);
  return sign * std::ldexp(static_cast<double>(fmpz_get_ui(mantissa.get())),
                           static_cast<int>(exponent - kept));
}

std::pair<double, double> enclosing(fmpz const* numerator, fmpz const* denominator) {
  double const nearest = toDouble(numerator, denominator);
  constexpr double beyond = std::numeric_limits<double>::infinity();
  if (std::isinf(nearest)) {
    double const inner = std::nextafter(nearest, 0.0);
    return nearest < 0.0 ? std::pair(nearest, inner) : std::pair(inner, nearest);
  }
  constexpr int smallest = 1074;  // 2^-1074, the unit of denormal numbers
  Integer rounded, exact;
  addTimes(rounded, nearest, denominator, smallest);
  fmpz_mul_2exp(exact.get(), numerator, smallest);
  int const order = fmpz_cmp(exact.get(), rounded.get());
  return {order < 0 ? std::nextafter(nearest, -beyond) : nearest,
          order > 0 ? std::nextafter(nearest, beyond) : nearest};
}

double restOf(fmpz const* numerator, fmpz const* denominator, double nearest) {
  if (!std::isfinite(nearest)) return 0.0;
  int const shift = std::max(0, -exactly(nearest).exponent);
  Integer rounded, rest, scale;
  addTimes(rounded, nearest, denominator, shift);
  fmpz_mul_2exp(rest.get(), numerator, static_cast<ulong>(shift));
  fmpz_sub(rest.get(), rest.get(), rounded.get());
  if (fmpz_is_zero(rest.get())) return 0.0;
  fmpz_mul_2exp(scale.get(), denominator, static_cast<ulong>(shift));
  return toDouble(rest.get(), scale.get());
}

std::string toFraction(fmpz const* numerator, fmpz const* denominator) {
  Integer top(numerator), bottom(denominator), common;
  fmpz_gcd(common.get(), numerator, denominator);
  fmpz_divexact(top.get(), top.get(), common.get());
  fmpz_divexact(bottom.get(), bottom.get(), common.get());
  return decimal(top.get()) + (fmpz_is_one(bottom.get()) ? "" : "/" + decimal(bottom.get()));
}

std::string toDigits(fmpz const* numerator, fmpz const* denominator) {
  if (fmpz_is_zero(numerator)) return "0";
  // The number of digits before the point by logarithms, at most one off either way; what is
  // rounded has 30 digits in the end.
  constexpr double decimalsPerBit = 0.30102999566398119521;
  double const bits =
      static_cast<double>(fmpz_bits(numerator)) - static_cast<double>(fmpz_bits(denominator));
  auto before = static_cast<slong>(std::floor(bits * decimalsPerBit)) + 1;
  std::string digits =
      decimal(scaledMagnitude(numerator, denominator, significantDigits - before).get());
  while (digits.size() != significantDigits) {
    slong const change = digits.size() > significantDigits ? 1 : -1;
    bool const carried = change > 0 && digits == "1" + std::string(significantDigits, '0');
    before += change;
    digits =
        carried
            ? digits.substr(0, significantDigits)
            : decimal(scaledMagnitude(numerator, denominator, significantDigits - before).get());
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  std::string const sign = fmpz_sgn(numerator) < 0 ? "-" : "";
  constexpr slong mostZeros = 5;  // 0.00000123: before that an exponent is shorter
  if (before <= significantDigits && before >= -mostZeros) return sign + withPoint(digits, before);
  slong const exponent = before - 1;
  return sign + (digits.size() > 1 ? digits.insert(1, ".") : digits) +
         (exponent < 0 ? "e-" : "e+") + std::to_string(std::labs(exponent));
}

}  // namespace osi_cuda::rational
