// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <type_traits>

#include "osi_cuda/base/host_device.hpp"

// What is computed on one triangle, written once. `Real` is a number, or a vector of numbers with
// one triangle in each lane; who calls decides where data come from and results go.
namespace osi_cuda::response {

/// The reference element of degree P as plain arrays, for a device's constant memory: what
/// reference(P) has.
template <int P>
struct ElementTables {
  static constexpr int nodes = (P + 1) * (P + 2) / 2, points = (P + 1) * (P + 1);
  double weight[points], xi[points], eta[points];
  double dXi[points][nodes], dEta[points][nodes];
  double tensor[3][3][nodes][nodes];
};
template <int P>
ElementTables<P> const& elementTables();

/// Calls work(std::integral_constant<int, degree>()), degree from 1 to 4.
template <class Work>
void withDegree(int degree, Work const& work) {
  switch (degree) {
    case 1:
      return work(std::integral_constant<int, 1>());
    case 2:
      return work(std::integral_constant<int, 2>());
    case 3:
      return work(std::integral_constant<int, 3>());
    default:
      return work(std::integral_constant<int, 4>());
  }
}

/// Corners and conductivities there.
template <class Real>
struct Corners {
  Real x[3], y[3], k[3];
};
/// Of triangle e in arrays x0 x1 x2 y0 y1 y2 k0 k1 k2, each of length `count`.
OSI_CUDA_HD inline Corners<double> cornersOf(double const* arrays, long long count, long long e) {
  Corners<double> c;
  for (int i = 0; i < 3; ++i) {
    c.x[i] = arrays[i * count + e];
    c.y[i] = arrays[(3 + i) * count + e];
    c.k[i] = arrays[(6 + i) * count + e];
  }
  return c;
}

/// det J times J^-1 J^-T: what turns derivatives on the reference triangle into the integrand.
template <class Real>
struct Metric {
  Real xiXi, xiEta, etaEta;
};

template <class Real>
OSI_CUDA_HD inline Metric<Real> metricOf(Corners<Real> const& c) {
  Real const ax = c.x[1] - c.x[0], ay = c.y[1] - c.y[0];
  Real const bx = c.x[2] - c.x[0], by = c.y[2] - c.y[0];
  Real const inverse = Real(1.0) / (ax * by - bx * ay);
  return {(bx * bx + by * by) * inverse, (ax * bx + ay * by) * inverse * Real(-1.0),
          (ax * ax + ay * ay) * inverse};
}

template <int P, class Real>
OSI_CUDA_HD inline Real conductivityAt(Corners<Real> const& c, ElementTables<P> const& r, int q) {
  return c.k[0] * Real(1.0 - r.xi[q] - r.eta[q]) + c.k[1] * Real(r.xi[q]) + c.k[2] * Real(r.eta[q]);
}

template <int P, class Real>
OSI_CUDA_HD inline Metric<Real> scaledMetric(Corners<Real> const& c, ElementTables<P> const& r,
                                             int q) {
  Metric<Real> const m = metricOf(c);
  Real const scale = conductivityAt<P>(c, r, q) * Real(r.weight[q]);
  return {m.xiXi * scale, m.xiEta * scale, m.etaEta * scale};
}

/// The integrand of the entry (i, j) at the point q, its metric scaled by weight and conductivity.
template <int P, class Real>
OSI_CUDA_HD inline Real integrand(Metric<Real> const& m, ElementTables<P> const& r, int q, int i,
                                  int j) {
  return m.xiXi * Real(r.dXi[q][i] * r.dXi[q][j]) +
         m.xiEta * Real(r.dXi[q][i] * r.dEta[q][j] + r.dEta[q][i] * r.dXi[q][j]) +
         m.etaEta * Real(r.dEta[q][i] * r.dEta[q][j]);
}

#ifdef __CUDA_ARCH__
#define RESPONSE_LOOP _Pragma("unroll 1")  // a loop that stays one on a device
#else
#define RESPONSE_LOOP
#endif

/// How the stiffness of a triangle is integrated: three forms after Markall and others (2013) and
/// Reguly and Giles (2015), and one more. Each calls put(i, j, value) for every entry; inMemory
/// adds to them.
enum class Integration { redundant, local, inMemory, tensor };

/// The metric anew for each pair of nodes and point: nothing is kept.
template <int P, class Fetch, class Put>
OSI_CUDA_HD inline void integrateRedundant(ElementTables<P> const& r, Fetch const& fetch,
                                           Put const& put) {
  constexpr int nodes = ElementTables<P>::nodes, points = ElementTables<P>::points;
  RESPONSE_LOOP
  for (int i = 0; i < nodes; ++i) RESPONSE_LOOP
  for (int j = 0; j < nodes; ++j) {
    auto const c = fetch();
    auto sum = c.x[0] * 0.0;
    for (int q = 0; q < points; ++q) sum = sum + integrand<P>(scaledMetric<P>(c, r, q), r, q, i, j);
    put(i, j, sum);
  }
}

/// The metric at every point once, kept by the thread.
template <int P, class Real, class Put>
OSI_CUDA_HD inline void integrateLocal(ElementTables<P> const& r, Corners<Real> const& c,
                                       Put const& put) {
  constexpr int nodes = ElementTables<P>::nodes, points = ElementTables<P>::points;
  Metric<Real> metric[points];
  for (int q = 0; q < points; ++q) metric[q] = scaledMetric<P>(c, r, q);
  RESPONSE_LOOP
  for (int i = 0; i < nodes; ++i) RESPONSE_LOOP
  for (int j = 0; j < nodes; ++j) {
    Real sum = c.x[0] * 0.0;
    for (int q = 0; q < points; ++q) sum = sum + integrand<P>(metric[q], r, q, i, j);
    put(i, j, sum);
  }
}

/// Points outside: every entry is added to at every point, in memory.
template <int P, class Real, class Add>
OSI_CUDA_HD inline void integrateInMemory(ElementTables<P> const& r, Corners<Real> const& c,
                                          Add const& add) {
  constexpr int nodes = ElementTables<P>::nodes, points = ElementTables<P>::points;
  RESPONSE_LOOP
  for (int q = 0; q < points; ++q) {
    Metric<Real> const metric = scaledMetric<P>(c, r, q);
    RESPONSE_LOOP
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j) add(i, j, integrand<P>(metric, r, q, i, j));
  }
}

/// No quadrature at all: an entry is a sum of nine integrals over the reference triangle, since
/// triangles are flat and the conductivity is linear (Kirby and Logg 2006 do this for forms at
/// large).
template <int P, class Real, class Put>
OSI_CUDA_HD inline void integrateByTensor(ElementTables<P> const& r, Corners<Real> const& c,
                                          Put const& put) {
  Metric<Real> const m = metricOf(c);
  Real factor[9];
  for (int a = 0; a < 3; ++a) {
    factor[3 * a] = m.xiXi * c.k[a];
    factor[3 * a + 1] = m.xiEta * c.k[a];
    factor[3 * a + 2] = m.etaEta * c.k[a];
  }
  for (int i = 0; i < ElementTables<P>::nodes; ++i)
    for (int j = 0; j < ElementTables<P>::nodes; ++j) {
      Real sum = factor[0] * Real(r.tensor[0][0][i][j]);
      for (int k = 1; k < 9; ++k) sum = sum + factor[k] * Real(r.tensor[k / 3][k % 3][i][j]);
      put(i, j, sum);
    }
}

/// The product of the triangle's stiffness with `u`, without the matrix: y_i = sum_q (grad phi_i)'
/// G_q grad u. What the executors run on every triangle.
template <int P, class Real>
OSI_CUDA_HD inline void applyStiffness(ElementTables<P> const& r, Corners<Real> const& c,
                                       Real const* u, Real* y) {
  constexpr int nodes = ElementTables<P>::nodes;
  Metric<Real> const metric = metricOf(c);
  for (int i = 0; i < nodes; ++i) y[i] = c.x[0] * 0.0;
  for (int q = 0; q < ElementTables<P>::points; ++q) {
    Real dXi = c.x[0] * 0.0, dEta = c.x[0] * 0.0;
    for (int j = 0; j < nodes; ++j) {
      dXi = dXi + u[j] * Real(r.dXi[q][j]);
      dEta = dEta + u[j] * Real(r.dEta[q][j]);
    }
    Real const scale = conductivityAt<P>(c, r, q) * Real(r.weight[q]);
    Real const fXi = (metric.xiXi * dXi + metric.xiEta * dEta) * scale;
    Real const fEta = (metric.xiEta * dXi + metric.etaEta * dEta) * scale;
    for (int i = 0; i < nodes; ++i)
      y[i] = y[i] + fXi * Real(r.dXi[q][i]) + fEta * Real(r.dEta[q][i]);
  }
}

}  // namespace osi_cuda::response
