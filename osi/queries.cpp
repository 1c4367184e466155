// SPDX-License-Identifier: EPL-2.0
// What the problem is. Nothing here computes but on first use after a change: branch and bound asks
// hundreds of thousands of times.
#include <algorithm>
#include <cmath>

#include "osi/state.hpp"

using osi_cuda::at;
using osi_cuda::Status;
using osi_cuda::osi::checkIndex;
using osi_cuda::osi::pointerOrNull;

int OsiCudaSolverInterface::getNumCols() const {
  return state_->columns();
}

int OsiCudaSolverInterface::getNumRows() const {
  return state_->rows();
}

CoinBigIndex OsiCudaSolverInterface::getNumElements() const {
  return state_->matrix.getNumElements();
}

int OsiCudaSolverInterface::getNumIntegers() const {
  return static_cast<int>(std::ranges::count(state_->integer, 1));
}

double const* OsiCudaSolverInterface::getColLower() const {
  return pointerOrNull(state_->columnLower);
}

double const* OsiCudaSolverInterface::getColUpper() const {
  return pointerOrNull(state_->columnUpper);
}

char const* OsiCudaSolverInterface::getRowSense() const {
  state_->fillSenses();
  return pointerOrNull(state_->rowSense);
}

double const* OsiCudaSolverInterface::getRightHandSide() const {
  state_->fillSenses();
  return pointerOrNull(state_->rightHandSide);
}

double const* OsiCudaSolverInterface::getRowRange() const {
  state_->fillSenses();
  return pointerOrNull(state_->rowRange);
}

double const* OsiCudaSolverInterface::getRowLower() const {
  return pointerOrNull(state_->rowLower);
}

double const* OsiCudaSolverInterface::getRowUpper() const {
  return pointerOrNull(state_->rowUpper);
}

double const* OsiCudaSolverInterface::getObjCoefficients() const {
  return pointerOrNull(state_->objective);
}

double OsiCudaSolverInterface::getObjSense() const {
  return state_->sense;
}

bool OsiCudaSolverInterface::isContinuous(int column) const {
  // Asked for each column again and again: a failure is told by the function that is not inlined.
  if (at(column) >= state_->integer.size()) checkIndex(column, state_->columns(), "isContinuous");
  return state_->integer[at(column)] == 0;
}

// The base class never makes its array longer. Without `refresh`, types that are known stay, also
// those that setColumnType gave.
char const* OsiCudaSolverInterface::getColType(bool refresh) const {
  int const n = state_->columns();
  if (columnType_ && !refresh && state_->columnTypesFit) return columnType_;
  if (!columnType_ || state_->columnTypeLength != n) {
    delete[] columnType_;
    columnType_ = new char[at(n)];
    state_->columnTypeLength = n;
  }
  for (int j = 0; j < n; ++j)
    columnType_[j] = static_cast<char>(!isInteger(j) ? 0 : isBinary(j) ? 1 : 2);
  state_->columnTypesFit = true;
  return columnType_;
}

CoinPackedMatrix const* OsiCudaSolverInterface::getMatrixByCol() const {
  return &state_->matrix;
}

// The next solve reads it anew.
CoinPackedMatrix* OsiCudaSolverInterface::getMutableMatrixByCol() const {
  state_->forgetSolver();
  state_->forgetProofs();
  state_->matrixByRow.reset();
  state_->appendedFrom = state_->rows();
  return &state_->matrix;
}

CoinPackedMatrix const* OsiCudaSolverInterface::getMatrixByRow() const {
  if (!state_->matrixByRow) {
    auto byRow = std::make_unique<CoinPackedMatrix>(false, 0.0, 0.0);
    byRow->reverseOrderedCopyOf(state_->matrix);
    byRow->setExtraGap(0.0);
    byRow->setExtraMajor(0.0);
    byRow->removeGaps();
    state_->matrixByRow = std::move(byRow);
  }
  return state_->matrixByRow.get();
}

double OsiCudaSolverInterface::getInfinity() const {
  return COIN_DBL_MAX;
}

// How the last solve ended, and what it found.

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
