// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <vector>

namespace osi_cuda::response {

constexpr int highestDegree = 4;
constexpr int nodesOf(int degree) {
  return (degree + 1) * (degree + 2) / 2;
}
constexpr int pointsOf(int degree) {
  return (degree + 1) * (degree + 1);
}

/// The Lagrange element of degree P on the triangle (0,0), (1,0), (0,1) at the points of a
/// quadrature rule that is exact up to degree 2 P: Gauss' on a square, folded onto the triangle
/// (Duffy 1982). Arrays of numbers only, so that it can lie in a device's constant memory.
template <int P>
struct Reference {
  static constexpr int nodes = nodesOf(P), points = pointsOf(P);
  double weight[points];  ///< their sum is 1/2
  double xi[points], eta[points];
  double value[points][nodes], dXi[points][nodes], dEta[points][nodes];
  /// Integrals over the triangle of lambda_a times products of derivatives of the nodes i and j:
  /// xi xi, xi eta + eta xi, eta eta. The stiffness of any triangle on which the conductivity is
  /// linear is a sum of nine of them.
  double tensor[3][3][nodes][nodes];
};

template <int P>
Reference<P> const& reference();

/// Where node i lies: eta-xi lattice coordinates (i, j), i + j <= degree, in units of 1 / degree.
/// First the three corners, then the sides 0-1, 1-2, 2-0, then the inside.
std::vector<std::array<int, 2>> latticeOf(int degree);

/// Values and derivatives of all nodes at one point, each of length nodesOf(degree).
struct Shape {
  std::vector<double> value, dXi, dEta;
};
Shape shapeAt(int degree, double xi, double eta);

}  // namespace osi_cuda::response
