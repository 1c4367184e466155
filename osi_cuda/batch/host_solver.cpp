// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: the proofs tell the rounding errors of products.
#include "osi_cuda/batch/host_solver.hpp"

#include <algorithm>

#include "osi_cuda/batch/small_solve.hpp"
#include "osi_cuda/index.hpp"
#include "osi_cuda/solver.hpp"

namespace osi_cuda::batch {
namespace {

SmallEnd endOf(Status status) {
  switch (status) {
    case Status::optimal:
      return SmallEnd::optimal;
    case Status::infeasible:
      return SmallEnd::infeasible;
    case Status::unbounded:
      return SmallEnd::unbounded;
    case Status::iterationLimit:
      return SmallEnd::iterationLimit;
    case Status::timeLimit:
    case Status::interrupted:
      return SmallEnd::interrupted;
    default:
      return SmallEnd::unsettled;
  }
}

}  // namespace

SmallReport HostSolver::solve(SmallProblem const& problem, SmallSettings const& settings) {
  problem_ = problem;
  std::size_t const m = at(problem.rows), n = at(problem.columns);
  for (auto* array : {&x_, &ray_, &rayLow_}) array->resize(std::max(n, array->size()));
  for (auto* array : {&y_, &yLow_}) array->resize(std::max(m, array->size()));
  columnStatus_.resize(std::max(n, columnStatus_.size()));
  rowStatus_.resize(std::max(m, rowStatus_.size()));
  team_.take(problem);
  return solveSmall(team_, settings,
                    {x_.data(), y_.data(), yLow_.data(), ray_.data(), rayLow_.data(),
                     columnStatus_.data(), rowStatus_.data()});
}

void HostSolver::copyBasis(VariableStatus* columns, VariableStatus* rows) const {
  for (std::size_t j = 0; j < at(problem_.columns); ++j)
    columns[j] = static_cast<VariableStatus>(columnStatus_[j]);
  for (std::size_t i = 0; i < at(problem_.rows); ++i)
    rows[i] = static_cast<VariableStatus>(rowStatus_[i]);
}

BatchCertificate HostSolver::certificate(SmallReport const& report) const {
  BatchCertificate certificate;
  certificate.margin = report.margin;
  bool const crossed = report.margin == 0.0;  // the bounds are the proof
  if (report.end == SmallEnd::infeasible && !crossed) {
    certificate.farkas.assign(y_.begin(), y_.begin() + problem_.rows);
    certificate.farkasLow.assign(yLow_.begin(), yLow_.begin() + problem_.rows);
  } else if (report.end == SmallEnd::unbounded) {
    certificate.ray.assign(ray_.begin(), ray_.begin() + problem_.columns);
    certificate.rayLow.assign(rayLow_.begin(), rayLow_.begin() + problem_.columns);
  }
  return certificate;
}

LinearProgram toLinearProgram(SmallProblem const& problem) {
  LinearProgram lp;
  int const m = problem.rows, n = problem.columns;
  lp.sense = problem.sign < 0.0 ? Sense::maximize : Sense::minimize;
  lp.objectiveOffset = problem.offset;
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      double const entry = problem.matrix[at(i) * at(n) + at(j)];
      if (entry == 0.0) continue;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(entry);
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    lp.objective.push_back(problem.objective[j]);
    lp.columnLower.push_back(problem.lowerOfColumn(j));
    lp.columnUpper.push_back(problem.upperOfColumn(j));
  }
  for (int i = 0; i < m; ++i) {
    lp.rowLower.push_back(problem.lowerOfRow(i));
    lp.rowUpper.push_back(problem.upperOfRow(i));
  }
  return lp;
}

SingleAnswer solveSingly(LinearProgram const& lp, BatchOptions const& batch, double seconds,
                         std::atomic<bool> const& stop, Basis const& basis, EngineChoice engine) {
  Options options;
  options.engine = engine;
  options.device = batch.device;
  options.threads = 1;
  options.primalTolerance = batch.primalTolerance;
  options.dualTolerance = batch.dualTolerance;
  options.seed = batch.seed;
  if (batch.iterationLimit > 0) options.iterationLimit = batch.iterationLimit;
  options.timeLimit = std::min(seconds, batch.problemTimeLimit);
  Callbacks callbacks;
  callbacks.interrupted = [&stop] { return stop.load(std::memory_order_relaxed); };
  SingleAnswer answer;
  Solver solver(lp);
  if (!basis.empty()) solver.setBasis(basis);
  answer.solution = solver.solve(options, callbacks);
  answer.end = endOf(answer.solution.status);
  return answer;
}

}  // namespace osi_cuda::batch
