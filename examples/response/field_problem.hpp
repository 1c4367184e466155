// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "examples/response/conjugate_gradients.hpp"
#include "examples/response/space.hpp"

namespace osi_cuda::response {

/// Tells how far a long piece of work is: what, done, of how many.
using Progress = std::function<void(std::string const& what, int done, int all)>;
using SolverMaker = std::function<std::unique_ptr<ManySolver>(Csr const&)>;

/// Which field the sources make: the steady one, or that after some steps of implicit Euler from 0
/// with the sources constant.
struct FieldSettings {
  double seconds = 0.0;  ///< 0: steady
  int steps = 20;
  double tolerance = 1e-12;  ///< of the linear systems, relative
};

/// -div(k grad u) = load (steady), or du/dt - div(k grad u) = load, u = 0 on the boundary and at
/// first. `space` must outlive it.
class FieldProblem {
 public:
  FieldProblem(Space const& space, FieldSettings const& settings, SolverMaker const& makeSolver);

  /// The fields of these loads: value of degree of freedom i in field j at i * count + j.
  std::vector<double> fields(std::vector<Functional> const& loads) const;

  /// measure by load, row by row: what measure i says of the field of load j. Solves for the loads
  /// or, as the matrix is symmetric, for the measures, whatever is fewer (of the steady field).
  std::vector<double> response(std::vector<Functional> const& measures,
                               std::vector<Functional> const& loads,
                               Progress const& progress) const;

  int iterations() const { return iterations_; }  ///< of conjugate gradients, the largest so far
  double residual() const { return residual_; }   ///< the largest so far
  double seconds() const { return seconds_; }     ///< in linear systems so far
  Csr const& matrix() const { return matrix_; }

 private:
  std::vector<double> solve(std::vector<double> const& b, int width) const;

  Space const& space_;
  FieldSettings settings_;
  Csr stiffness_, matrix_;  ///< matrix_: what systems are solved with
  std::unique_ptr<ManySolver> solver_;
  mutable int iterations_ = 0;
  mutable double residual_ = 0.0, seconds_ = 0.0;
};

}  // namespace osi_cuda::response
