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

Reference makeReference(int degree) {
  int const nodes = nodesOf(degree);
  auto const zero = Eigen::MatrixXd::Zero(nodes, nodes);
  Reference r;
  r.mass = zero;
  for (auto& row : r.stiffness) row.fill(zero);
  auto const rule = gaussRule(degree + 1);
  for (auto const& [s, ws] : rule)
    for (auto const& [t, wt] : rule) {
      double const xi = s, eta = t * (1.0 - s), weight = ws * wt * (1.0 - s);
      Shape const shape = shapeAt(degree, xi, eta);
      r.points.push_back({xi, eta, weight, shape});
      r.mass += weight * shape.value * shape.value.transpose();
      double const lambda[3] = {1.0 - xi - eta, xi, eta};
      for (int a = 0; a < 3; ++a) {
        double const w = weight * lambda[a];
        r.stiffness[a][0] += w * shape.dXi * shape.dXi.transpose();
        r.stiffness[a][1] +=
            w * (shape.dXi * shape.dEta.transpose() + shape.dEta * shape.dXi.transpose());
        r.stiffness[a][2] += w * shape.dEta * shape.dEta.transpose();
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
  int const nodes = nodesOf(degree);
  Shape shape{Eigen::VectorXd(nodes), Eigen::VectorXd(nodes), Eigen::VectorXd(nodes)};
  auto const lattice = latticeOf(degree);
  for (int k = 0; k < nodes; ++k) {
    auto const [i, j] = lattice[k];
    auto const [a, slopeA] = factor(degree, degree - i - j, 1.0 - xi - eta);
    auto const [b, slopeB] = factor(degree, i, xi);
    auto const [c, slopeC] = factor(degree, j, eta);
    shape.value[k] = a * b * c;
    shape.dXi[k] = -slopeA * b * c + a * slopeB * c;
    shape.dEta[k] = -slopeA * b * c + a * b * slopeC;
  }
  return shape;
}

Reference const& reference(int degree) {
  static std::array<Reference, highestDegree> const made{makeReference(1), makeReference(2),
                                                         makeReference(3), makeReference(4)};
  return made.at(degree - 1);
}

}  // namespace osi_cuda::response
