// SPDX-License-Identifier: EPL-2.0
#include "tests/support/faulty_bridge.hpp"

#include <cmath>
#include <limits>

#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Solution honest(LinearProgram const& lp, BridgeOptions options) {
  options.algorithm = "primal";
  return findBridge(bridges(), "clp")->solve(lp, options);
}

void spoilPoint(LinearProgram const& lp, std::vector<double>& x) {
  for (int j = 0; j < lp.columns(); ++j) {
    double const bound = std::isfinite(lp.columnUpper[j]) ? lp.columnUpper[j] : lp.columnLower[j];
    if (!std::isfinite(bound)) continue;
    double const away = 2.0 * (1.0 + std::fabs(bound));
    x[j] = std::isfinite(lp.columnUpper[j]) ? bound + away : bound - away;
    return;
  }
  x.at(0) = nan;  // no column has a bound to break
}

void spoilDuals(LinearProgram const& lp, Solution& solution) {
  for (double const dual : {1000.0, -1000.0, nan}) {
    solution.rowDuals.assign(lp.rows(), dual);
    if (residualsOf(lp, solution).largest() > 1.0) return;
  }
}

/// A worse feasible point: the optimum of the opposite sense, where there is one.
void spoilOptimality(LinearProgram lp, Solution& solution) {
  double const best = solution.objective;
  lp.sense = lp.sense == Sense::minimize ? Sense::maximize : Sense::minimize;
  auto const worst = honest(lp, {});
  solution.columnValues = worst.columnValues;
  solution.objective = objectiveOf(lp, solution.columnValues);
  if (worst.status != Status::optimal || std::fabs(best - solution.objective) < 1e-2)
    solution.columnValues.at(0) = nan;
}

}  // namespace

Solution FaultyBridge::run(LinearProgram const& lp, BridgeOptions const& options) const {
  Solution lie;
  lie.farkas.assign(fault_ == Fault::falseCertificate ? lp.rows() : 0, 1.0);
  switch (fault_) {
    case Fault::throws:
      throw std::runtime_error("the faulty solver fell over");
    case Fault::falseCertificate:
    case Fault::saysInfeasible:
      lie.status = Status::infeasible;
      return lie;
    case Fault::saysUnbounded:
      lie.status = Status::unbounded;
      return lie;
    case Fault::saysOptimal:
      lie.status = Status::optimal;
      lie.objective = lp.objectiveOffset;
      lie.columnValues.assign(lp.columns(), 0.0);
      lie.rowDuals.assign(lp.rows(), 0.0);
      return lie;
    default:
      break;
  }
  Solution solution = honest(lp, options);
  if (fault_ == Fault::objective)
    solution.objective += 1e-3 * (1.0 + std::fabs(solution.objective));
  if (fault_ == Fault::point) spoilPoint(lp, solution.columnValues);
  if (fault_ == Fault::duals) spoilDuals(lp, solution);
  if (fault_ == Fault::notOptimal) spoilOptimality(lp, solution);
  return solution;
}

}  // namespace osi_cuda::testing
