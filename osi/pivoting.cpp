// SPDX-License-Identifier: EPL-2.0
// Osi's simplex interface, group 2: pivots that the caller chooses. A row is variable -1 - i and
// speaks of its activity, as it does in OsiClp.

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
