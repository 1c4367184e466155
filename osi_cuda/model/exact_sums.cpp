// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: a product that is fused with the sum it goes into has no error
// left to be told.
#include "osi_cuda/model/exact_sums.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define OSI_CUDA_VECTORS __attribute__((target("avx2,fma")))
#else
#define OSI_CUDA_VECTORS
#endif

namespace osi_cuda::exact {

bool available() {
#if defined(__x86_64__) && defined(__GNUC__)
  static bool const there = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return there;
#else
  return false;
#endif
}

OSI_CUDA_VECTORS void addTimes(std::size_t length, double const* __restrict value, double x,
                               double* __restrict hi, double* __restrict lo) {
  for (std::size_t k = 0; k < length; ++k) {
    double const p = value[k] * x, rest = __builtin_fma(value[k], x, -p);
    double const s = hi[k] + p, b = s - hi[k];
    lo[k] += ((hi[k] - (s - b)) + (p - b)) + rest;
    hi[k] = s;
  }
}

OSI_CUDA_VECTORS void add(std::size_t length, double const* __restrict otherHi,
                          double const* __restrict otherLo, double* __restrict hi,
                          double* __restrict lo) {
  for (std::size_t k = 0; k < length; ++k) {
    double const s = hi[k] + otherHi[k], b = s - hi[k];
    lo[k] += ((hi[k] - (s - b)) + (otherHi[k] - b)) + otherLo[k];
    hi[k] = s;
  }
}

OSI_CUDA_VECTORS long double product(std::size_t length, double const* __restrict value,
                                     double const* __restrict y) {
  constexpr std::size_t lanes = 16;
  double hi[lanes] = {}, lo[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= length; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      double const p = value[k + l] * y[k + l], rest = __builtin_fma(value[k + l], y[k + l], -p);
      double const s = hi[l] + p, b = s - hi[l];
      lo[l] += ((hi[l] - (s - b)) + (p - b)) + rest;
      hi[l] = s;
    }
  long double sum = 0.0L;
  for (std::size_t l = 0; l < lanes; ++l) sum += static_cast<long double>(hi[l]) + lo[l];
  for (; k < length; ++k) sum += static_cast<long double>(value[k]) * y[k];
  return sum;
}

}  // namespace osi_cuda::exact
