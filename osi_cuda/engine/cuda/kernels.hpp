// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "osi_cuda/engine/cuda/products.hpp"
#include "osi_cuda/engine/cuda/views.hpp"
#include "osi_cuda/engine/engine.hpp"

/// Kernels around the pivots, each behind a function that starts it on a stream. All arrays are in
/// device memory unless a name says otherwise; sums have a fixed order.
namespace osi_cuda::cuda {

// ---- vectors by position and by variable

/// target[i] = source[variable[i]], i < count
void gatherByVariable(cudaStream_t stream, int count, int const* variable, double const* source,
                      double* target);
/// target[variable[i]] = source[i]; a null source writes zeros
void scatterByVariable(cudaStream_t stream, int count, int const* variable, double const* source,
                       double* target);
/// The point by variable, and the reduced costs (0 for basic variables); where asked for, the
/// variables by position, and cost += the shifts of the last launch.
void collectPoint(cudaStream_t stream, TableauView const& t, double* value, double* reducedCost,
                  int* variables = nullptr, bool shifts = false);
/// Bounds by position, from bounds by variable.
void gatherBounds(cudaStream_t stream, TableauView const& t, double const* lower,
                  double const* upper);
/// target[i] = numbers[i], at most mostFew, which travel with the launch
constexpr std::size_t mostFew = 8;
void putFew(cudaStream_t stream, std::span<double const> numbers, double* target);
/// out[i] = a[i] - b[i]
void subtract(cudaStream_t stream, int length, double const* a, double const* b, double* out);
/// target[i] = first + i
void count(cudaStream_t stream, int length, int first, int* target);
/// target[i] = value
void fill(cudaStream_t stream, int length, double value, double* target);
/// x[i] = -x[i]
void negate(cudaStream_t stream, int length, double* x);
/// x[i] = a[i] - x[i]
void subtractFrom(cudaStream_t stream, int length, double const* a, double* x);
/// x[i] += a[i]
void add(cudaStream_t stream, int length, double const* a, double* x);

// ---- the tableau

/// out[k] = sum over i < lines of g[i] factors[i, k], k < used; `factors` by rows of `stride`
void combineLines(cudaStream_t stream, int lines, int used, double const* factors, int stride,
                  double const* g, double* out);
/// out[i] -= factors[i,:] g, i < lines
void subtractProducts(cudaStream_t stream, int lines, int used, double const* factors, int stride,
                      double const* g, double* out);

/// Whether a product of so many lines with an m x n matrix takes less time than cuBLAS's choice of
/// a kernel for it, 20 us of the processor.
inline bool isQuick(int lines, int m, int n) {
  return lines <= 32 && static_cast<double>(m) * n <= 8e6;
}
/// base <- base - U'V, m x n by rows; few factors
void subtractFew(cudaStream_t stream, TableauView const& t, int used, double* base);
/// rows[k, j] -= sum over i < m of factor[k, i] base[i, j], j < n; few rows
void subtractCombinations(cudaStream_t stream, int rows, int m, int n, double const* factor,
                          double const* base, double* target);

/// base[rowPlace[i], columnPlace[j]] = a_ij where both places are >= 0; `rows` is A by rows. A null
/// array of places means the identity. The leading dimension of base is `stride`. So a full array
/// is transposed, too.
void placeRows(cudaStream_t stream, LinesView const& rows, int const* rowPlace,
               int const* columnPlace, double* base, std::int64_t stride);
/// base[i, j] = a_ij; `columns` is A by columns.
void placeColumns(cudaStream_t stream, LinesView const& columns, double* base, std::int64_t stride);
/// base[place[a], first + a] = 1, a < count
void placeUnits(cudaStream_t stream, int count, int const* place, int first, double* base,
                std::int64_t stride);
/// base[i, j] *= factor[variable of row i] / factor[variable of column j]; factors by variable
void scaleByVariable(cudaStream_t stream, TableauView const& t, double const* factor, double* base);
/// g_i = phase-1 cost of row position i
void phase1Costs(cudaStream_t stream, int m, RowState const& rows, double tolerance, double* g);

// ---- weights

/// columns.weight[j] = 1 + ||D[:,j]||^2
void exactColumnWeights(cudaStream_t stream, TableauView const& t);
/// rows.weight[i] = squared norm of row i of B^-1, at least rules::leastRowWeight
void exactRowWeights(cudaStream_t stream, TableauView const& t);
/// shadow <- D in single precision
void takeShadow(cudaStream_t stream, TableauView const& t);
/// signs[i k + l] = S(l, i), i < count
void sketchSigns(cudaStream_t stream, int count, int k, double* signs);
/// the same for the slacks among the variables, zeros for structurals; n structurals
void slackSigns(cudaStream_t stream, int count, int k, int n, int const* variable, double* signs);
/// columnSketch and columns.weight from Z' in double precision, n x k by rows
void takeColumnSketch(cudaStream_t stream, TableauView const& t, double const* sketch);
/// rowSketch and rows.weight from W in double precision, m x k by rows, without the unit columns of
/// basic slacks
void takeRowSketch(cudaStream_t stream, TableauView const& t, double const* sketch);

// ---- measures

/// *result (memory that the device reaches) = infeasibilities of the point
void measurePoint(cudaStream_t stream, TableauView const& t, double primalTolerance,
                  double dualTolerance, Measure* result);

/// diagonal[k] = lu[k, k]
void takeDiagonal(cudaStream_t stream, int size, double const* lu, double* diagonal);
/// x[i] = mark[i] ? x[i] : 0
void keepMarked(cudaStream_t stream, int length, char const* mark, double* x);

}  // namespace osi_cuda::cuda
