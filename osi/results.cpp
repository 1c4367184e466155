// SPDX-License-Identifier: EPL-2.0
// How the last solve ended, and what it found.
#include <algorithm>
#include <cmath>

#include "osi/state.hpp"

using osi_cuda::at;
using osi_cuda::Status;
using osi_cuda::osi::pointerOrNull;

bool OsiCudaSolverInterface::isAbandoned() const {
  return state_->status == Status::numerical;
}

bool OsiCudaSolverInterface::isProvenOptimal() const {
  return state_->status == Status::optimal;
}

bool OsiCudaSolverInterface::isProvenPrimalInfeasible() const {
  return state_->status == Status::infeasible;
}

bool OsiCudaSolverInterface::isProvenDualInfeasible() const {
  return state_->status == Status::unbounded;
}

// Limits are in the user's sense; those beyond 1e30 were never meant as limits. The dual objective
// of an infeasible problem passes every limit.
bool OsiCudaSolverInterface::isPrimalObjectiveLimitReached() const {
  double const limit = doubleParam(OsiPrimalObjectiveLimit);
  if (std::fabs(limit) > 1e30) return false;
  if (state_->primalLimitReached) return true;
  return isProvenOptimal() && state_->sense * getObjValue() < state_->sense * limit;
}

bool OsiCudaSolverInterface::isDualObjectiveLimitReached() const {
  if (isProvenPrimalInfeasible()) return true;
  double const limit = doubleParam(OsiDualObjectiveLimit);
  if (std::fabs(limit) > 1e30) return false;
  if (state_->status == Status::objectiveLimit) return true;
  return isProvenOptimal() && state_->sense * getObjValue() > state_->sense * limit;
}

bool OsiCudaSolverInterface::isIterationLimitReached() const {
  return !state_->primalLimitReached &&
         (state_->status == Status::iterationLimit || state_->status == Status::timeLimit ||
          state_->status == Status::interrupted);
}

double const* OsiCudaSolverInterface::getColSolution() const {
  return pointerOrNull(state_->columnValue);
}

double const* OsiCudaSolverInterface::getStrictColSolution() {
  auto const n = at(state_->columns());
  auto& strict = state_->strictSolution;
  strict.resize(n);
  for (std::size_t j = 0; j < n; ++j)
    strict[j] =
        std::min(std::max(state_->columnValue[j], state_->columnLower[j]), state_->columnUpper[j]);
  return pointerOrNull(strict);
}

double const* OsiCudaSolverInterface::getRowPrice() const {
  return pointerOrNull(state_->rowDual);
}

double const* OsiCudaSolverInterface::getReducedCost() const {
  return pointerOrNull(state_->reducedCost);
}

double const* OsiCudaSolverInterface::getRowActivity() const {
  return pointerOrNull(state_->rowActivity);
}

// Summed in extended precision: published optima are compared to ten digits and more.
double OsiCudaSolverInterface::getObjValue() const {
  double const offset = doubleParam(OsiObjOffset);
  long double sum = 0.0L - offset;  // not -0, where there is nothing
  for (std::size_t j = 0; j < state_->objective.size(); ++j)
    if (state_->columnValue[j] != 0.0)
      sum += static_cast<long double>(state_->objective[j]) * state_->columnValue[j];
  return static_cast<double>(sum);
}

int OsiCudaSolverInterface::getIterationCount() const {
  return state_->iterations;
}

OsiCudaSolverInterface::ObjectiveEnclosure OsiCudaSolverInterface::getObjectiveEnclosure() const {
  osi_cuda::ObjectiveEnclosure const& found = state_->enclosure;
  auto const clipped = [](double value) {
    return std::min(std::max(value, -COIN_DBL_MAX), COIN_DBL_MAX);
  };
  return {clipped(found.lower), clipped(found.upper), clipped(found.errorOf(getObjValue()))};
}
