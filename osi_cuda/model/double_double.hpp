// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

#include "osi_cuda/base/host_device.hpp"

namespace osi_cuda {

/// A number as the unevaluated sum of two doubles, hi + lo with |lo| <= ulp(hi) / 2: about 106 bits
/// of mantissa with the range of a double. Sums after Knuth, products by fused multiply-add, as in
/// Hida, Li and Bailey, "Algorithms for quad-double precision floating point arithmetic" (2001);
/// each operation is off by at most 2^-102 of its result. For host and device: on the host, what
/// includes this has to be compiled with -ffp-contract=off; on the device sums and products are
/// named, so that the compiler fuses none.
struct DoubleDouble {
  double hi = 0.0;
  double lo = 0.0;

  constexpr DoubleDouble() = default;
  OSI_CUDA_HD constexpr DoubleDouble(double x) : hi(x) {}  // NOLINT: every double is such a number
  OSI_CUDA_HD constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}

  /// The nearest double.
  OSI_CUDA_HD explicit operator double() const { return hi; }
  OSI_CUDA_HD bool isZero() const { return hi == 0.0; }
  OSI_CUDA_HD DoubleDouble operator-() const { return {-hi, -lo}; }
  bool operator==(DoubleDouble const&) const = default;
};

namespace double_double {

/// Less than this, beside the terms or the largest number of a solve in pairs of doubles, is its
/// rounding: what the last bits of two doubles make is some 1e-16, what the arithmetic adds some
/// 1e-32 times growth.
inline constexpr double solveRounding = 1e-24;

OSI_CUDA_HD inline double plainSum(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(a, b);
#else
  return a + b;
#endif
}
OSI_CUDA_HD inline double plainProduct(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

/// hi + lo = a + b exactly
OSI_CUDA_HD inline DoubleDouble twoSum(double a, double b) {
  double const s = plainSum(a, b), t = plainSum(s, -a);
  return {s, plainSum(plainSum(a, -plainSum(s, -t)), plainSum(b, -t))};
}
/// The same where |a| >= |b|.
OSI_CUDA_HD inline DoubleDouble quickTwoSum(double a, double b) {
  double const s = plainSum(a, b);
  return {s, plainSum(b, -plainSum(s, -a))};
}
/// hi + lo = a b exactly, but for underflow
OSI_CUDA_HD inline DoubleDouble twoProduct(double a, double b) {
  double const p = plainProduct(a, b);
  return {p, fma(a, b, -p)};
}

}  // namespace double_double

OSI_CUDA_HD inline DoubleDouble operator+(DoubleDouble const& a, DoubleDouble const& b) {
  using namespace double_double;
  DoubleDouble s = twoSum(a.hi, b.hi);
  DoubleDouble const t = twoSum(a.lo, b.lo);
  s = quickTwoSum(s.hi, plainSum(s.lo, t.hi));
  return quickTwoSum(s.hi, plainSum(s.lo, t.lo));
}
OSI_CUDA_HD inline DoubleDouble operator-(DoubleDouble const& a, DoubleDouble const& b) {
  return a + (-b);
}
OSI_CUDA_HD inline DoubleDouble operator*(DoubleDouble const& a, double b) {
  using namespace double_double;
  DoubleDouble const p = twoProduct(a.hi, b);
  return quickTwoSum(p.hi, plainSum(p.lo, plainProduct(a.lo, b)));
}
OSI_CUDA_HD inline DoubleDouble operator*(double a, DoubleDouble const& b) {
  return b * a;
}
OSI_CUDA_HD inline DoubleDouble operator*(DoubleDouble const& a, DoubleDouble const& b) {
  using namespace double_double;
  DoubleDouble const p = twoProduct(a.hi, b.hi);
  double const rest = plainSum(plainProduct(a.hi, b.lo), plainProduct(a.lo, b.hi));
  return quickTwoSum(p.hi, plainSum(p.lo, rest));
}
OSI_CUDA_HD inline DoubleDouble operator/(DoubleDouble const& a, DoubleDouble const& b) {
  using namespace double_double;
  double const q1 = a.hi / b.hi;
  DoubleDouble r = a - b * q1;
  double const q2 = r.hi / b.hi;
  r = r - b * q2;
  double const q3 = r.hi / b.hi;
  DoubleDouble const q = quickTwoSum(q1, q2);
  return q + DoubleDouble(q3);
}
OSI_CUDA_HD inline DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble const& b) {
  return a = a + b;
}
OSI_CUDA_HD inline DoubleDouble& operator-=(DoubleDouble& a, DoubleDouble const& b) {
  return a = a - b;
}
OSI_CUDA_HD inline DoubleDouble magnitude(DoubleDouble const& a) {
  return a.hi < 0.0 ? -a : a;
}
OSI_CUDA_HD inline bool operator<(DoubleDouble const& a, DoubleDouble const& b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
OSI_CUDA_HD inline bool operator>(DoubleDouble const& a, DoubleDouble const& b) {
  return b < a;
}
inline bool isFinite(DoubleDouble const& a) {
  return std::isfinite(a.hi) && std::isfinite(a.lo);
}

/// a b of two doubles, exactly but for underflow.
OSI_CUDA_HD inline DoubleDouble exactProduct(double a, double b) {
  return double_double::twoProduct(a, b);
}

}  // namespace osi_cuda
