// SPDX-License-Identifier: EPL-2.0
// How the last solve ended, and what it found.
#include <algorithm>
#include <cmath>

#include "osi/state.hpp"

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

// Limits are in the user's sense; those beyond 1e30 were never meant as limits.
bool OsiCudaSolverInterface::isPrimalObjectiveLimitReached() const {
  double limit = 0.0;
  getDblParam(OsiPrimalObjectiveLimit, limit);
  if (std::fabs(limit) > 1e30) return false;
  if (state_->primalLimitReached) return true;
  return isProvenOptimal() && state_->sense * getObjValue() < state_->sense * limit;
}

bool OsiCudaSolverInterface::isDualObjectiveLimitReached() const {
  double limit = 0.0;
  getDblParam(OsiDualObjectiveLimit, limit);
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
  auto const n = static_cast<std::size_t>(state_->columns());
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
  double offset = 0.0;
  getDblParam(OsiObjOffset, offset);
  long double sum = -offset;
  for (std::size_t j = 0; j < state_->objective.size(); ++j)
    sum += static_cast<long double>(state_->objective[j]) * state_->columnValue[j];
  return static_cast<double>(sum);
}

int OsiCudaSolverInterface::getIterationCount() const {
  return state_->iterations;
}

// The solver's multipliers y prove min y'(A x) > max (A'y)'x. Osi's ray r is for rows A x <= b:
// r'b < 0 where r'A >= 0, which is r = -y. The full ray goes on with multipliers of the bounds that
// the columns rest on, x_j <= u_j or -x_j <= -l_j, which cancel r'A.
std::vector<double*> OsiCudaSolverInterface::getDualRays(int maxNumRays, bool fullRay) const {
  auto const& y = state_->farkas;
  auto const n = static_cast<std::size_t>(state_->columns()),
             m = static_cast<std::size_t>(state_->rows());
  if (maxNumRays <= 0 || y.size() != m || !isProvenPrimalInfeasible()) return {};
  double* const ray = new double[std::max<std::size_t>(1, fullRay ? m + n : m)];
  for (std::size_t i = 0; i < m; ++i) ray[i] = -y[i];
  if (!fullRay) return {ray};
  std::fill(ray + m, ray + m + n, 0.0);
  if (m > 0 && n > 0) state_->matrix.transposeTimes(ray, ray + m);
  for (std::size_t j = 0; j < n; ++j) {
    double const x = state_->columnValue[j];
    bool const above = x > state_->columnUpper[j], below = x < state_->columnLower[j];
    switch (state_->basis.columns[j]) {
      case osi_cuda::VariableStatus::atUpper:
        ray[m + j] = -ray[m + j];
        break;
      case osi_cuda::VariableStatus::atLower:
        break;
      default:
        ray[m + j] = above ? -ray[m + j] : below ? ray[m + j] : 0.0;
    }
  }
  return {ray};
}

std::vector<double*> OsiCudaSolverInterface::getPrimalRays(int maxNumRays) const {
  auto const& direction = state_->ray;
  if (maxNumRays <= 0 || direction.size() != static_cast<std::size_t>(state_->columns()) ||
      direction.empty() || !isProvenDualInfeasible())
    return {};
  double* const ray = new double[direction.size()];
  std::copy(direction.begin(), direction.end(), ray);
  return {ray};
}
