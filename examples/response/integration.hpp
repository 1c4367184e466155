// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/response/lagrange.hpp"

// What is computed on one triangle.
namespace osi_cuda::response {

/// Corners and conductivities there.
struct Corners {
  double x[3], y[3], k[3];
};

/// det J times J^-1 J^-T: what turns derivatives on the reference triangle into the integrand.
struct Metric {
  double xiXi, xiEta, etaEta;
};

inline Metric metricOf(Corners const& c) {
  double const ax = c.x[1] - c.x[0], ay = c.y[1] - c.y[0];
  double const bx = c.x[2] - c.x[0], by = c.y[2] - c.y[0];
  double const inverse = 1.0 / (ax * by - bx * ay);
  return {(bx * bx + by * by) * inverse, -(ax * bx + ay * by) * inverse,
          (ax * ax + ay * ay) * inverse};
}

/// Hands the entries of the triangle's stiffness to `put(i, j, value)`. No quadrature: an entry is
/// a sum of nine integrals over the reference triangle, since triangles are flat and the
/// conductivity is linear (Kirby and Logg 2006 do this for forms at large).
template <int P, class Put>
void integrate(Reference<P> const& r, Corners const& c, Put const& put) {
  Metric const m = metricOf(c);
  double factor[3][3];
  for (int a = 0; a < 3; ++a) {
    factor[a][0] = m.xiXi * c.k[a];
    factor[a][1] = m.xiEta * c.k[a];
    factor[a][2] = m.etaEta * c.k[a];
  }
  for (int i = 0; i < nodesOf(P); ++i)
    for (int j = 0; j < nodesOf(P); ++j) {
      double sum = factor[0][0] * r.tensor[0][0][i][j];
      for (int k = 1; k < 9; ++k) sum = sum + factor[k / 3][k % 3] * r.tensor[k / 3][k % 3][i][j];
      put(i, j, sum);
    }
}

}  // namespace osi_cuda::response
