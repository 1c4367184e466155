// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <Eigen/Dense>
#include <array>
#include <vector>

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

}  // namespace osi_cuda::response
