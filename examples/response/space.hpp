// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "examples/response/mesh.hpp"

namespace osi_cuda::response {

constexpr int highestDegree = 4;
constexpr int nodesOf(int degree) {
  return (degree + 1) * (degree + 2) / 2;
}

/// Values and derivatives of all nodes at one point, each of length nodesOf(degree).
struct Shape {
  Eigen::VectorXd value, dXi, dEta;
};
Shape shapeAt(int degree, double xi, double eta);

/// The Lagrange element of a degree on the triangle (0,0), (1,0), (0,1).
struct Reference {
  struct Point {
    double xi, eta, weight;  ///< the sum of all weights is 1/2
    Shape shape;
  };
  /// A quadrature rule that is exact up to twice the degree: Gauss' on a square, folded onto the
  /// triangle (Duffy 1982).
  std::vector<Point> points;
  Eigen::MatrixXd mass;  ///< integrals of products of two nodes
  /// Integrals of lambda_a times products of derivatives of two nodes: xi xi, xi eta + eta xi,
  /// eta eta. The stiffness of any triangle on which the conductivity is linear is a sum of nine of
  /// them (Kirby and Logg 2006 do this for forms at large).
  std::array<std::array<Eigen::MatrixXd, 3>, 3> stiffness;
};
/// `degree`: 1 to highestDegree.
Reference const& reference(int degree);

/// Where node i lies: eta-xi lattice coordinates (i, j), i + j <= degree, in units of 1 / degree.
/// First the three corners, then the sides 0-1, 1-2, 2-0, then the inside.
std::vector<std::array<int, 2>> latticeOf(int degree);

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Lagrange elements of one degree on all triangles of a mesh: who has which degree of freedom.
/// `mesh` must outlive it.
struct Space {
  Mesh const* mesh = nullptr;
  int degree = 1, width = 3;  ///< nodes of a triangle
  int dofs = 0;
  std::vector<int> node;      ///< of triangle e at e * width + i, in latticeOf()'s order
  std::vector<Point> place;   ///< by degree of freedom
  std::vector<char> isFixed;  ///< on the boundary, where the field is 0

  int triangles() const { return int(mesh->triangles.size()); }
  /// Where the point (xi, eta) of the reference triangle lies in a triangle.
  Point pointOf(int triangle, double xi, double eta) const;
};
Space makeSpace(Mesh const& mesh, int degree);

/// A linear functional of the field, by degree of freedom: value at a point, or integral against a
/// load.
using Functional = std::vector<std::pair<int, double>>;

/// The field's value at a place that the locator found.
Functional valueAt(Space const& space, Locator::Place const& place);
/// The integral of load times field over these triangles.
Functional integralOf(Space const& space, std::vector<int> const& triangles,
                      std::function<double(Point)> const& load);

/// The matrix of -div(k grad u) on one triangle, without quadrature.
Eigen::MatrixXd stiffnessOf(Space const& space, int triangle);

/// -div(k grad u) + reaction u, with the rows and columns of fixed degrees of freedom replaced by
/// those of the identity.
SparseMatrix fieldMatrix(Space const& space, double reaction);

}  // namespace osi_cuda::response
