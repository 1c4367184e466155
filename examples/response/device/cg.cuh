// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>

#include "examples/common/device.cuh"
#include "examples/response/fem.hpp"

// Vectors lie row by row, `width` columns each: neighbouring threads own neighbouring columns, and
// a row of a matrix is read once for all of them. `width` is a power of two, at most 256.
namespace osi_cuda::response::device {

constexpr unsigned threads = 128;  // of a block, but for sums

/// Rows of an assembled matrix.
struct CsrRows {
  int rows;
  int const *start, *column;
  double const* value;
  __device__ int entries(int i) const { return start[i + 1] - start[i]; }
  __device__ std::size_t at(int i, int k) const { return std::size_t(start[i]) + k; }
};
struct EllRows {
  int rows, width;
  int const* column;
  double const* value;
  __device__ int entries(int) const { return width; }
  __device__ std::size_t at(int i, int k) const { return std::size_t(k) * rows + i; }
};

/// Y = A X. CSR of one column: eight threads a row; else a thread an entry of Y.
void queueMultiply(CsrRows const& a, double const* x, int width, double* y, cudaStream_t stream);
void queueMultiply(EllRows const& a, double const* x, int width, double* y, cudaStream_t stream);

/// A colour of rows, which do not see each other: list[0 .. listed), and the colours of all rows.
struct RowColour {
  int const* list;
  int listed;
  int const* colour;
};
/// One colour of a Gauss-Seidel sweep. Forward: z = (r - sum over earlier colours) / diagonal;
/// backward, without r: z -= sum over later colours / diagonal.
void queueColour(CsrRows const& a, RowColour const& c, double const* inverse, double const* r,
                 int width, double* z, cudaStream_t stream);
void queueColour(EllRows const& a, RowColour const& c, double const* inverse, double const* r,
                 int width, double* z, cudaStream_t stream);

/// z = D^-1 r.
void queueScale(std::size_t rows, double const* inverse, double const* r, int width, double* z,
                cudaStream_t stream);

/// Puts a map from one vector to another into the stream.
using Queue = std::function<void(double const* in, double* out)>;
Timed conjugateGradients(CgRequest const& request, Queue const& multiply, Queue const& precondition,
                         cudaStream_t stream);

}  // namespace osi_cuda::response::device
