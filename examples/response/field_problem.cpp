// SPDX-License-Identifier: EPL-2.0
#include "examples/response/field_problem.hpp"

#include <algorithm>

#include "examples/common/failure.hpp"

namespace osi_cuda::response {
namespace {

constexpr int batchWidth = 64;  // systems at once: two cache lines of doubles for each of 32 lanes

double appliedTo(Functional const& functional, double const* field, int stride) {
  double sum = 0.0;
  for (auto const& [dof, weight] : functional) sum += weight * field[std::size_t(dof) * stride];
  return sum;
}

}  // namespace

FieldProblem::FieldProblem(Space const& space, FieldSettings const& settings,
                           SolverMaker const& makeSolver)
    : space_(space),
      settings_(settings),
      matrix_(
          fieldMatrix(space, settings.seconds > 0.0 ? settings.steps / settings.seconds : 0.0)) {
  if (settings.seconds > 0.0) stiffness_ = fieldMatrix(space, 0.0);
  solver_ = makeSolver(matrix_);
}

std::vector<double> FieldProblem::solve(std::vector<double> const& b, int width) const {
  constexpr int mostIterations = 50'000;
  ManySolved solved = solver_->solve(b, width, settings_.tolerance, mostIterations);
  iterations_ = std::max(iterations_, solved.iterations);
  residual_ = std::max(residual_, solved.residual);
  seconds_ += solved.seconds;
  constexpr double useless = 1e-6;
  if (!(solved.residual <= useless))
    throw examples::Failure(
        examples::ExitStatus::numerical,
        "the field's linear systems leave a residual of " + std::to_string(solved.residual));
  return std::move(solved.x);
}

std::vector<double> FieldProblem::fields(std::vector<Functional> const& loads) const {
  int const width = int(loads.size());
  std::vector<double> b(std::size_t(space_.dofs) * width, 0.0);
  for (int j = 0; j < width; ++j)
    for (auto const& [dof, weight] : loads[j]) b[std::size_t(dof) * width + j] = weight;
  if (settings_.seconds <= 0.0) return solve(b, width);
  // (M / dt + K) (u' - u) = b - K u
  std::vector<double> u(b.size(), 0.0), rest(b.size());
  for (int step = 0; step < settings_.steps; ++step) {
    for (int i = 0; i < space_.dofs; ++i)
      for (int j = 0; j < width; ++j) {
        double sum = b[std::size_t(i) * width + j];
        for (int k = stiffness_.start[i]; k < stiffness_.start[i + 1]; ++k)
          sum -= stiffness_.value[k] * u[std::size_t(stiffness_.column[k]) * width + j];
        rest[std::size_t(i) * width + j] = sum;
      }
    std::vector<double> const change = solve(rest, width);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += change[k];
  }
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
  for (std::size_t first = 0; first < given.size(); first += batchWidth) {
    std::size_t const last = std::min(given.size(), first + batchWidth);
    int const width = int(last - first);
    std::vector<double> const u =
        fields({given.begin() + std::ptrdiff_t(first), given.begin() + std::ptrdiff_t(last)});
    for (std::size_t i = 0; i < asked.size(); ++i)
      for (int j = 0; j < width; ++j) {
        double const value = appliedTo(asked[i], &u[j], width);
        std::size_t const g = first + j;
        result[byLoads ? i * loads.size() + g : g * loads.size() + i] = value;
      }
    if (progress) progress("fields", int(last), int(given.size()));
  }
  return result;
}

}  // namespace osi_cuda::response
