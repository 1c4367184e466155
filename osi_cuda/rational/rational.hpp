// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <flint/fmpq.h>

#include <compare>
#include <string>

#include "osi_cuda/rational/dyadic.hpp"

namespace osi_cuda::rational {

/// A rational number of any length.
class Rational {
 public:
  Rational() { fmpq_init(value_); }
  /// A finite double, as it is.
  Rational(double value) : Rational() {  // NOLINT: exact
    Dyadic const exact = exactly(value);
    fmpq_set_si(value_, exact.mantissa, 1);
    if (exact.exponent >= 0)
      fmpq_mul_2exp(value_, value_, static_cast<flint_bitcnt_t>(exact.exponent));
    else
      fmpq_div_2exp(value_, value_, static_cast<flint_bitcnt_t>(-exact.exponent));
  }
  /// "p/q" or "p".
  explicit Rational(std::string const& fraction) : Rational() {
    fmpq_set_str(value_, fraction.c_str(), 10);
  }
  Rational(Rational const& other) : Rational() { fmpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(value_, other.value_); }
  Rational& operator=(Rational other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { fmpq_clear(value_); }

  fmpq* get() { return value_; }
  fmpz const* numerator() const { return fmpq_numref(value_); }
  fmpz const* denominator() const { return fmpq_denref(value_); }
  int sign() const { return fmpq_sgn(value_); }
  std::string text() const { return toFraction(numerator(), denominator()); }

  Rational floor() const {
    Rational result;
    fmpz_fdiv_q(fmpq_numref(result.value_), numerator(), denominator());
    return result;
  }
  Rational ceil() const { return -(-*this).floor(); }
  Rational operator-() const {
    Rational result;
    fmpq_neg(result.value_, value_);
    return result;
  }
  Rational& operator+=(Rational const& b) {
    fmpq_add(value_, value_, b.value_);
    return *this;
  }
  Rational& operator*=(Rational const& b) {
    fmpq_mul(value_, value_, b.value_);
    return *this;
  }
  /// By a number that is not 0.
  Rational& operator/=(Rational const& b) {
    fmpq_div(value_, value_, b.value_);
    return *this;
  }
  friend Rational operator+(Rational a, Rational const& b) { return a += b; }
  friend Rational operator-(Rational a, Rational const& b) { return a += -b; }
  friend Rational operator*(Rational a, Rational const& b) { return a *= b; }
  friend Rational operator/(Rational a, Rational const& b) { return a /= b; }
  friend bool operator==(Rational const& a, Rational const& b) {
    return fmpq_equal(a.value_, b.value_);
  }
  friend std::strong_ordering operator<=>(Rational const& a, Rational const& b) {
    return fmpq_cmp(a.value_, b.value_) <=> 0;
  }

 private:
  fmpq_t value_;
};

}  // namespace osi_cuda::rational
