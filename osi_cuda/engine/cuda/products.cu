// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/products.hpp"

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/sums.cuh"

namespace osi_cuda::cuda {
namespace {

/// A sum and the largest of its terms.
struct Line {
  Pair sum;
  double largest = 0.0;

  __device__ void add(double x) {
    sum.add(x);
    largest = fmax(largest, fabs(x));
  }
};

/// sign (line i times x), by the threads of a warp; all get the sum.
__device__ Line lineTimes(SparseView const& matrix, int i, int lane, double const* x, double sign) {
  Line line;
  for (std::int64_t e = matrix.starts[i] + lane; e < matrix.starts[i + 1]; e += 32) {
    double const value = sign * matrix.values[e], factor = x[matrix.indices[e]];
    line.sum.addProduct(value, factor);
    line.largest = fmax(line.largest, fabs(value * factor));
  }
  line.sum = warpSum(line.sum);
  line.largest = warpLargest(line.largest);
  return line;
}

__device__ void finishLine(Line const& line, int lane, double* out, ResidualSize* size) {
  if (lane != 0) return;
  double const result = line.sum.hi + line.sum.lo;
  *out = result;
  if (!size) return;
  raise(&size->residual, fabs(result));
  raise(&size->scale, line.largest);
}

}  // namespace

void lineProducts(cudaStream_t stream, SparseView const& matrix, double const* x, double sign,
                  double const* a, double const* b, double* out, ResidualSize* size) {
  forWarps(stream, matrix.lines, [=] __device__(int i, int lane) {
    Line line = lineTimes(matrix, i, lane, x, sign);
    if (a) line.add(a[i]);
    if (b) line.add(-b[i]);
    finishLine(line, lane, out + i, size);
  });
}

void largestResidual(cudaStream_t stream, SparseView const& matrix, double const* x, double sign,
                     double const* rest, double const* constant, double* largest) {
  forWarps(stream, matrix.lines, [=] __device__(int i, int lane) {
    double sum = 0.0, term = 0.0;
    for (std::int64_t e = matrix.starts[i] + lane; e < matrix.starts[i + 1]; e += 32) {
      double const product = matrix.values[e] * x[matrix.indices[e]];
      sum += product;
      term = fmax(term, fabs(product));
    }
    sum = sign * warpSum(sum) + rest[i];
    term = fmax(warpLargest(term), fabs(constant[i]));
    if (lane == 0) raise(largest, fabs(sum) / (1.0 + term));
  });
}

void takeSlackEntries(cudaStream_t stream, int n, int const* columnVariable, double const* b,
                      double* g) {
  forEach(stream, n, [=] __device__(int j) {
    int const v = columnVariable[j];
    g[j] = v >= n ? b[v - n] : 0.0;
  });
}

void placeBasicEntries(cudaStream_t stream, int m, int n, int const* rowVariable,
                       double const* product, double const* b, bool add, double* x) {
  forEach(stream, m, [=] __device__(int i) {
    int const v = rowVariable[i];
    double const z = product[i] + (v >= n ? b[v - n] : 0.0);
    x[v] = add ? x[v] + z : z;
  });
}

void placeMultipliers(cudaStream_t stream, int m, int n, int const* rowVariable,
                      int const* columnVariable, double const* product, double const* c, bool add,
                      double* y) {
  forEach(stream, m + n, [=] __device__(int k) {
    int const v = k < m ? rowVariable[k] : columnVariable[k - m];
    if (v < n) return;
    double const z = k < m ? c[k] : product[k - m];
    y[v - n] = add ? y[v - n] + z : z;
  });
}

void basicResiduals(cudaStream_t stream, SparseView const& columns, int m, int const* rowVariable,
                    double const* y, double const* c, double* r, ResidualSize* size) {
  forWarps(stream, m, [=] __device__(int i, int lane) {
    int const v = rowVariable[i];
    Line line;
    if (v < columns.lines)
      line = lineTimes(columns, v, lane, y, -1.0);
    else
      line.add(-y[v - columns.lines]);
    line.add(c[i]);
    finishLine(line, lane, r + i, size);
  });
}

}  // namespace osi_cuda::cuda
