// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/host_device.hpp"
#include "examples/response/lagrange.hpp"

// What is computed on one triangle, written once. `Real` is a number, or a vector of numbers with
// one triangle in each lane; who calls decides where data come from and results go.
namespace osi_cuda::response {

/// Corners and conductivities there.
template <class Real>
struct Corners {
  Real x[3], y[3], k[3];
};

/// det J times J^-1 J^-T: what turns derivatives on the reference triangle into the integrand.
template <class Real>
struct Metric {
  Real xiXi, xiEta, etaEta;
};

template <class Real>
EXAMPLES_HOST_DEVICE inline Metric<Real> metricOf(Corners<Real> const& c) {
  Real const ax = c.x[1] - c.x[0], ay = c.y[1] - c.y[0];
  Real const bx = c.x[2] - c.x[0], by = c.y[2] - c.y[0];
  Real const inverse = Real(1.0) / (ax * by - bx * ay);
  return {(bx * bx + by * by) * inverse, (ax * bx + ay * by) * inverse * Real(-1.0),
          (ax * ax + ay * ay) * inverse};
}

template <int P, class Real>
EXAMPLES_HOST_DEVICE inline Real conductivityAt(Corners<Real> const& c, Reference<P> const& r,
                                                int q) {
  return c.k[0] * Real(1.0 - r.xi[q] - r.eta[q]) + c.k[1] * Real(r.xi[q]) + c.k[2] * Real(r.eta[q]);
}

/// The integrand of the entry (i, j) at the point q, its metric scaled by weight and conductivity.
template <int P, class Real>
EXAMPLES_HOST_DEVICE inline Real integrand(Metric<Real> const& m, Reference<P> const& r, int q,
                                           int i, int j) {
  return m.xiXi * Real(r.dXi[q][i] * r.dXi[q][j]) +
         m.xiEta * Real(r.dXi[q][i] * r.dEta[q][j] + r.dEta[q][i] * r.dXi[q][j]) +
         m.etaEta * Real(r.dEta[q][i] * r.dEta[q][j]);
}

template <int P, class Real>
EXAMPLES_HOST_DEVICE inline Metric<Real> scaledMetric(Corners<Real> const& c, Reference<P> const& r,
                                                      int q) {
  Metric<Real> m = metricOf(c);
  Real const scale = conductivityAt<P>(c, r, q) * Real(r.weight[q]);
  return {m.xiXi * scale, m.xiEta * scale, m.etaEta * scale};
}

// Three forms after Markall and others (2013) and Reguly and Giles (2015), and one more. Each
// hands the entries of the triangle's stiffness to `put(i, j, value)`; the third adds to them.

/// (a) The metric anew for each pair of nodes and point: nothing is kept.
template <int P, class Fetch, class Put>
EXAMPLES_HOST_DEVICE inline void integrateRedundant(Reference<P> const& r, Fetch const& fetch,
                                                    Put const& put) {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (int i = 0; i < nodesOf(P); ++i)
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int j = 0; j < nodesOf(P); ++j) {
      auto const c = fetch();
      auto sum = c.x[0] * 0.0;
      for (int q = 0; q < pointsOf(P); ++q)
        sum = sum + integrand<P>(scaledMetric<P>(c, r, q), r, q, i, j);
      put(i, j, sum);
    }
}

/// (b) The metric at every point once, kept by the thread.
template <int P, class Real, class Put>
EXAMPLES_HOST_DEVICE inline void integrateLocal(Reference<P> const& r, Corners<Real> const& c,
                                                Put const& put) {
  Metric<Real> metric[pointsOf(P)];
  for (int q = 0; q < pointsOf(P); ++q) metric[q] = scaledMetric<P>(c, r, q);
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (int i = 0; i < nodesOf(P); ++i)
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int j = 0; j < nodesOf(P); ++j) {
      Real sum = c.x[0] * 0.0;
      for (int q = 0; q < pointsOf(P); ++q) sum = sum + integrand<P>(metric[q], r, q, i, j);
      put(i, j, sum);
    }
}

/// (c) Points outside: every entry is added to at every point, in memory.
template <int P, class Real, class Add>
EXAMPLES_HOST_DEVICE inline void integrateInMemory(Reference<P> const& r, Corners<Real> const& c,
                                                   Add const& add) {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (int q = 0; q < pointsOf(P); ++q) {
    Metric<Real> const metric = scaledMetric<P>(c, r, q);
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (int i = 0; i < nodesOf(P); ++i)
      for (int j = 0; j < nodesOf(P); ++j) add(i, j, integrand<P>(metric, r, q, i, j));
  }
}

/// (d) No quadrature at all: an entry is a sum of nine integrals over the reference triangle,
/// since triangles are flat and the conductivity is linear (Kirby and Logg 2006 do this for forms
/// at large).
template <int P, class Real, class Put>
EXAMPLES_HOST_DEVICE inline void integrateByTensor(Reference<P> const& r, Corners<Real> const& c,
                                                   Put const& put) {
  Metric<Real> const m = metricOf(c);
  Real factor[3][3];
  for (int a = 0; a < 3; ++a) {
    factor[a][0] = m.xiXi * c.k[a];
    factor[a][1] = m.xiEta * c.k[a];
    factor[a][2] = m.etaEta * c.k[a];
  }
  for (int i = 0; i < nodesOf(P); ++i)
    for (int j = 0; j < nodesOf(P); ++j) {
      Real sum = factor[0][0] * Real(r.tensor[0][0][i][j]);
      for (int k = 1; k < 9; ++k)
        sum = sum + factor[k / 3][k % 3] * Real(r.tensor[k / 3][k % 3][i][j]);
      put(i, j, sum);
    }
}

/// The product of the triangle's stiffness with `u`, without the matrix: y_i = sum_q (grad phi_i)'
/// G_q grad u. What the executors run on every triangle.
template <int P, class Real>
EXAMPLES_HOST_DEVICE inline void applyStiffness(Reference<P> const& r, Corners<Real> const& c,
                                                Real const* u, Real* y) {
  Metric<Real> const metric = metricOf(c);
  for (int i = 0; i < nodesOf(P); ++i) y[i] = c.x[0] * 0.0;
  for (int q = 0; q < pointsOf(P); ++q) {
    Real dXi = c.x[0] * 0.0, dEta = c.x[0] * 0.0;
    for (int j = 0; j < nodesOf(P); ++j) {
      dXi = dXi + u[j] * Real(r.dXi[q][j]);
      dEta = dEta + u[j] * Real(r.dEta[q][j]);
    }
    Real const scale = conductivityAt<P>(c, r, q) * Real(r.weight[q]);
    Real const fXi = (metric.xiXi * dXi + metric.xiEta * dEta) * scale;
    Real const fEta = (metric.xiEta * dXi + metric.etaEta * dEta) * scale;
    for (int i = 0; i < nodesOf(P); ++i)
      y[i] = y[i] + fXi * Real(r.dXi[q][i]) + fEta * Real(r.dEta[q][i]);
  }
}

}  // namespace osi_cuda::response
