// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>

#include "osi_cuda/simplex/host_device.hpp"

/// Numbers as unevaluated sums of two doubles, as in model/double_double.hpp, for processor and
/// device alike. On the processor what includes this has to be compiled with -ffp-contract=off; on
/// the device sums and products are named, so that the compiler fuses none.
namespace osi_cuda::batch {

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

struct Pair {
  double hi = 0.0, lo = 0.0;
};

/// a + b exactly (Knuth)
OSI_CUDA_HD inline Pair twoSum(double a, double b) {
  double const s = plainSum(a, b), t = plainSum(s, -a);
  return {s, plainSum(plainSum(a, -plainSum(s, -t)), plainSum(b, -t))};
}
/// The same where |a| >= |b|.
OSI_CUDA_HD inline Pair quickTwoSum(double a, double b) {
  double const s = plainSum(a, b);
  return {s, plainSum(b, -plainSum(s, -a))};
}
/// a b exactly, but for underflow
OSI_CUDA_HD inline Pair twoProduct(double a, double b) {
  double const p = plainProduct(a, b);
  return {p, fma(a, b, -p)};
}
OSI_CUDA_HD inline Pair operator+(Pair const& a, Pair const& b) {
  Pair s = twoSum(a.hi, b.hi);
  Pair const t = twoSum(a.lo, b.lo);
  s = quickTwoSum(s.hi, plainSum(s.lo, t.hi));
  return quickTwoSum(s.hi, plainSum(s.lo, t.lo));
}
OSI_CUDA_HD inline Pair operator-(Pair const& a) {
  return {-a.hi, -a.lo};
}
OSI_CUDA_HD inline Pair operator-(Pair const& a, Pair const& b) {
  return a + -b;
}
OSI_CUDA_HD inline Pair operator*(Pair const& a, double b) {
  Pair const p = twoProduct(a.hi, b);
  return quickTwoSum(p.hi, plainSum(p.lo, plainProduct(a.lo, b)));
}
OSI_CUDA_HD inline Pair combinePairs(Pair const& a, Pair const& b) {
  return a + b;
}

}  // namespace osi_cuda::batch
