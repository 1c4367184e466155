// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace osi_cuda::cyclic_sweeps {

/// a y[k-1] + b y[k] + c y[k+1] = d[k] for k = 0 .. n-1, places modulo n; |b| > |a| + |c|, n >= 3.
struct CyclicMatrix {
  double a = 0.0, b = 1.0, c = 0.0;
};

/// A periodic grid, rows x columns, stored row by row, and the systems of one step in time: first
/// one along each row, of length `columns`, then one along each column, of length `rows`.
struct Grid {
  int rows = 0, columns = 0;
  CyclicMatrix alongRow, alongColumn;
  std::size_t cells() const { return std::size_t(rows) * columns; }
};
/// A step of locally one-dimensional implicit diffusion (Yanenko 1971), r = conductivity x time
/// step / width^2.
Grid diffusion(int rows, int columns, double r);

/// The lines of one direction: place k of line s is at s * across + k * along.
struct Lines {
  CyclicMatrix m;
  int length, count;
  std::size_t along, across;
};
Lines rowLines(Grid const& grid);
Lines columnLines(Grid const& grid);

/// The cyclic sweep for one matrix and many right-hand sides:
///     forward   y[k] = alpha[k] y[k+1] + beta[k] + gamma[k] y[0]
///     backward  y[k] = u[k] + y[0] v[k]
/// and y[0] from equation 0. What does not depend on right-hand sides is here.
struct Tables {
  std::vector<double> alpha, inverse, v;  ///< by place; inverse: 1 / (b + a alpha[k-1])
  double closing = 0.0;                   ///< y[0] = closing (d[0] - a u[n-1] - c u[1])
};
Tables tablesOf(CyclicMatrix const& matrix, int length);

/// The matrix as a product of two bidiagonal ones, each cyclic as well: a solve is the recurrence
/// z[k] = d[k] + forward z[k-1] around the circle, and y[k] = scale z[k] + backward y[k+1] around
/// it the other way.
struct Factors {
  double forward = 0.0, scale = 1.0, backward = 0.0;
  /// After so many places a start value has faded below a rounding of the largest value.
  int reach() const;
};
Factors factorsOf(CyclicMatrix const& matrix);

/// The systems of one direction on the host, in place; by tables, 16 lines at a time.
void solveLines(Lines const& lines, double* field, int threads);
/// `steps` steps on the host, in place: the twin of every form on a device.
void sweepOnHost(Grid const& grid, std::vector<double>& field, int steps, int threads);

}  // namespace osi_cuda::cyclic_sweeps
