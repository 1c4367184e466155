// SPDX-License-Identifier: EPL-2.0
//
// Clp, through ClpSimplex. Conventions: COIN_DBL_MAX is infinite; the objective constant is stored
// with the opposite sign; statuses of rows speak of their activity, and there are two more of them
// (fixed, superbasic); its primal and dual rays need not be scaled.
//
// Limits: matrix offsets are 32-bit in the usual build; bounds beyond 1e27 count as infinite. Its
// scaling blows an empty column up by 1e20, beside which the other reduced costs vanish and
// feasible problems are called infeasible: a problem with an empty column is solved unscaled. Its
// barrier method is left out: it prints, and can't be stopped.

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <CoinMessageHandler.hpp>
#include <limits>
#include <memory>

#include "bridges/bridge_module.hpp"
#include "bridges/translation.hpp"
#include "osi_cuda/model/status_codes.hpp"

namespace osi_cuda {
namespace {

/// Clp asks this handler at every iteration and factorisation.
class StopHandler final : public ClpEventHandler {
 public:
  StopHandler(std::function<bool()> interrupted, bool& wasInterrupted)
      : interrupted_(std::move(interrupted)), wasInterrupted_(wasInterrupted) {}
  ClpEventHandler* clone() const override { return new StopHandler(*this); }

  int event(Event) override {
    if (interrupted_ && interrupted_()) wasInterrupted_ = true;
    return wasInterrupted_ ? 5 : -1;  // 5: "stopped by event handler"; -1: go on
  }

 private:
  std::function<bool()> interrupted_;
  bool& wasInterrupted_;
};

std::vector<double> withCoinInfinity(std::vector<double> bounds) {
  for (double& bound : bounds) {
    if (bound == infinity) bound = COIN_DBL_MAX;
    if (bound == -infinity) bound = -COIN_DBL_MAX;
  }
  return bounds;
}

void load(ClpSimplex& model, LinearProgram const& lp) {
  if (lp.matrix.nonzeros() > std::numeric_limits<CoinBigIndex>::max())
    throw BridgeLimit("this build of Clp can't count that many nonzeros");
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  auto const columnLower = withCoinInfinity(lp.columnLower);
  auto const columnUpper = withCoinInfinity(lp.columnUpper);
  auto const rowLower = withCoinInfinity(lp.rowLower);
  auto const rowUpper = withCoinInfinity(lp.rowUpper);
  model.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                    lp.matrix.values.data(), columnLower.data(), columnUpper.data(),
                    lp.objective.data(), rowLower.data(), rowUpper.data());
  model.setOptimizationDirection(lp.sense == Sense::maximize ? -1.0 : 1.0);
  model.setObjectiveOffset(-lp.objectiveOffset);
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.matrix.columnIndices(j).empty()) model.scaling(0);
}

constexpr StatusCodes<ClpSimplex::Status> codes{ClpSimplex::atLowerBound, ClpSimplex::atUpperBound,
                                                ClpSimplex::isFree, ClpSimplex::basic};

VariableStatus ownStatus(ClpSimplex::Status status) {
  if (status == ClpSimplex::superBasic) return VariableStatus::free;
  return codes.statusOf(status, VariableStatus::atLower);  // isFixed
}

void setStart(ClpSimplex& model, LinearProgram const& lp, Basis const& basis) {
  model.createStatus();
  for (int j = 0; j < lp.columns(); ++j)
    model.setColumnStatus(
        j, codes.of(possibleStatus(basis.columns[j], lp.columnLower[j], lp.columnUpper[j])));
  for (int i = 0; i < lp.rows(); ++i)
    model.setRowStatus(i, codes.of(possibleStatus(basis.rows[i], lp.rowLower[i], lp.rowUpper[i])));
  // The point that belongs to the nonbasic statuses; Clp computes the basic part.
  double* const x = model.primalColumnSolution();
  for (int j = 0; j < lp.columns(); ++j) {
    auto const status = model.getColumnStatus(j);
    x[j] = status == ClpSimplex::atLowerBound   ? lp.columnLower[j]
           : status == ClpSimplex::atUpperBound ? lp.columnUpper[j]
                                                : 0.0;
  }
}

void runAlgorithm(ClpSimplex& model, BridgeOptions const& options) {
  bool const primal = options.algorithm == "primal";
  if (options.presolve && options.startBasis.empty()) {
    ClpSolve how;
    how.setSolveType(primal ? ClpSolve::usePrimal : ClpSolve::useDual);
    how.setPresolveType(ClpSolve::presolveOn);
    model.initialSolve(how);
  } else if (primal) {
    model.primal();
  } else {
    // A given basis is evaluated as it stands: perturbed costs would move away from an optimal one.
    if (!options.startBasis.empty()) model.setPerturbation(100);
    model.dual();
  }
}

Basis basisOf(ClpSimplex const& model) {
  Basis basis;
  for (int j = 0; j < model.numberColumns(); ++j)
    basis.columns.push_back(ownStatus(model.getColumnStatus(j)));
  for (int i = 0; i < model.numberRows(); ++i)
    basis.rows.push_back(ownStatus(model.getRowStatus(i)));
  return basis;
}

Status statusOf(ClpSimplex const& model, bool wasInterrupted, std::string& message) {
  if (wasInterrupted) return Status::interrupted;
  switch (model.status()) {
    case 0:
      return Status::optimal;
    case 1:
      return Status::infeasible;
    case 2:
      return Status::unbounded;
    case 3:
      return model.hitMaximumIterations() && model.maximumIterations() <= model.numberIterations()
                 ? Status::iterationLimit
                 : Status::timeLimit;
    default:
      message = concat("Clp ended with status ", model.status());
      return Status::numerical;
  }
}

void readCertificates(ClpSimplex const& model, LinearProgram const& lp, Solution& solution) {
  if (solution.status == Status::infeasible) {
    std::unique_ptr<double[]> const y(model.infeasibilityRay());
    if (y) solution.farkas.assign(y.get(), y.get() + lp.rows());
  } else if (solution.status == Status::unbounded) {
    std::unique_ptr<double[]> const ray(model.unboundedRay());
    if (ray) solution.ray.assign(ray.get(), ray.get() + lp.columns());
  }
}

Solution run(LinearProgram const& lp, BridgeOptions const& options) {
  ClpSimplex model;
  CoinMessageHandler quiet;
  quiet.setLogLevel(0);
  model.passInMessageHandler(&quiet);
  model.setLogLevel(0);
  load(model, lp);
  bool wasInterrupted = false;
  StopHandler const handler(options.interrupted, wasInterrupted);
  model.passInEventHandler(&handler);
  if (std::isfinite(options.timeLimit)) model.setMaximumWallSeconds(options.timeLimit);
  if (!options.startBasis.empty()) setStart(model, lp, options.startBasis);
  runAlgorithm(model, options);
  // "Dual infeasible" leaves open whether there is a feasible point: the primal simplex settles
  // it.
  std::int64_t iterations = model.numberIterations();
  if (!wasInterrupted && model.status() == 2 && options.algorithm != "primal") {
    model.primal();
    iterations += model.numberIterations();
  }

  if (model.status() == 4 && lp.matrix.nonzeros() == 0)
    throw BridgeLimit("Clp gives no status to this problem, whose matrix is zero");

  Solution solution;
  solution.iterations = iterations;
  solution.status = statusOf(model, wasInterrupted, solution.message);
  solution.objective = model.objectiveValue();
  auto const vectorOf = [](double const* values, int length) {
    return std::vector<double>(values, values + length);
  };
  solution.columnValues = vectorOf(model.primalColumnSolution(), lp.columns());
  solution.rowDuals = vectorOf(model.dualRowSolution(), lp.rows());
  solution.reducedCosts = vectorOf(model.dualColumnSolution(), lp.columns());
  solution.basis = basisOf(model);
  readCertificates(model, lp, solution);
  return solution;
}

}  // namespace
}  // namespace osi_cuda

OSI_CUDA_BRIDGE_MODULE(
        .version = [] { return std::string(CLP_VERSION); }, .algorithms = "dual primal",
        .startsFromBasis = [](std::string const&) { return true; }, .run = osi_cuda::run)
