// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/model/linear_program.hpp"

/// Sums whose rounding is bounded. Compensated summation and products after Ogita, Rump and Oishi,
/// "Accurate sum and dot product" (2005), with a running error bound in place of their a-priori
/// one. For host and device; on the host, what includes this has to be compiled with
/// -ffp-contract=off.
namespace osi_cuda::proof {

OSI_CUDA_HD inline bool isNumber(double x) {
  return fabs(x) < infinity;
}

/// The larger one; infinite where one of them is no number.
OSI_CUDA_HD inline double worse(double a, double b) {
  return b <= a ? a : b > a ? b : infinity;
}

/// Not below what `x` >= 0 stands for, where x was formed from it by up to 2^20 roundings, all of
/// sums, products and quotients of numbers >= 0.
OSI_CUDA_HD inline double upward(double x) {
  return double_double::plainProduct(x, 1.0 + 0x1p-32);
}

/// The same where `x` was formed by up to eight roundings.
OSI_CUDA_HD inline double justAbove(double x) {
  return double_double::plainProduct(x, 1.0 + 0x1p-49);
}

/// A number that was computed, and how far at most it is from the number that it stands for.
struct Bounded {
  DoubleDouble value;
  double error = 0.0;

  Bounded() = default;
  OSI_CUDA_HD Bounded(DoubleDouble const& exact, double off = 0.0)  // NOLINT: so is every number
      : value(exact), error(off) {}
  OSI_CUDA_HD Bounded(double exact) : value(exact) {}  // NOLINT: as above

  OSI_CUDA_HD bool isNumber() const {
    return proof::isNumber(value.hi) && proof::isNumber(value.lo) && proof::isNumber(error);
  }
  /// It is known to be zero.
  OSI_CUDA_HD bool isZero() const { return value.hi == 0.0 && value.lo == 0.0 && error == 0.0; }
  /// Its sign is that of value.hi.
  OSI_CUDA_HD bool hasSign() const { return fabs(value.hi) > 2.0 * error; }
  /// Its absolute value at most.
  OSI_CUDA_HD double most() const {
    bool const exact = value.lo == 0.0 && error == 0.0;
    return exact ? fabs(value.hi) : justAbove(fabs(value.hi) + upward(error));
  }
};

/// What one operation of double-double arithmetic with a result of that size may be off.
OSI_CUDA_HD inline double operationError(double size) {
  return double_double::plainProduct(0x1p-101, fabs(size)) + 0x1p-1060;
}
OSI_CUDA_HD inline Bounded operator-(Bounded const& a) {
  return {-a.value, a.error};
}
OSI_CUDA_HD inline Bounded operator+(Bounded const& a, Bounded const& b) {
  double const before = upward(a.error + b.error);
  if (a.value.lo == 0.0 && b.value.lo == 0.0)  // the sum of two doubles is a pair
    return {double_double::twoSum(a.value.hi, b.value.hi), before};
  DoubleDouble const sum = a.value + b.value;
  return {sum, before + operationError(sum.hi)};
}
OSI_CUDA_HD inline Bounded operator-(Bounded const& a, Bounded const& b) {
  return a + -b;
}
OSI_CUDA_HD inline Bounded operator*(Bounded const& a, Bounded const& b) {
  if (a.isZero() || b.isZero()) return {};
  DoubleDouble const product = a.value * b.value;
  bool const exact =  // the product of two doubles is a pair
      a.value.lo == 0.0 && b.value.lo == 0.0 && fabs(product.hi) > 0x1p-960;
  double const off = fabs(a.value.hi) * b.error + fabs(b.value.hi) * a.error + a.error * b.error;
  return {product, upward(2.0 * off) + (exact ? 0.0 : operationError(product.hi))};
}

/// A sum of products of doubles, and a bound of its error that grows with what rounding took away:
/// it is zero where nothing was rounded.
class Sum {
 public:
  /// a b
  OSI_CUDA_HD void add(double a, double b) {
    using namespace double_double;
    DoubleDouble const p = twoProduct(a, b), s = twoSum(hi_, p.hi);
    double const lost = plainSum(s.lo, p.lo);
    hi_ = s.hi;
    lo_ = plainSum(lo_, lost);
    lost_ += fabs(lost);
    if (fabs(p.hi) < 0x1p-960 && a != 0.0 && b != 0.0) lost_ += 0x1p-1000;  // underflow
    terms_ += fabs(p.hi);
    count_ += 1.0;
  }
  OSI_CUDA_HD void add(DoubleDouble const& a, double b) {
    add(a.hi, b);
    if (a.lo != 0.0) add(a.lo, b);
  }
  OSI_CUDA_HD void add(double a) { add(a, 1.0); }

  /// The absolute values of the products, summed and rounded.
  OSI_CUDA_HD double terms() const { return terms_; }
  OSI_CUDA_HD Bounded value() const {
    return {double_double::twoSum(hi_, lo_), errorOf(lost_, count_)};
  }
  /// The error of `count` products where what was rounded away comes to `lost`: each of these
  /// remainders was rounded once when it was formed, and once when it was added to the others.
  OSI_CUDA_HD static double errorOf(double lost, double count) {
    return (count + 2.0) * (0x1p-51 * lost);
  }

 private:
  double hi_ = 0.0, lo_ = 0.0, lost_ = 0.0, terms_ = 0.0, count_ = 0.0;
};

}  // namespace osi_cuda::proof
