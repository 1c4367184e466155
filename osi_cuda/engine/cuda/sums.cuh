// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/products.hpp"
#include "osi_cuda/engine/cuda/warp.cuh"

/// Sums of a warp, also in extended precision, and lines of a matrix times a vector.
namespace osi_cuda::cuda {

__device__ inline double warpSum(double x) {
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(~0u, x, distance);
  return x;
}

/// A sum of doubles kept as a pair, hi + lo (Dekker 1971, Knuth's two-sum).
struct Pair {
  double hi = 0.0, lo = 0.0;

  __device__ void add(double x) {
    double const s = hi + x;
    double const b = s - hi;
    lo += (hi - (s - b)) + (x - b);
    hi = s;
  }
  __device__ void addProduct(double x, double y) {
    double const p = x * y;
    add(p);
    lo += fma(x, y, -p);
  }
  __device__ void join(Pair const& other) {
    add(other.hi);
    lo += other.lo;
  }
};

__device__ inline Pair warpSum(Pair x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    double const hi = __shfl_xor_sync(~0u, x.hi, distance);
    double const lo = __shfl_xor_sync(~0u, x.lo, distance);
    x.join({hi, lo});
  }
  return x;
}

__device__ inline double warpLargest(double x) {
  for (int distance = 16; distance > 0; distance /= 2)
    x = fmax(x, __shfl_xor_sync(~0u, x, distance));
  return x;
}

/// *largest = max(*largest, x), x >= 0. Numbers that are not finite count as 1e300.
__device__ inline void raise(double* largest, double x) {
  double const size = isfinite(x) ? x : 1e300;
  if (size <= *static_cast<double volatile*>(largest)) return;  // it only ever grows
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(size)));
}

/// A sum and the largest of its terms.
struct Line {
  Pair sum;
  double largest = 0.0;

  __device__ void add(double x) {
    sum.add(x);
    largest = fmax(largest, fabs(x));
  }
  __device__ void join(Line const& other) {
    sum.join(other.sum);
    largest = fmax(largest, other.largest);
  }
};

__device__ inline void addEntry(LinesView const& matrix, int i, std::int64_t e, double const* x,
                                double sign, Line& line) {
  double const value = sign * matrix.value(i, e), factor = x[matrix.index(e)];
  line.sum.addProduct(value, factor);
  line.largest = fmax(line.largest, fabs(value * factor));
}

/// sign (line i times x), by the threads of a warp; all get the sum.
__device__ inline Line lineTimes(LinesView const& matrix, int i, int lane, double const* x,
                                 double sign) {
  Line line;
#pragma unroll 4
  for (std::int64_t e = matrix.begin(i) + lane; e < matrix.end(i); e += 32)
    addEntry(matrix, i, e, x, sign, line);
  line.sum = warpSum(line.sum);
  line.largest = warpLargest(line.largest);
  return line;
}

}  // namespace osi_cuda::cuda
