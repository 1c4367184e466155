// SPDX-License-Identifier: EPL-2.0
// Osi's simplex interface, group 1: rows and columns of B^-1 and of the tableau. The methods are
// const and may be called at any time; the tableau of the present basis is formed when it is not
// there, which it is after a solve.
#include <algorithm>

#include "osi/state.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;
using osi_cuda::VariableStatus;

int OsiCudaSolverInterface::canDoSimplexInterface() const {
  return 2;
}

osi_cuda::Solver& OsiCudaSolverInterface::tableau(char const* method) const {
  if (state_->tableauFits()) return *state_->solver;
  double const offset = doubleParam(OsiObjOffset);
  osi::orCoinError(
      method, [&] { state_->upToDateSolver(offset).prepareTableau(optionsOfSolve(false, 0)); });
  state_->basics.clear();
  state_->tableauReady = true;
  return *state_->solver;
}

bool OsiCudaSolverInterface::basisIsAvailable() const {
  return isProvenOptimal();
}

void OsiCudaSolverInterface::enableFactorization() const {
  tableau("enableFactorization");
}

// The tableau stays: it is what the next solve starts from.
void OsiCudaSolverInterface::disableFactorization() const {}

// 0 free, 1 basic, 2 at upper, 3 at lower: the numbers of CoinWarmStartBasis. The slack of an
// equality, whose bounds are one, goes where the sign of its dual would have it.
void OsiCudaSolverInterface::getBasisStatus(int* columnStatus, int* rowStatus) const {
  State const& s = *state_;
  for (std::size_t j = 0; j < s.basis.columns.size(); ++j) {
    VariableStatus status = s.basis.columns[j];
    if (status == VariableStatus::atLower && s.columnLower[j] == s.columnUpper[j] &&
        s.sense * s.reducedCost[j] < -osi::coinTolerance)
      status = VariableStatus::atUpper;
    columnStatus[j] = static_cast<int>(osi::toCoin(status));
  }
  for (int i = 0; i < s.rows(); ++i) {
    auto const k = at(i);
    VariableStatus status = s.slackStatus(i);
    // d of the slack is -y
    if (status != VariableStatus::basic && s.rowLower[k] == s.rowUpper[k])
      status = s.sense * s.rowDual[k] > osi::coinTolerance ? VariableStatus::atUpper
                                                           : VariableStatus::atLower;
    rowStatus[i] = static_cast<int>(osi::toCoin(status));
  }
}

int OsiCudaSolverInterface::setBasisStatus(int const* columnStatus, int const* rowStatus) {
  State& s = *state_;
  for (std::size_t j = 0; j < s.basis.columns.size(); ++j)
    s.basis.columns[j] = osi::fromCoin(static_cast<CoinWarmStartBasis::Status>(columnStatus[j]));
  for (std::size_t i = 0; i < s.basis.rows.size(); ++i)
    s.basis.rows[i] =
        osi::otherBound(osi::fromCoin(static_cast<CoinWarmStartBasis::Status>(rowStatus[i])));
  osi_cuda::Basis const wanted = s.basis;
  evaluateBasis();
  bool const sameBasics =
      std::equal(wanted.columns.begin(), wanted.columns.end(), s.basis.columns.begin(),
                 [](VariableStatus a, VariableStatus b) {
                   return (a == VariableStatus::basic) == (b == VariableStatus::basic);
                 });
  return sameBasics ? 0 : 1;
}

// The basic solution of the present basis becomes the present solution, without a pivot.
void OsiCudaSolverInterface::evaluateBasis() {
  double const offset = doubleParam(OsiObjOffset);
  osi::orCoinError("setBasisStatus", [&] {
    osi_cuda::Options const options = optionsOfSolve(false, 0);
    auto solution = state_->upToDateSolver(offset).evaluate(options);
    double const residual = solution.residuals.primal;
    double const moved = state_->take(std::move(solution));
    if (state_->status == osi_cuda::Status::optimal && residual + moved > options.primalTolerance)
      verifyDoubles(options);
    if (state_->status != osi_cuda::Status::optimal) state_->status.reset();
    state_->tableauReady = true;
  });
}

void OsiCudaSolverInterface::getReducedGradient(double* columnReducedCosts, double* duals,
                                                double const* costs) const {
  auto const n = at(state_->columns());
  auto const y = tableau("getReducedGradient").dualsFor({costs, n});
  std::ranges::copy(y, duals);
  std::fill(columnReducedCosts, columnReducedCosts + n, 0.0);
  if (!y.empty() && n > 0) state_->matrix.transposeTimes(duals, columnReducedCosts);
  for (std::size_t j = 0; j < n; ++j)
    columnReducedCosts[j] =
        state_->basis.columns[j] == VariableStatus::basic ? 0.0 : costs[j] - columnReducedCosts[j];
}

void OsiCudaSolverInterface::getBInvARow(int row, double* z, double* slack) const {
  osi::checkIndex(row, state_->rows(), "getBInvARow");
  osi_cuda::Solver const& solver = tableau("getBInvARow");
  auto const inverse = solver.inverseRow(row);
  auto const entries = solver.tableauRow(inverse);
  std::ranges::copy(entries, z);
  // What is zero or one by definition is so to the last bit.
  auto const& basics = basicVariables();
  for (int const v : basics)
    if (v < state_->columns()) z[v] = 0.0;
  int const own = basics[at(row)];
  if (own < state_->columns()) z[own] = 1.0;
  if (slack) std::ranges::copy(inverse, slack);
}

void OsiCudaSolverInterface::getBInvRow(int row, double* z) const {
  osi::checkIndex(row, state_->rows(), "getBInvRow");
  auto const inverse = tableau("getBInvRow").inverseRow(row);
  std::ranges::copy(inverse, z);
}

void OsiCudaSolverInterface::getBInvACol(int column, double* values) const {
  int const n = state_->columns();
  osi::checkIndex(column, n + state_->rows(), "getBInvACol");
  osi_cuda::Solver const& solver = tableau("getBInvACol");
  auto const entries = column < n ? solver.tableauColumn(column) : solver.inverseColumn(column - n);
  std::ranges::copy(entries, values);
}

void OsiCudaSolverInterface::getBInvCol(int row, double* values) const {
  osi::checkIndex(row, state_->rows(), "getBInvCol");
  auto const entries = tableau("getBInvCol").inverseColumn(row);
  std::ranges::copy(entries, values);
}

void OsiCudaSolverInterface::getBasics(int* index) const {
  auto const& basics = basicVariables();
  std::ranges::copy(basics, index);
}

std::vector<int> const& OsiCudaSolverInterface::basicVariables() const {
  osi_cuda::Solver const& solver = tableau("getBasics");
  if (state_->basics.empty()) state_->basics = solver.basicVariables();
  return state_->basics;
}
