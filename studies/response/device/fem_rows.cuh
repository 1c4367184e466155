// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

// Products and sweeps by the rows of an assembled matrix.
namespace osi_cuda::response::device {

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

/// One colour of rows, which don't see each other: list[0 .. listed), of the colours by row.
struct RowColour {
  int const* list;
  int listed;
  int const* colour;
};

/// y = A x: CSR with eight threads a row, ELLPACK with one.
void queueMultiply(CsrRows const& a, double const* x, double* y);
void queueMultiply(EllRows const& a, double const* x, double* y);

/// One colour of a Gauss-Seidel sweep over rows that don't see each other. Forward: z = (r - sum
/// over earlier colours) / diagonal; backward, without r: z -= sum over later colours / diagonal.
void queueColour(CsrRows const& a, RowColour const& c, double const* inverse, double const* r,
                 double* z);
void queueColour(EllRows const& a, RowColour const& c, double const* inverse, double const* r,
                 double* z);

}  // namespace osi_cuda::response::device
