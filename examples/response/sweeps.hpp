// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

namespace osi_cuda::response {

/// a y[k-1] + b y[k] + c y[k+1] = d[k] for k = 0 .. n-1, places modulo n; |b| > |a| + |c|, n >= 3.
struct CyclicMatrix {
  double a = 0.0, b = 1.0, c = 0.0;
};

/// A periodic grid, rows x columns, stored row by row, and the systems of one step in time: first
/// one along each row, of length `columns`, then one along each column, of length `rows`. With
/// a = c = -r and b = 1 + 2 r this is a step of locally one-dimensional implicit diffusion
/// (Yanenko 1971), r = conductivity x time step / width^2.
struct SweepCase {
  int rows = 0, columns = 0;
  CyclicMatrix alongRow, alongColumn;
  std::size_t cells() const { return std::size_t(rows) * columns; }
};
SweepCase diffusion(int rows, int columns, double r);

/// The cyclic sweep for one matrix and many right-hand sides:
///     forward   y[k] = alpha[k] y[k+1] + beta[k] + gamma[k] y[0]
///     backward  y[k] = u[k] + y[0] v[k]
/// and y[0] from equation 0. What does not depend on right-hand sides is here.
struct SweepTables {
  std::vector<double> alpha, gamma, inverse, v;  ///< by place; inverse: 1 / (b + a alpha[k-1])
  double closing = 0.0;                          ///< y[0] = closing (d[0] - a u[n-1] - c u[1])
};
SweepTables tablesOf(CyclicMatrix const& matrix, int length);

/// `steps` steps on the host, in place.
void sweepOnHost(SweepCase const& grid, std::vector<double>& field, int steps, int threads);

}  // namespace osi_cuda::response
