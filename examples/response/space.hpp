// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <Eigen/Sparse>
#include <functional>
#include <utility>
#include <vector>

#include "examples/response/lagrange.hpp"
#include "examples/response/mesh.hpp"

namespace osi_cuda::response {

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
