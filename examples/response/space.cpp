// SPDX-License-Identifier: EPL-2.0
#include "examples/response/space.hpp"

#include <algorithm>
#include <map>

#include "examples/response/by_degree.hpp"

namespace osi_cuda::response {
namespace {

/// Where the matrix has the pair (i, j) of nodes of triangle e: at (e * width + i) * width + j.
std::vector<int> placesOf(Space const& space, Csr const& pattern) {
  int const w = space.width;
  std::vector<int> places(space.node.size() * w);
#pragma omp parallel for schedule(static)
  for (int e = 0; e < space.triangles(); ++e)
    for (int i = 0; i < w; ++i)
      for (int j = 0; j < w; ++j)
        places[(std::size_t(e) * w + i) * w + j] =
            pattern.find(space.node[std::size_t(e) * w + i], space.node[std::size_t(e) * w + j]);
  return places;
}

/// The degree of freedom at lattice place (i, j) of a triangle, if it lies on the side between the
/// corners a and b: counted from the corner with the smaller number.
int alongSide(std::array<int, 3> const& t, int a, int b, int stepsFromA, int degree) {
  return t[a] < t[b] ? stepsFromA - 1 : degree - stepsFromA - 1;
}

void addElements(Space const& space, std::vector<double> const& matrices, Csr& matrix) {
  int const w = space.width, count = space.triangles();
  std::vector<int> const places = placesOf(space, matrix);
  for (int e = 0; e < count; ++e)
    for (int ij = 0; ij < w * w; ++ij)
      matrix.value[places[std::size_t(e) * w * w + ij]] += matrices[std::size_t(ij) * count + e];
}

/// Fixed rows and columns get zeros, and `diagonal` where they meet.
void fix(Space const& space, Csr& matrix, double diagonal) {
  for (int i = 0; i < matrix.rows; ++i)
    for (int k = matrix.start[i]; k < matrix.start[i + 1]; ++k)
      if (space.isFixed[i] || space.isFixed[matrix.column[k]])
        matrix.value[k] = matrix.column[k] == i ? diagonal : 0.0;
}

void addMass(Space const& space, double factor, Csr& matrix) {
  withDegree(space.degree, [&]<int P>() {
    Reference<P> const& r = reference<P>();
    std::vector<double> matrices(std::size_t(space.width) * space.width * space.triangles());
    for (int i = 0; i < space.width; ++i)
      for (int j = 0; j < space.width; ++j) {
        double unit = 0.0;
        for (int q = 0; q < pointsOf(P); ++q) unit += r.weight[q] * r.value[q][i] * r.value[q][j];
        double* const row = &matrices[std::size_t(i * space.width + j) * space.triangles()];
        for (int e = 0; e < space.triangles(); ++e)
          row[e] = factor * unit * doubleArea(*space.mesh, space.mesh->triangles[e]);
      }
    addElements(space, matrices, matrix);
  });
}

}  // namespace

Corners Space::corners(int triangle) const {
  Corners c{};
  for (int k = 0; k < 3; ++k) {
    int const corner = mesh->triangles[triangle][k];
    c.x[k] = mesh->points[corner].x;
    c.y[k] = mesh->points[corner].y;
    c.k[k] = mesh->conductivity[corner];
  }
  return c;
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
      double const xi = double(lattice[k][0]) / degree, eta = double(lattice[k][1]) / degree;
      Point const a = mesh.points[t[0]], b = mesh.points[t[1]], c = mesh.points[t[2]];
      space.place[dof] = {a.x + xi * (b.x - a.x) + eta * (c.x - a.x),
                          a.y + xi * (b.y - a.y) + eta * (c.y - a.y)};
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
  withDegree(space.degree, [&]<int P>() {
    Reference<P> const& r = reference<P>();
    for (int const e : triangles) {
      Corners const c = space.corners(e);
      double const area = doubleArea(*space.mesh, space.mesh->triangles[e]);
      for (int q = 0; q < pointsOf(P); ++q) {
        double const first = 1.0 - r.xi[q] - r.eta[q];
        double const value = load({first * c.x[0] + r.xi[q] * c.x[1] + r.eta[q] * c.x[2],
                                   first * c.y[0] + r.xi[q] * c.y[1] + r.eta[q] * c.y[2]});
        if (value == 0.0) continue;
        for (int i = 0; i < space.width; ++i) {
          int const dof = space.node[std::size_t(e) * space.width + i];
          if (!space.isFixed[dof]) sum[dof] += area * r.weight[q] * value * r.value[q][i];
        }
      }
    }
  });
  return {sum.begin(), sum.end()};
}

Csr patternOf(Space const& space) {
  std::vector<int> first(space.dofs + 1, 0), owner(space.node.size());
  for (int const dof : space.node) ++first[dof + 1];
  for (int k = 0; k < space.dofs; ++k) first[k + 1] += first[k];
  std::vector<int> next(first.begin(), first.end() - 1);
  for (std::size_t k = 0; k < space.node.size(); ++k)
    owner[next[space.node[k]]++] = int(k) / space.width;
  Csr matrix;
  matrix.rows = matrix.columns = space.dofs;
  std::vector<int> row;
  for (int i = 0; i < space.dofs; ++i) {
    row.clear();
    for (int k = first[i]; k < first[i + 1]; ++k) {
      auto const nodes = space.node.begin() + std::ptrdiff_t(owner[k]) * space.width;
      row.insert(row.end(), nodes, nodes + space.width);
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    matrix.column.insert(matrix.column.end(), row.begin(), row.end());
    matrix.start.push_back(int(matrix.column.size()));
  }
  matrix.value.assign(matrix.column.size(), 0.0);
  return matrix;
}

std::vector<double> elementMatrices(Space const& space) {
  int const w = space.width, count = space.triangles();
  std::vector<double> values(std::size_t(w) * w * count);
  withDegree(space.degree, [&]<int P>() {
    Reference<P> const& r = reference<P>();
#pragma omp parallel for schedule(static)
    for (int e = 0; e < count; ++e)
      integrate<P>(r, space.corners(e), [&](int i, int j, double value) {
        values[std::size_t(i * w + j) * count + e] = value;
      });
  });
  return values;
}

Csr fieldMatrix(Space const& space, double reaction) {
  Csr matrix = patternOf(space);
  addElements(space, elementMatrices(space), matrix);
  if (reaction != 0.0) addMass(space, reaction, matrix);
  fix(space, matrix, 1.0);
  return matrix;
}

}  // namespace osi_cuda::response
