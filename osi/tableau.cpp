// SPDX-License-Identifier: EPL-2.0
// Osi's simplex interface, group 1: rows and columns of B^-1 and of the tableau. The methods are
// const and may be called at any time; the tableau of the present basis is formed when it is not
// there, which it is after a solve.
#include <algorithm>

#include "CoinPackedVector.hpp"
#include "osi/state.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;
using osi_cuda::PivotStep;
using osi_cuda::VariableStatus;

namespace {

int fromOsi(int variable, int columns) {
  return variable < 0 ? columns - 1 - variable : variable;
}

int toOsi(int variable, int columns) {
  return variable < columns ? variable : columns - 1 - variable;
}

}  // namespace

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

// Osi's simplex interface, group 2: pivots that the caller chooses. A row is variable -1 - i and
// speaks of its activity, as it does in OsiClp.

// Solution, duals and reduced costs are those of the present basis and the present objective.
void OsiCudaSolverInterface::enableSimplexInterface(bool) {
  evaluateBasis();
}

void OsiCudaSolverInterface::disableSimplexInterface() {}

void OsiCudaSolverInterface::takePoint() {
  int const iterations = state_->iterations + 1;
  auto point = state_->solver->presentPoint();
  point.engine = state_->engine;
  state_->take(std::move(point));
  state_->iterations = iterations;
  state_->status.reset();
  state_->tableauReady = true;
  state_->basics.clear();
}

int OsiCudaSolverInterface::pivot(int colIn, int colOut, int outStatus) {
  int const n = state_->columns(), in = fromOsi(colIn, n), out = fromOsi(colOut, n);
  osi::checkIndex(in, n + state_->rows(), "pivot");
  osi::checkIndex(out, n + state_->rows(), "pivot");
  osi_cuda::Solver& solver = tableau("pivot");
  auto const status = outStatus > 0 ? VariableStatus::atUpper : VariableStatus::atLower;
  if (!solver.exchange(in, out, status)) return -1;
  takePoint();
  return 0;
}

int OsiCudaSolverInterface::primalPivotResult(int colIn, int sign, int& colOut, int& outStatus,
                                              double& t, CoinPackedVector* dx) {
  int const n = state_->columns(), in = fromOsi(colIn, n);
  osi::checkIndex(in, n + state_->rows(), "primalPivotResult");
  osi_cuda::Solver& solver = tableau("primalPivotResult");
  if (dx) {
    // Basic columns move by -B^-1 a for each unit of a column, by B^-1 e for each of an activity.
    auto const entries = in < n ? solver.tableauColumn(in) : solver.inverseColumn(in - n);
    std::vector<double> direction(at(n), 0.0);
    auto const& basics = basicVariables();
    double const unit = in < n ? -sign : sign;
    for (std::size_t i = 0; i < basics.size(); ++i)
      if (basics[i] < n) direction[at(basics[i])] = unit * entries[i];
    if (in < n) direction[at(in)] = sign;
    dx->setFullNonZero(n, direction.data());
  }
  std::optional<PivotStep> const step = solver.primalPivot(in, sign);
  if (!step) return -1;
  colOut = toOsi(step->variable, n);
  outStatus = step->toUpper ? 1 : -1;
  t = step->step;
  takePoint();
  return 0;
}

int OsiCudaSolverInterface::dualPivotResult(int& colIn, int& sign, int colOut, int outStatus,
                                            double& t, CoinPackedVector* dx) {
  int const n = state_->columns(), out = fromOsi(colOut, n);
  osi::checkIndex(out, n + state_->rows(), "dualPivotResult");
  osi_cuda::Solver& solver = tableau("dualPivotResult");
  if (dx) {
    auto const& basics = basicVariables();
    for (std::size_t r = 0; r < basics.size(); ++r) {
      if (basics[r] != out) continue;
      // The leaving variable's reduced cost grows by one, away from the bound it goes to; a slack
      // moves against its row's activity.
      auto direction = solver.inverseRow(static_cast<int>(r));
      double unit = (outStatus > 0) == (out < n) ? 1.0 : -1.0;
      unit *= state_->sense;
      for (double& value : direction) value *= unit;
      dx->setFullNonZero(static_cast<int>(direction.size()), direction.data());
    }
  }
  std::optional<PivotStep> const step = solver.dualPivot(out, outStatus > 0);
  if (!step) return -1;
  colIn = toOsi(step->variable, n);
  sign = step->direction;
  t = step->step;
  takePoint();
  return 0;
}
