// SPDX-License-Identifier: EPL-2.0
#include "examples/response/space.hpp"

#include <algorithm>
#include <map>

namespace osi_cuda::response {
namespace {

/// The degree of freedom at lattice place (i, j) of a triangle, if it lies on the side between the
/// corners a and b: counted from the corner with the smaller number.
int alongSide(std::array<int, 3> const& t, int a, int b, int stepsFromA, int degree) {
  return t[a] < t[b] ? stepsFromA - 1 : degree - stepsFromA - 1;
}

}  // namespace

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
