// SPDX-License-Identifier: EPL-2.0
#include "examples/response/lagrange.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace osi_cuda::response {
namespace {

/// The factor of one barycentric coordinate: 1 at lambda = n / degree, 0 at 0, .., (n-1) / degree;
/// and its derivative.
std::pair<double, double> factor(int degree, int n, double lambda) {
  double value = 1.0, slope = 0.0;
  for (int m = 0; m < n; ++m) {
    double const f = (degree * lambda - m) / (n - m);
    slope = slope * f + value * degree / (n - m);
    value *= f;
  }
  return {value, slope};
}

/// Gauss' nodes and weights on [0, 1], by Newton's method on Legendre's polynomial.
std::vector<std::pair<double, double>> gaussRule(int count) {
  std::vector<std::pair<double, double>> rule;
  for (int k = 0; k < count; ++k) {
    double x = std::cos(std::numbers::pi * (k + 0.75) / (count + 0.5)), slope = 1.0;
    for (int step = 0; step < 50; ++step) {
      double p = 1.0, before = 0.0;
      for (int n = 1; n <= count; ++n)
        before = std::exchange(p, ((2 * n - 1) * x * p - (n - 1) * before) / n);
      slope = count * (x * p - before) / (x * x - 1.0);
      x -= p / slope;
    }
    rule.emplace_back(0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope));
  }
  return rule;
}

template <int P>
Reference<P> makeReference() {
  Reference<P> r{};
  auto const rule = gaussRule(P + 1);
  int q = 0;
  for (auto const& [s, ws] : rule)
    for (auto const& [t, wt] : rule) {
      r.xi[q] = s;
      r.eta[q] = t * (1.0 - s);
      r.weight[q] = ws * wt * (1.0 - s);
      Shape const shape = shapeAt(P, r.xi[q], r.eta[q]);
      for (int i = 0; i < Reference<P>::nodes; ++i) {
        r.value[q][i] = shape.value[i];
        r.dXi[q][i] = shape.dXi[i];
        r.dEta[q][i] = shape.dEta[i];
      }
      ++q;
    }
  for (q = 0; q < Reference<P>::points; ++q) {
    double const lambda[3] = {1.0 - r.xi[q] - r.eta[q], r.xi[q], r.eta[q]};
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < Reference<P>::nodes; ++i)
        for (int j = 0; j < Reference<P>::nodes; ++j) {
          double const w = r.weight[q] * lambda[a];
          r.tensor[a][0][i][j] += w * r.dXi[q][i] * r.dXi[q][j];
          r.tensor[a][1][i][j] += w * (r.dXi[q][i] * r.dEta[q][j] + r.dEta[q][i] * r.dXi[q][j]);
          r.tensor[a][2][i][j] += w * r.dEta[q][i] * r.dEta[q][j];
        }
  }
  return r;
}

}  // namespace

std::vector<std::array<int, 2>> latticeOf(int degree) {
  std::vector<std::array<int, 2>> lattice{{0, 0}, {degree, 0}, {0, degree}};
  for (int k = 1; k < degree; ++k) lattice.push_back({k, 0});
  for (int k = 1; k < degree; ++k) lattice.push_back({degree - k, k});
  for (int k = 1; k < degree; ++k) lattice.push_back({0, degree - k});
  for (int j = 1; j < degree; ++j)
    for (int i = 1; i + j < degree; ++i) lattice.push_back({i, j});
  return lattice;
}

Shape shapeAt(int degree, double xi, double eta) {
  Shape shape;
  for (auto const& [i, j] : latticeOf(degree)) {
    auto const [a, slopeA] = factor(degree, degree - i - j, 1.0 - xi - eta);
    auto const [b, slopeB] = factor(degree, i, xi);
    auto const [c, slopeC] = factor(degree, j, eta);
    shape.value.push_back(a * b * c);
    shape.dXi.push_back(-slopeA * b * c + a * slopeB * c);
    shape.dEta.push_back(-slopeA * b * c + a * b * slopeC);
  }
  return shape;
}

template <int P>
Reference<P> const& reference() {
  static Reference<P> const made = makeReference<P>();
  return made;
}
template Reference<1> const& reference<1>();
template Reference<2> const& reference<2>();
template Reference<3> const& reference<3>();
template Reference<4> const& reference<4>();

}  // namespace osi_cuda::response
