// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

namespace osi_cuda::response {

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

}  // namespace osi_cuda::response
