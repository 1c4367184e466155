// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: it tells the rounding errors of products.
#include "osi_cuda/batch/line_sums.hpp"

#include "osi_cuda/base/wide_registers.hpp"

namespace osi_cuda::batch {

// Several sums at a time, so that they fill wide registers.
OSI_CUDA_FMA_CLONES LineSum sumOfProducts(int length, double const* __restrict a,
                                          double const* __restrict x) {
  constexpr int lanes = 16;
  double hi[lanes] = {}, lo[lanes] = {}, size[lanes] = {};
  int k = 0;
  for (; k + lanes <= length; k += lanes)
    for (int l = 0; l < lanes; ++l) {
      double const p = a[k + l] * x[k + l], rest = __builtin_fma(a[k + l], x[k + l], -p);
      double const s = hi[l] + p, b = s - hi[l];
      lo[l] += ((hi[l] - (s - b)) + (p - b)) + rest;
      hi[l] = s;
      size[l] += __builtin_fabs(p);
    }
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) {
      double const s = hi[l] + hi[l + half], b = s - hi[l];
      lo[l] += ((hi[l] - (s - b)) + (hi[l + half] - b)) + lo[l + half];
      hi[l] = s;
      size[l] += size[l + half];
    }
  LineSum line{double_double::twoSum(hi[0], lo[0]), size[0]};
  for (; k < length; ++k) {
    Pair const term = exactProduct(a[k], x[k]);
    line.sum = line.sum + term;
    line.terms += __builtin_fabs(term.hi);
  }
  return line;
}

OSI_CUDA_FMA_CLONES void addProducts(int length, double const* __restrict a, double factor,
                                     double* __restrict hi, double* __restrict lo,
                                     double* __restrict terms) {
  for (int k = 0; k < length; ++k) {
    double const p = a[k] * factor, rest = __builtin_fma(a[k], factor, -p);
    double const s = hi[k] + p, b = s - hi[k];
    lo[k] += ((hi[k] - (s - b)) + (p - b)) + rest;
    hi[k] = s;
    terms[k] += __builtin_fabs(p);
  }
}

}  // namespace osi_cuda::batch
