// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/double_double.hpp"

/// Sums of products over rows and columns, as the proofs of a batch need them: in pairs of doubles,
/// with the absolute values of their terms, from which follows how far they may be off.
namespace osi_cuda::batch {

using Pair = DoubleDouble;

/// How far a sum of `count` products may be off whose absolute values come to `terms`: formed in
/// pairs of doubles, or compensated (Ogita, Rump and Oishi 2005: (count u)^2 terms), in any order;
/// the products of numbers in two parts count twice. On host and device the same.
OSI_CUDA_HD inline double lineSumError(double count, double terms) {
  double const size = count + 16.0;
  return terms == 0.0 ? 0.0 : size * (size * (0x1p-101 * terms) + 0x1p-1060);
}

struct LineSum {
  Pair sum;
  double terms = 0.0;  ///< the absolute values of the products, summed
};

/// sum of a[k] x[k], k < length
LineSum sumOfProducts(int length, double const* a, double const* x);

/// (hi, lo)[k] += a[k] factor and terms[k] += |a[k] factor|, k < length
void addProducts(int length, double const* a, double factor, double* hi, double* lo, double* terms);

}  // namespace osi_cuda::batch
