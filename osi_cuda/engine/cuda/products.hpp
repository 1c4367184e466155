// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "osi_cuda/base/host_device.hpp"

/// Products with the matrix A in extended precision, and what solves with the basis need
/// besides products with the tableau. Each function starts a kernel on a stream; all arrays are in
/// device memory; sums have a fixed order.
namespace osi_cuda::cuda {

/// A matrix by lines, columns of A or its rows: sparse by lists, or full. Of a full one the same
/// numbers are seen both ways, by steps; it has no lists.
struct LinesView {
  int lines = 0;
  std::int64_t const* starts = nullptr;  ///< lines + 1; null: the matrix is full
  int const* indices = nullptr;
  double const* values = nullptr;
  int length = 0;                       ///< of a full matrix: entries of a line
  std::int64_t lineStep = 0, step = 0;  ///< and from line to line, from entry to entry

  OSI_CUDA_HD bool full() const { return !starts; }
  /// Entries begin to end - 1 are those of a line.
  OSI_CUDA_HD std::int64_t begin(int line) const { return full() ? 0 : starts[line]; }
  OSI_CUDA_HD std::int64_t end(int line) const { return full() ? length : starts[line + 1]; }
  OSI_CUDA_HD int index(std::int64_t e) const { return full() ? static_cast<int>(e) : indices[e]; }
  OSI_CUDA_HD double value(int line, std::int64_t e) const {
    return values[full() ? line * lineStep + e * step : e];
  }
  /// Whether neighbouring lines, not neighbouring entries, lie side by side.
  bool across() const { return full() && step != 1; }
  /// `count` lines from `first` on.
  LinesView part(int first, int count) const {
    LinesView some = *this;
    some.lines = count;
    if (full())
      some.values += first * lineStep;
    else
      some.starts += first;
    return some;
  }
};

/// All lines x length numbers of an array: by lines, or across them.
inline LinesView fullLines(double const* values, int lines, int length, bool byLines) {
  LinesView view{lines, nullptr, nullptr, values, length, 1, lines};
  if (byLines) view.lineStep = length, view.step = 1;
  return view;
}

/// The largest residual of a system's lines, and the largest term that went into them.
struct ResidualSize {
  double residual = 0.0;
  double scale = 0.0;
};

/// out_i = a_i - b_i + sign (sum over line i of A times x), the sum as a pair of doubles; a and b
/// may be null. `size`, if given, grows to the largest |out_i| and the largest term.
void lineProducts(cudaStream_t stream, LinesView const& matrix, double const* x, double sign,
                  double const* a, double const* b, double* out, ResidualSize* size = nullptr);

/// largest[0] = max_i |rest_i + sign (line i times x)| / (1 + largest term)
void largestResidual(cudaStream_t stream, LinesView const& matrix, double const* x, double sign,
                     double const* rest, double const* constant, double* largest);

// ---- solves: the columns of T that belong to nonbasic slacks are columns of B^-1, the other
//      columns of B^-1 are units. `variable` is by position: m rows, or n columns; n structurals.

/// g_j = b of the slack of column j, or zero where that variable is structural; j < n
void takeSlackEntries(cudaStream_t stream, int n, int const* columnVariable, double const* b,
                      double* g);
/// x of basic variable i (+)= product_i + (b of its own row where it is a slack); i < m
void placeBasicEntries(cudaStream_t stream, int m, int n, int const* rowVariable,
                       double const* product, double const* b, bool add, double* x);
/// y by constraint (+)= c_i of the basic slacks, product_j of the nonbasic ones
void placeMultipliers(cudaStream_t stream, int m, int n, int const* rowVariable,
                      int const* columnVariable, double const* product, double const* c, bool add,
                      double* y);
/// r_i = c_i - (column of basic variable i) y, as lineProducts does it; i < m
void basicResiduals(cudaStream_t stream, LinesView const& columns, int m, int const* rowVariable,
                    double const* y, double const* c, double* r, ResidualSize* size);

}  // namespace osi_cuda::cuda
