// SPDX-License-Identifier: EPL-2.0
//
// HiGHS, through its C interface (1.7 and later). Conventions: IEEE infinities; the objective
// constant and the sense are taken as they are; statuses of rows speak of their activity.
//
// Limits: HighsInt is 32 bits in the usual build; costs from 1e20 and bounds from 1e20 on count as
// infinite. Rows of a problem without columns are not looked at. "Unbounded or infeasible" is
// settled by the primal simplex method. The interior-point method is left out: with presolve off it
// ends in an error on many small problems (1.15.1).

#include <interfaces/highs_c_api.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "bridges/bridge_module.hpp"
#include "bridges/translation.hpp"

namespace osi_cuda {
namespace {

struct Destroy {
  void operator()(void* highs) const { Highs_destroy(highs); }
};
using Highs = std::unique_ptr<void, Destroy>;

void stopWhenAsked(int, char const*, HighsCallbackDataOut const*, HighsCallbackDataIn* answer,
                   void* interrupted) {
  if (answer && (*static_cast<std::function<bool()> const*>(interrupted))())
    answer->user_interrupt = 1;
}

void load(void* highs, LinearProgram const& lp) {
  if (lp.matrix.nonzeros() > std::numeric_limits<HighsInt>::max())
    throw BridgeLimit("this build of HiGHS can't count that many nonzeros");
  std::vector<HighsInt> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  std::vector<HighsInt> const indices(lp.matrix.indices.begin(), lp.matrix.indices.end());
  auto const nonzeros = static_cast<HighsInt>(lp.matrix.nonzeros());
  auto const sense = lp.sense == Sense::maximize ? kHighsObjSenseMaximize : kHighsObjSenseMinimize;
  auto const result =
      Highs_passLp(highs, lp.columns(), lp.rows(), nonzeros, kHighsMatrixFormatColwise, sense,
                   lp.objectiveOffset, lp.objective.data(), lp.columnLower.data(),
                   lp.columnUpper.data(), lp.rowLower.data(), lp.rowUpper.data(), starts.data(),
                   indices.data(), lp.matrix.values.data());
  if (result == kHighsStatusError) throw BridgeLimit("HiGHS refuses this problem");
}

HighsInt highsStatus(VariableStatus status) {
  switch (status) {
    case VariableStatus::basic:
      return kHighsBasisStatusBasic;
    case VariableStatus::atLower:
      return kHighsBasisStatusLower;
    case VariableStatus::atUpper:
      return kHighsBasisStatusUpper;
    default:
      return kHighsBasisStatusZero;
  }
}

VariableStatus ownStatus(HighsInt status, double value, double lower, double upper) {
  if (status == kHighsBasisStatusBasic) return VariableStatus::basic;
  if (status == kHighsBasisStatusLower) return VariableStatus::atLower;
  if (status == kHighsBasisStatusUpper) return VariableStatus::atUpper;
  if (status == kHighsBasisStatusZero) return VariableStatus::free;
  return nonbasicStatusAt(value, lower, upper);
}

void setStart(void* highs, LinearProgram const& lp, Basis const& basis) {
  std::vector<HighsInt> columns, rows;
  for (int j = 0; j < lp.columns(); ++j)
    columns.push_back(
        highsStatus(possibleStatus(basis.columns[j], lp.columnLower[j], lp.columnUpper[j])));
  for (int i = 0; i < lp.rows(); ++i)
    rows.push_back(highsStatus(possibleStatus(basis.rows[i], lp.rowLower[i], lp.rowUpper[i])));
  Highs_setBasis(highs, columns.data(), rows.data());
}

void configure(void* highs, BridgeOptions const& options) {
  Highs_setBoolOptionValue(highs, "output_flag", 0);
  bool const presolve = options.presolve && options.startBasis.empty();
  Highs_setStringOptionValue(highs, "presolve", presolve ? "choose" : "off");
  Highs_setIntOptionValue(highs, "threads", options.threads);
  if (std::isfinite(options.timeLimit))
    Highs_setDoubleOptionValue(highs, "time_limit", options.timeLimit);
  Highs_setStringOptionValue(highs, "solver", "simplex");
  Highs_setIntOptionValue(highs, "simplex_strategy", options.algorithm == "primal" ? 4 : 1);
}

HighsInt iterationsOf(void* highs) {
  HighsInt count = 0;
  Highs_getIntInfoValue(highs, "simplex_iteration_count", &count);
  return std::max<HighsInt>(count, 0);  // -1: nothing was solved
}

Status statusOf(HighsInt status, std::string& message) {
  if (status == kHighsModelStatusOptimal || status == kHighsModelStatusModelEmpty)
    return Status::optimal;
  if (status == kHighsModelStatusInfeasible) return Status::infeasible;
  if (status == kHighsModelStatusUnbounded) return Status::unbounded;
  if (status == kHighsModelStatusTimeLimit) return Status::timeLimit;
  if (status == kHighsModelStatusIterationLimit) return Status::iterationLimit;
  if (status == kHighsModelStatusInterrupt) return Status::interrupted;
  message = "HiGHS ended with model status " + std::to_string(status);
  return Status::numerical;
}

void readPoint(void* highs, LinearProgram const& lp, Solution& solution) {
  solution.objective = Highs_getObjectiveValue(highs);
  solution.columnValues.resize(lp.columns());
  solution.reducedCosts.resize(lp.columns());
  solution.rowDuals.resize(lp.rows());
  std::vector<double> activity(lp.rows());
  Highs_getSolution(highs, solution.columnValues.data(), solution.reducedCosts.data(),
                    activity.data(), solution.rowDuals.data());
  std::vector<HighsInt> columns(lp.columns()), rows(lp.rows());
  if (Highs_getBasis(highs, columns.data(), rows.data()) != kHighsStatusOk) return;
  for (int j = 0; j < lp.columns(); ++j)
    solution.basis.columns.push_back(
        ownStatus(columns[j], solution.columnValues[j], lp.columnLower[j], lp.columnUpper[j]));
  for (int i = 0; i < lp.rows(); ++i)
    solution.basis.rows.push_back(ownStatus(rows[i], activity[i], lp.rowLower[i], lp.rowUpper[i]));
}

void readCertificates(void* highs, LinearProgram const& lp, Solution& solution) {
  HighsInt exists = 0;
  if (solution.status == Status::infeasible) {
    std::vector<double> y(lp.rows());
    Highs_getDualRay(highs, &exists, y.data());
    if (exists) solution.farkas = std::move(y);
  } else if (solution.status == Status::unbounded) {
    std::vector<double> ray(lp.columns());
    Highs_getPrimalRay(highs, &exists, ray.data());
    if (exists) solution.ray = std::move(ray);
  }
}

std::string version() {
  return Highs_version();
}
std::vector<std::string> algorithms() {
  return {"dual", "primal"};
}
bool startsFromBasis(std::string const&) {
  return true;
}

Solution run(LinearProgram const& lp, BridgeOptions const& options) {
  if (lp.columns() == 0) throw BridgeLimit("HiGHS does not look at rows without columns");
  Highs const highs(Highs_create());
  configure(highs.get(), options);
  load(highs.get(), lp);
  if (!options.startBasis.empty()) setStart(highs.get(), lp, options.startBasis);
  auto interrupted = options.interrupted;
  if (interrupted) {
    Highs_setCallback(highs.get(), stopWhenAsked, &interrupted);
    Highs_startCallback(highs.get(), kHighsCallbackSimplexInterrupt);
  }
  Highs_run(highs.get());
  HighsInt iterations = iterationsOf(highs.get());
  HighsInt status = Highs_getModelStatus(highs.get());
  if (status == kHighsModelStatusUnboundedOrInfeasible) {
    Highs_setIntOptionValue(highs.get(), "simplex_strategy", 4);
    Highs_run(highs.get());
    iterations += iterationsOf(highs.get());
    status = Highs_getModelStatus(highs.get());
  }

  Solution solution;
  solution.iterations = iterations;
  solution.status = statusOf(status, solution.message);
  readPoint(highs.get(), lp, solution);
  readCertificates(highs.get(), lp, solution);
  return solution;
}

}  // namespace
}  // namespace osi_cuda

OSI_CUDA_BRIDGE_MODULE(&osi_cuda::version, &osi_cuda::algorithms, &osi_cuda::startsFromBasis,
                       &osi_cuda::run)
