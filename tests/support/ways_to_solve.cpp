// SPDX-License-Identifier: EPL-2.0
#include "tests/support/ways_to_solve.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "osi/OsiCudaSolverInterface.hpp"
#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::testing {
namespace {

Options optionsOf(double tolerance) {
  Options options;
  options.primalTolerance = options.dualTolerance = tolerance;
  return options;
}

Way byOption(std::string name, void (*change)(Options&)) {
  return {std::move(name), [change](LinearProgram const& lp, double tolerance) {
            Options options = optionsOf(tolerance);
            change(options);
            return Solver(lp).solve(options).status;
          }};
}

Status statusOf(BatchStatus status) {
  return status == BatchStatus::optimal      ? Status::optimal
         : status == BatchStatus::infeasible ? Status::infeasible
         : status == BatchStatus::unbounded  ? Status::unbounded
                                             : Status::numerical;
}

/// The problem whose last row, and whose last cost, say nothing.
LinearProgram opened(LinearProgram lp) {
  lp.rowLower.back() = -infinity;
  lp.rowUpper.back() = infinity;
  lp.objective.back() = 1.0;
  return lp;
}

/// From the basis of the opened problem.
Status again(LinearProgram const& lp, double tolerance) {
  Solver solver(opened(lp));
  Options const options = optionsOf(tolerance);
  solver.solve(options);
  solver.setRowBounds(lp.rows() - 1, lp.rowLower.back(), lp.rowUpper.back());
  solver.setObjective(lp.columns() - 1, lp.objective.back());
  return solver.solve(options).status;
}

Status asBatch(LinearProgram const& lp, double tolerance) {
  BatchOptions options(optionsOf(tolerance));
  options.engine = EngineChoice::host;
  std::array const problems{lp};
  return statusOf(solveBatch(problems, options).status[0]);
}

Status asVariant(LinearProgram const& lp, double tolerance) {
  LinearProgram const open = opened(lp);
  Solver solver(open);
  solver.solve(optionsOf(tolerance));
  int const row = lp.rows() - 1;
  std::array const changes{
      VariantChange{VariantChange::What::rowLower, row, lp.rowLower.back()},
      VariantChange{VariantChange::What::rowUpper, row, lp.rowUpper.back()},
      VariantChange{VariantChange::What::cost, lp.columns() - 1, lp.objective.back()}};
  PackedVariants variants;
  variants.add(changes);
  VariantOptions options(optionsOf(tolerance));
  options.engine = EngineChoice::host;
  BatchResults results;
  VariantSolver(open, solver.basis()).solve(variants.view(), options, results);
  return statusOf(results.status[0]);
}

Status byOsi(LinearProgram const& lp, double tolerance) {
  OsiCudaSolverInterface osi;
  osi.setDblParam(OsiPrimalTolerance, tolerance);
  osi.setDblParam(OsiDualTolerance, tolerance);
  osi.messageHandler()->setLogLevel(0);
  CoinPackedMatrix const matrix(
      true, lp.rows(), lp.columns(), static_cast<CoinBigIndex>(lp.matrix.nonzeros()),
      lp.matrix.values.data(), lp.matrix.indices.data(),
      std::vector<CoinBigIndex>(lp.matrix.starts.begin(), lp.matrix.starts.end()).data(), nullptr);
  auto const bounds = [](std::vector<double> values) {
    for (double& value : values) value = std::clamp(value, -COIN_DBL_MAX, COIN_DBL_MAX);
    return values;
  };
  osi.loadProblem(matrix, bounds(lp.columnLower).data(), bounds(lp.columnUpper).data(),
                  lp.objective.data(), bounds(lp.rowLower).data(), bounds(lp.rowUpper).data());
  osi.initialSolve();
  osi.resolve();
  return osi.isProvenOptimal()            ? Status::optimal
         : osi.isProvenPrimalInfeasible() ? Status::infeasible
         : osi.isProvenDualInfeasible()   ? Status::unbounded
                                          : Status::numerical;
}

}  // namespace

std::vector<Way> waysToSolve() {
  using O = Options;
  using A = AlgorithmChoice;
  return {byOption("default", [](O&) {}),
          byOption("presolve off", [](O& o) { o.presolve = Toggle::off; }),
          byOption("presolve on", [](O& o) { o.presolve = Toggle::on; }),
          byOption("exact off", [](O& o) { o.exact = Toggle::off; }),
          byOption("primal", [](O& o) { o.algorithm = A::primal; }),
          byOption("dual", [](O& o) { o.algorithm = A::dual; }),
          byOption("dual, presolve off, exact off",
                   [](O& o) {
                     o.algorithm = A::dual;
                     o.presolve = o.exact = Toggle::off;
                   }),
          byOption("barrier", [](O& o) { o.algorithm = A::barrier; }),
          byOption("race", [](O& o) { o.algorithm = A::race; }),
          byOption("tableau",
                   [](O& o) {
                     o.representation = Representation::tableau;
                     o.presolve = Toggle::off;
                   }),
          byOption("factors",
                   [](O& o) {
                     o.representation = Representation::factors;
                     o.presolve = Toggle::off;
                   }),
          byOption("scaling off",
                   [](O& o) {
                     o.scaling = false;
                     o.presolve = Toggle::off;
                   }),
          {"again", again},
          {"batch", asBatch},
          {"variant", asVariant},
          {"OSI", byOsi}};
}

}  // namespace osi_cuda::testing
