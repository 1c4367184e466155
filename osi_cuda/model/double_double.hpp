// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

namespace osi_cuda {

/// A number as the unevaluated sum of two doubles, hi + lo with |lo| <= ulp(hi) / 2: about 106 bits
/// of mantissa with the range of a double. Sums after Knuth, products by fused multiply-add, as in
/// Hida, Li and Bailey, "Algorithms for quad-double precision floating point arithmetic" (2001);
/// each operation is off by a few units of 2^-104 relative to its result. What includes this has to
/// be compiled with -ffp-contract=off.
struct DoubleDouble {
  double hi = 0.0;
  double lo = 0.0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double x) : hi(x) {}  // NOLINT: every double is such a number
  constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}

  /// The nearest double.
  explicit operator double() const { return hi; }
  bool isZero() const { return hi == 0.0; }
  DoubleDouble operator-() const { return {-hi, -lo}; }
  bool operator==(DoubleDouble const&) const = default;
};

namespace double_double {

/// hi + lo = a + b exactly
inline DoubleDouble twoSum(double a, double b) {
  double const s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// The same where |a| >= |b|.
inline DoubleDouble quickTwoSum(double a, double b) {
  double const s = a + b;
  return {s, b - (s - a)};
}
/// hi + lo = a b exactly, but for underflow
inline DoubleDouble twoProduct(double a, double b) {
  double const p = a * b;
  return {p, std::fma(a, b, -p)};
}

}  // namespace double_double

inline DoubleDouble operator+(DoubleDouble const& a, DoubleDouble const& b) {
  using namespace double_double;
  DoubleDouble s = twoSum(a.hi, b.hi);
  DoubleDouble const t = twoSum(a.lo, b.lo);
  s = quickTwoSum(s.hi, s.lo + t.hi);
  return quickTwoSum(s.hi, s.lo + t.lo);
}
inline DoubleDouble operator-(DoubleDouble const& a, DoubleDouble const& b) {
  return a + (-b);
}
inline DoubleDouble operator*(DoubleDouble const& a, double b) {
  using namespace double_double;
  DoubleDouble p = twoProduct(a.hi, b);
  p.lo += a.lo * b;
  return quickTwoSum(p.hi, p.lo);
}
inline DoubleDouble operator*(double a, DoubleDouble const& b) {
  return b * a;
}
inline DoubleDouble operator*(DoubleDouble const& a, DoubleDouble const& b) {
  using namespace double_double;
  DoubleDouble p = twoProduct(a.hi, b.hi);
  p.lo += a.hi * b.lo + a.lo * b.hi;
  return quickTwoSum(p.hi, p.lo);
}
inline DoubleDouble operator/(DoubleDouble const& a, DoubleDouble const& b) {
  using namespace double_double;
  double const q1 = a.hi / b.hi;
  DoubleDouble r = a - b * q1;
  double const q2 = r.hi / b.hi;
  r = r - b * q2;
  double const q3 = r.hi / b.hi;
  DoubleDouble const q = quickTwoSum(q1, q2);
  return q + DoubleDouble(q3);
}
inline DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble const& b) {
  return a = a + b;
}
inline DoubleDouble& operator-=(DoubleDouble& a, DoubleDouble const& b) {
  return a = a - b;
}
inline DoubleDouble magnitude(DoubleDouble const& a) {
  return a.hi < 0.0 ? -a : a;
}
inline bool operator<(DoubleDouble const& a, DoubleDouble const& b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
inline bool operator>(DoubleDouble const& a, DoubleDouble const& b) {
  return b < a;
}
inline bool isFinite(DoubleDouble const& a) {
  return std::isfinite(a.hi) && std::isfinite(a.lo);
}

/// a b of two doubles, exactly but for underflow.
inline DoubleDouble exactProduct(double a, double b) {
  return double_double::twoProduct(a, b);
}

}  // namespace osi_cuda
