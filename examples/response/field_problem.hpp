// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <Eigen/SparseCholesky>
#include <functional>
#include <memory>
#include <string>

#include "examples/response/fem.hpp"
#include "examples/response/space.hpp"

namespace osi_cuda::response {

/// Tells how far a long piece of work is: what, done, of how many.
using Progress = std::function<void(std::string const& what, int done, int all)>;

/// Which field the sources make: the steady one, or that after some steps of implicit Euler from 0
/// with the sources constant.
struct FieldSettings {
  double seconds = 0.0;  ///< 0: steady
  int steps = 20;
  bool onDevice = false;
};

/// -div(k grad u) = load (steady), or du/dt - div(k grad u) = load, u = 0 on the boundary and at
/// first. The matrix is factored once, for all fields; on a device they are solved for by conjugate
/// gradients, 64 at a time. `space` must outlive it.
class FieldProblem {
 public:
  /// Throws Failure(numerical) for a matrix that rounding makes indefinite, and EngineUnavailable.
  FieldProblem(Space const& space, FieldSettings const& settings);

  /// The fields of these loads: value of degree of freedom i in field j at (i, j). Throws
  /// Failure(numerical) where conjugate gradients do not converge.
  Eigen::MatrixXd fields(std::vector<Functional> const& loads) const;

  /// measure by load, row by row: what measure i says of the field of load j. Solves for the loads
  /// or, as the matrix is symmetric, for the measures, whatever is fewer; on all cores.
  std::vector<double> response(std::vector<Functional> const& measures,
                               std::vector<Functional> const& loads,
                               Progress const& progress) const;

  SparseMatrix const& matrix() const { return matrix_; }

 private:
  Eigen::MatrixXd solved(Eigen::MatrixXd const& b) const;

  Space const& space_;
  FieldSettings settings_;
  SparseMatrix stiffness_, matrix_;             ///< matrix_: what systems are solved with
  Eigen::SimplicialLDLT<SparseMatrix> factor_;  ///< or
  std::unique_ptr<Solver> solver_;
};

}  // namespace osi_cuda::response
