// SPDX-License-Identifier: EPL-2.0
#include "examples/response/space.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace osi_cuda::response {
namespace {

/// The degree of freedom at lattice place (i, j) of a triangle, if it lies on the side between the
/// corners a and b: counted from the corner with the smaller number.
int alongSide(std::array<int, 3> const& t, int a, int b, int stepsFromA, int degree) {
  return t[a] < t[b] ? stepsFromA - 1 : degree - stepsFromA - 1;
}

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

Point Space::pointOf(int triangle, double xi, double eta) const {
  auto const& t = mesh->triangles[triangle];
  Point const a = mesh->points[t[0]], b = mesh->points[t[1]], c = mesh->points[t[2]];
  return {a.x + xi * (b.x - a.x) + eta * (c.x - a.x), a.y + xi * (b.y - a.y) + eta * (c.y - a.y)};
}

Space makeSpace(Mesh const& mesh, int degree) {
  Space space;
  space.mesh = &mesh;
  space.degree = degree;
  space.width = nodesOf(degree);
  auto const lattice = latticeOf(degree);
  int const perSide = degree - 1, inside = space.width - 3 - 3 * perSide;
  std::map<std::pair<int, int>, int> sideNumber;
  for (auto const& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      sideNumber.emplace(std::minmax(t[k], t[(k + 1) % 3]), int(sideNumber.size()));
  int const corners = int(mesh.points.size());
  int const firstInside = corners + perSide * int(sideNumber.size());
  space.dofs = firstInside + inside * int(mesh.triangles.size());
  space.place.resize(space.dofs);
  space.isFixed.resize(space.dofs, 0);
  space.node.reserve(mesh.triangles.size() * space.width);
  for (std::size_t e = 0; e < mesh.triangles.size(); ++e) {
    auto const& t = mesh.triangles[e];
    for (int k = 0; k < space.width; ++k) {
      int dof = 0;
      if (k < 3) {
        dof = t[k];
      } else if (k < 3 + 3 * perSide) {
        int const side = (k - 3) / perSide, steps = (k - 3) % perSide + 1;
        int const a = side, b = (side + 1) % 3;
        dof = corners + sideNumber.at(std::minmax(t[a], t[b])) * perSide +
              alongSide(t, a, b, steps, degree);
      } else {
        dof = firstInside + int(e) * inside + k - 3 - 3 * perSide;
      }
      space.node.push_back(dof);
      space.place[dof] =
          space.pointOf(int(e), double(lattice[k][0]) / degree, double(lattice[k][1]) / degree);
    }
  }
  for (auto const& [a, b] : boundarySides(mesh)) {
    space.isFixed[a] = space.isFixed[b] = 1;
    int const first = corners + sideNumber.at(std::minmax(a, b)) * perSide;
    std::fill_n(space.isFixed.begin() + first, perSide, 1);
  }
  return space;
}

Functional valueAt(Space const& space, Locator::Place const& place) {
  Shape const shape = shapeAt(space.degree, place.second, place.third);
  Functional result;
  for (int k = 0; k < space.width; ++k) {
    int const dof = space.node[std::size_t(place.triangle) * space.width + k];
    if (!space.isFixed[dof]) result.emplace_back(dof, shape.value[k]);
  }
  return result;
}

Functional integralOf(Space const& space, std::vector<int> const& triangles,
                      std::function<double(Point)> const& load) {
  std::map<int, double> sum;
  for (int const e : triangles) {
    double const area = doubleArea(*space.mesh, space.mesh->triangles[e]);
    for (Reference::Point const& q : reference(space.degree).points) {
      double const value = load(space.pointOf(e, q.xi, q.eta));
      if (value == 0.0) continue;
      for (int i = 0; i < space.width; ++i) {
        int const dof = space.node[std::size_t(e) * space.width + i];
        if (!space.isFixed[dof]) sum[dof] += area * q.weight * value * q.shape.value[i];
      }
    }
  }
  return {sum.begin(), sum.end()};
}

Eigen::MatrixXd stiffnessOf(Space const& space, int triangle) {
  auto const& t = space.mesh->triangles[triangle];
  Point const a = space.mesh->points[t[0]], b = space.mesh->points[t[1]],
              c = space.mesh->points[t[2]];
  double const bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
  double const inverse = 1.0 / (bx * cy - cx * by);
  // det J times J^-1 J^-T: what turns derivatives on the reference triangle into the integrand.
  double const metric[3] = {(cx * cx + cy * cy) * inverse, -(bx * cx + by * cy) * inverse,
                            (bx * bx + by * by) * inverse};
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(space.width, space.width);
  for (int corner = 0; corner < 3; ++corner)
    for (int k = 0; k < 3; ++k)
      sum += space.mesh->conductivity[t[corner]] * metric[k] *
             reference(space.degree).stiffness[corner][k];
  return sum;
}

SparseMatrix fieldMatrix(Space const& space, double reaction) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int e = 0; e < space.triangles(); ++e) {
    double const area = doubleArea(*space.mesh, space.mesh->triangles[e]);
    Eigen::MatrixXd const element =
        stiffnessOf(space, e) + reaction * area * reference(space.degree).mass;
    int const* const node = &space.node[std::size_t(e) * space.width];
    for (int i = 0; i < space.width; ++i)
      for (int j = 0; j < space.width; ++j)
        if (!space.isFixed[node[i]] && !space.isFixed[node[j]])
          entries.emplace_back(node[i], node[j], element(i, j));
  }
  for (int k = 0; k < space.dofs; ++k)
    if (space.isFixed[k]) entries.emplace_back(k, k, 1.0);
  SparseMatrix matrix(space.dofs, space.dofs);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace osi_cuda::response
