// SPDX-License-Identifier: EPL-2.0
#include "examples/response/field_problem.hpp"

#include <algorithm>

#include "examples/common/failure.hpp"
#include "examples/response/device_module.hpp"
#include "examples/response/fem_problem.hpp"

namespace osi_cuda::response {
namespace {

constexpr std::size_t batchWidth = 16;   // fields that a thread computes at once
constexpr std::size_t deviceWidth = 64;  // and a device

double appliedTo(Functional const& functional, Eigen::MatrixXd const& fields, Eigen::Index column) {
  double sum = 0.0;
  for (auto const& [dof, weight] : functional) sum += weight * fields(dof, column);
  return sum;
}

}  // namespace

FieldProblem::FieldProblem(Space const& space, FieldSettings const& settings)
    : space_(space),
      settings_(settings),
      stiffness_(fieldMatrix(space, 0.0)),
      matrix_(settings.seconds > 0.0 ? fieldMatrix(space, settings.steps / settings.seconds)
                                     : stiffness_) {
  if (settings.onDevice) {
    solver_ = deviceModule().makeSolver(csrOf(matrix_));
    return;
  }
  factor_.compute(matrix_);
  if (factor_.info() != Eigen::Success || !(factor_.vectorD().minCoeff() > 0.0))
    throw examples::Failure(examples::ExitStatus::numerical,
                            "the field's matrix has no Cholesky factors: its triangles or "
                            "conductivities span too many scales");
}

Eigen::MatrixXd FieldProblem::solved(Eigen::MatrixXd const& b) const {
  if (!solver_) return factor_.solve(b);
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  int width = 1;
  while (width < b.cols()) width *= 2;
  std::vector<double> right(std::size_t(b.rows()) * width, 0.0);
  Eigen::Map<ByRows>(right.data(), b.rows(), width).leftCols(b.cols()) = b;
  constexpr double tolerance = 1e-12, most = 1e-8;
  std::vector<double> const x = solver_->solve({right, width, tolerance}).values;
  Eigen::MatrixXd const u = Eigen::Map<ByRows const>(x.data(), b.rows(), width).leftCols(b.cols());
  Eigen::MatrixXd const rest = b - matrix_ * u;
  for (Eigen::Index j = 0; j < b.cols(); ++j)
    if (!(rest.col(j).norm() <= most * b.col(j).norm()))
      throw examples::Failure(examples::ExitStatus::numerical,
                              "conjugate gradients do not solve for a field: the mesh's triangles "
                              "or conductivities span too many scales");
  return u;
}

Eigen::MatrixXd FieldProblem::fields(std::vector<Functional> const& loads) const {
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(space_.dofs, Eigen::Index(loads.size()));
  for (std::size_t j = 0; j < loads.size(); ++j)
    for (auto const& [dof, weight] : loads[j]) b(dof, Eigen::Index(j)) = weight;
  if (settings_.seconds <= 0.0) return solved(b);
  // (M / dt + K) (u' - u) = b - K u
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(b.rows(), b.cols());
  for (int step = 0; step < settings_.steps; ++step) u += solved(b - stiffness_ * u);
  return u;
}

std::vector<double> FieldProblem::response(std::vector<Functional> const& measures,
                                           std::vector<Functional> const& loads,
                                           Progress const& progress) const {
  // A step of implicit Euler maps by a symmetric matrix, and so do all together.
  bool const byLoads = loads.size() <= measures.size();
  auto const& given = byLoads ? loads : measures;
  auto const& asked = byLoads ? measures : loads;
  std::vector<double> result(measures.size() * loads.size());
  int done = 0;
  std::size_t const width = solver_ ? deviceWidth : batchWidth;
#pragma omp parallel for schedule(dynamic) if (!solver_)
  for (std::size_t first = 0; first < given.size(); first += width) {
    std::size_t const last = std::min(given.size(), first + width);
    Eigen::MatrixXd const u =
        fields({given.begin() + std::ptrdiff_t(first), given.begin() + std::ptrdiff_t(last)});
    for (std::size_t i = 0; i < asked.size(); ++i)
      for (std::size_t g = first; g < last; ++g)
        result[byLoads ? i * loads.size() + g : g * loads.size() + i] =
            appliedTo(asked[i], u, Eigen::Index(g - first));
#pragma omp critical
    {
      done += int(last - first);
      if (progress) progress("fields", done, int(given.size()));
    }
  }
  return result;
}

}  // namespace osi_cuda::response
