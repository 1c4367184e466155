// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "examples/cyclic_sweeps/cyclic.hpp"
#include "osi_cuda/base/host_device.hpp"

namespace osi_cuda::cyclic_sweeps {

/// A transverse electric field on a periodic grid of square cells (Yee 1966), row by row: hz at
/// cells' centres, ex at the middle of their lower sides, ey of their left sides. Row i is at
/// y = i width, column j at x = j width; permittivity and permeability are 1.
struct MaxwellField {
  int rows = 0, columns = 0;
  double width = 1.0;  ///< of a cell
  std::vector<double> ex, ey, hz;
  std::size_t cells() const { return std::size_t(rows) * columns; }
};

/// The plane wave hz = cos(2 pi (m x / length + n y / height) - omega t) at the time t, m and n its
/// periods across the grid.
MaxwellField planeWave(int rows, int columns, double width, int m, int n, double time);

/// `steps` steps in place by the splitting of Zheng, Chen and Zhang (2000), as Namiki (1999) has it
/// in the plane: in the first half of a step what acts along rows is implicit, in the second what
/// acts along columns; each is a tridiagonal system with corners on every line, solved by cyclic
/// sweeps. Stable for steps of any length, of second order.
void splitMaxwell(MaxwellField& field, double step, int steps, int threads);

/// |(1 - step / 2 A) field|^2 per cell, A what acts along columns: the splitting keeps it, since
/// both parts are skew-symmetric and (1 + s B)(1 - s B)^-1 is therefore orthogonal.
double splitEnergy(MaxwellField const& field, double step);

// ---- what is done at a cell, written once for host and device

/// A direction of the grid: e is the electric part that sees it, and de/dt = sign d(hz), dhz/dt =
/// sign d(e) along it; sign is 1 along columns (e = ex) and -1 along rows (e = ey).
struct Cell {
  std::size_t at, next, before;
};
OSI_CUDA_HD inline Cell cellOf(std::size_t at, int rows, int columns, bool alongRows) {
  std::size_t const width = std::size_t(columns), cells = width * rows, j = at % width;
  if (alongRows) return {at, j + 1 < width ? at + 1 : at - j, j > 0 ? at - 1 : at + width - 1};
  return {at, at + width < cells ? at + width : at + width - cells,
          at >= width ? at - width : at + cells - width};
}

/// (1 + s D) of e and hz, D the direction's part of the equations; f = sign s / width.
OSI_CUDA_HD inline void explicitCell(Cell c, double f, double const* e, double const* hz,
                                     double* newE, double* newHz) {
  newHz[c.at] = hz[c.at] + f * (e[c.next] - e[c.at]);
  newE[c.at] = e[c.at] + f * (hz[c.at] - hz[c.before]);
}
/// (1 - s D)^-1: without hz the system is e - f^2 (second difference of e) = e + f (difference of
/// hz), whose right-hand side this is; hz follows from the new e.
OSI_CUDA_HD inline double implicitRight(Cell c, double f, double const* e, double const* hz) {
  return e[c.at] + f * (hz[c.at] - hz[c.before]);
}
OSI_CUDA_HD inline void implicitHz(Cell c, double f, double const* e, double* hz) {
  hz[c.at] += f * (e[c.next] - e[c.at]);
}

}  // namespace osi_cuda::cyclic_sweeps
