// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/estimation.hpp"

#include <algorithm>
#include <cmath>

#include "examples/traffic_matrix/network.hpp"
#include "examples/traffic_matrix/routing.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::examples::traffic {
namespace {

double mean(std::vector<double> const& values) {
  return values.empty() ? 0.0 : sum(values) / static_cast<double>(values.size());
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// What counts as 1 in the LP, so that the solver's absolute tolerances are relative ones.
double unitOf(Observation const& observation) {
  double const unit = mean(observation.prior);
  if (unit > 0.0) return unit;
  double const load = mean(observation.loads);
  return load > 0.0 ? load : 1.0;
}

}  // namespace

void setTolerances(OsiSolverInterface& solver) {
  solver.setDblParam(OsiPrimalTolerance, 1e-9);
  solver.setDblParam(OsiDualTolerance, 1e-9);
}

double relativeResidual(Observation const& observation, std::vector<double> const& matrix) {
  std::vector<double> const carried = linkLoads(observation.routing, matrix);
  double total = 0.0, largest = 0.0;
  for (int const i : observation.measured) total += observation.loads[i];
  double const meanLoad = total / std::max<double>(1.0, double(observation.measured.size()));
  for (int const i : observation.measured) {
    double const load = observation.loads[i] > 0.0 ? observation.loads[i] : meanLoad;
    double const gap = std::abs(carried[i] - observation.loads[i]);
    if (gap > 0.0) largest = std::max(largest, load > 0.0 ? gap / load : gap);
  }
  return largest;
}

Estimate estimate(Observation const& observation, Settings const& settings,
                  OsiSolverInterface& solver, std::string const& mpsFile) {
  Stopwatch const watch;
  Estimate result;
  double const unit = unitOf(observation);
  double const errorUnit = std::pow(unit, 1.0 - settings.objective.q);  // e_j scales by this
  Question question{observation.routing,
                    observation.measured,
                    scaled(observation.loads, 1.0 / unit),
                    scaled(observation.prior, 1.0 / unit),
                    {},
                    settings.objective};
  question.units = errorUnits(question.prior, settings.objective.q, settings.floorShare);
  question.objective.gamma /= errorUnit;
  result.floor = settings.floorShare * unit;
  result.pairsOnFloor = static_cast<int>(std::ranges::count_if(
      question.prior, [&](double value) { return value < settings.floorShare; }));

  FormulatedLp const formulated = formulate(question, settings.formulation);
  result.rows = formulated.lp.rows();
  result.columns = formulated.lp.columns();
  result.nonzeros = formulated.lp.nonzeros();
  formulated.lp.loadInto(solver);
  setTolerances(solver);
  if (!mpsFile.empty()) solver.writeMps(mpsFile.c_str(), "mps", 1.0);
  result.formulateSeconds = watch.seconds();

  Stopwatch const solveWatch;
  solver.initialSolve();
  result.solveSeconds = solveWatch.seconds();
  result.iterations = solver.getIterationCount();
  if (solver.isProvenPrimalInfeasible()) result.outcome = Outcome::infeasible;
  if (!solver.isProvenOptimal()) return result;

  result.outcome = Outcome::optimal;
  result.objectiveValue = solver.getObjValue() * errorUnit;
  for (Expression const& flow : formulated.traffic)
    result.matrix.push_back(unit * std::max(0.0, flow.value(solver.getColSolution())));
  result.residual = relativeResidual(observation, result.matrix);
  return result;
}

}  // namespace osi_cuda::examples::traffic
