// SPDX-License-Identifier: EPL-2.0
#include "osi/state.hpp"

#include <algorithm>
#include <cmath>

#include "osi/hot_start.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;
using osi_cuda::VariableStatus;

namespace osi_cuda::osi {

double coinBound(double bound) {
  constexpr double largest = 1e27;
  if (bound > largest) return COIN_DBL_MAX;
  if (bound < -largest) return -COIN_DBL_MAX;
  return bound;
}

double modelBound(double bound) {
  if (bound >= COIN_DBL_MAX) return infinity;
  if (bound <= -COIN_DBL_MAX) return -infinity;
  return bound;
}

std::vector<double> modelBounds(std::vector<double> const& bounds) {
  std::vector<double> converted(bounds.size());
  std::ranges::transform(bounds, converted.begin(), modelBound);
  return converted;
}

std::vector<double> copyOr(double const* values, int count, double otherwise) {
  if (!values) return std::vector<double>(at(count), otherwise);
  return {values, values + count};
}

std::vector<double> boundsOr(double const* values, int count, double otherwise) {
  auto bounds = copyOr(values, count, otherwise);
  std::ranges::transform(bounds, bounds.begin(), coinBound);
  return bounds;
}

double restingValue(double lower, double upper) {
  if (lower > 0.0) return lower < COIN_DBL_MAX ? lower : 0.0;
  if (upper < 0.0) return upper > -COIN_DBL_MAX ? upper : 0.0;
  return 0.0;
}

VariableStatus restingStatus(double lower, double upper) {
  bool const hasLower = lower > -COIN_DBL_MAX, hasUpper = upper < COIN_DBL_MAX;
  if (!hasLower && !hasUpper) return VariableStatus::free;
  if (!hasLower) return VariableStatus::atUpper;
  return VariableStatus::atLower;
}

RowBounds boundsOf(char sense, double rightHandSide, double range) {
  double const rhs = coinBound(rightHandSide);
  if (sense == 'E') return {rhs, rhs};
  if (sense == 'L') return {-COIN_DBL_MAX, rhs};
  if (sense == 'G') return {rhs, COIN_DBL_MAX};
  if (sense == 'R') return {coinBound(rhs - range), rhs};
  if (sense == 'N') return {-COIN_DBL_MAX, COIN_DBL_MAX};
  refuse("setRowType", "unknown row sense '", sense, "'");
}

RowBoundArrays::RowBoundArrays(int rows, char const* sense, double const* rightHandSide,
                               double const* range)
    : lower(at(rows)), upper(at(rows)) {
  for (std::size_t i = 0; i < lower.size(); ++i) {
    auto const bounds = boundsOf(sense ? sense[i] : 'G', rightHandSide ? rightHandSide[i] : 0.0,
                                 range ? range[i] : 0.0);
    lower[i] = bounds.lower;
    upper[i] = bounds.upper;
  }
}

void checkIndex(int index, int size, char const* method) {
  if (index < 0 || index >= size) refuse(method, "index ", index, " is not in 0..", size - 1);
}

void checkFinite(double value, char const* method) {
  if (!std::isfinite(value)) refuse(method, "a coefficient is not a finite number");
}

std::vector<int> sortedIndices(int count, int const* indices, int size, char const* method) {
  std::vector<int> sorted(indices, indices + std::max(count, 0));
  for (int const index : sorted) checkIndex(index, size, method);
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

}  // namespace osi_cuda::osi

OsiCudaSolverInterface::State::State() {
  aheadCounts = std::make_shared<osi::AheadCounts>();
  options.atWork = std::make_shared<std::atomic<int>>(0);
  senseOfLimit.fill(1.0);
}

OsiCudaSolverInterface::State::State(State const& other)
    : Problem(other), Settings(other), Answer(other) {}

void OsiCudaSolverInterface::State::load(CoinPackedMatrix const& newMatrix, double const* lower,
                                         double const* upper, double const* costs,
                                         double const* newRowLower, double const* newRowUpper) {
  int const n = newMatrix.getNumCols(), m = newMatrix.getNumRows();
  setMatrix(newMatrix, m, n);
  columnLower = osi::boundsOr(lower, n, 0.0);
  columnUpper = osi::boundsOr(upper, n, COIN_DBL_MAX);
  objective = osi::copyOr(costs, n, 0.0);
  rowLower = osi::boundsOr(newRowLower, m, -COIN_DBL_MAX);
  rowUpper = osi::boundsOr(newRowUpper, m, COIN_DBL_MAX);
  integer.assign(at(n), 0);
  choices = {};
  hotStart.reset();
  deviceLost = false;
  forgetSolver();
  forgetSolution();
}

void OsiCudaSolverInterface::State::setMatrix(CoinPackedMatrix const& newMatrix, int m, int n) {
  CoinPackedMatrix made(true, 0.0, 0.0);  // all of it before anything changes
  if (newMatrix.isColOrdered())
    made.copyOf(newMatrix);
  else
    made.reverseOrderedCopyOf(newMatrix);
  made.setExtraGap(0.0);
  made.setExtraMajor(0.0);
  made.setDimensions(m, n);
  made.removeGaps();
  if (osi::needsCleaning(made)) {
    osi::EntryList list(m, "loadProblem");
    for (int j = 0; j < n; ++j) list.add(made.getVector(j));
    auto const& entries = list.get();
    std::vector<CoinBigIndex> const starts(entries.starts.begin(), entries.starts.end());
    made = CoinPackedMatrix(true, 0.0, 0.0);
    made.copyOf(true, m, n, starts.back(), entries.values.data(), entries.indices.data(),
                starts.data(), nullptr);
    made.setExtraGap(0.0);
    made.setExtraMajor(0.0);
  }
  matrix.swap(made);
  matrixByRow.reset();
  appendedFrom = m;
}

void OsiCudaSolverInterface::State::replaceMatrix(CoinPackedMatrix const& newMatrix) {
  setMatrix(newMatrix, rows(), columns());
  forgetSolver();
  structureChanged();
  refreshActivity();
  refreshReducedCosts();
}

void OsiCudaSolverInterface::State::forgetSolution() {
  auto const n = at(columns()), m = at(rows());
  structureChanged();
  engine = osi_cuda::SolveEngine::none;
  columnValue.resize(n);
  basis.columns.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    columnValue[j] = osi::restingValue(columnLower[j], columnUpper[j]);
    basis.columns[j] = osi::restingStatus(columnLower[j], columnUpper[j]);
  }
  basis.rows.assign(m, VariableStatus::basic);
  rowDual.assign(m, 0.0);
  refreshActivity();
  refreshReducedCosts();
}

void OsiCudaSolverInterface::State::columnBoundsChanged(int column) {
  changedColumns.add(column);
  if (hotStart) hotStart->columns.add(column);
  forgetProofs();
}

void OsiCudaSolverInterface::State::rowBoundsChanged(int row) {
  changedRows.add(row);
  if (hotStart) hotStart->rows.add(row);
  forgetProofs();
  sensesFit = false;
}

void OsiCudaSolverInterface::State::structureChanged() {
  forgetProofs();
  sensesFit = false;
  columnTypesFit = false;
  if (hotStart && solver) solver->forgetKeptBasis();
  hotStart.reset();
  status.reset();
  primalLimitReached = false;
  tableauReady = false;
}

void OsiCudaSolverInterface::State::forgetSolver() {
  if (hotStart) {
    hotStart->ahead.reset();
    hotStart->branches.clear();
  }
  solver.reset();
  rowEdits = {};
  changedColumns = changedRows = osi_cuda::ChangeSet::all();
  costsChanged = true;
}

void OsiCudaSolverInterface::State::refreshActivity() {
  rowActivity.assign(at(rows()), 0.0);
  if (rows() > 0 && columns() > 0) matrix.times(columnValue.data(), rowActivity.data());
}

void OsiCudaSolverInterface::State::refreshReducedCosts() {
  reducedCost.assign(at(columns()), 0.0);
  if (rows() > 0 && columns() > 0) matrix.transposeTimes(rowDual.data(), reducedCost.data());
  for (std::size_t j = 0; j < reducedCost.size(); ++j)
    reducedCost[j] = objective[j] - reducedCost[j];
}

void OsiCudaSolverInterface::State::fillSenses() {
  if (sensesFit) return;
  auto const m = at(rows());
  rowSense.resize(m);
  rightHandSide.resize(m);
  rowRange.resize(m);
  for (std::size_t i = 0; i < m; ++i) {
    bool const hasLower = rowLower[i] > -COIN_DBL_MAX, hasUpper = rowUpper[i] < COIN_DBL_MAX;
    bool const equal = hasLower && hasUpper && rowLower[i] == rowUpper[i];
    rowSense[i] = equal ? 'E' : hasLower && hasUpper ? 'R' : hasUpper ? 'L' : hasLower ? 'G' : 'N';
    rightHandSide[i] = hasUpper ? rowUpper[i] : hasLower ? rowLower[i] : 0.0;
    rowRange[i] = rowSense[i] == 'R' ? rowUpper[i] - rowLower[i] : 0.0;
  }
  sensesFit = true;
}

osi_cuda::LinearProgram OsiCudaSolverInterface::State::model(double offset) const {
  osi_cuda::LinearProgram lp;
  lp.sense = sense < 0.0 ? osi_cuda::Sense::maximize : osi_cuda::Sense::minimize;
  lp.objectiveOffset = 0.0 - offset;
  lp.matrix.rows = rows();
  for (int j = 0; j < columns(); ++j) {
    auto const column = matrix.getVector(j);
    for (int e = 0; e < column.getNumElements(); ++e)
      lp.matrix.add(column.getIndices()[e], column.getElements()[e]);
    lp.matrix.endColumn();
  }
  lp.objective = objective;
  lp.columnLower = osi::modelBounds(columnLower);
  lp.columnUpper = osi::modelBounds(columnUpper);
  lp.rowLower = osi::modelBounds(rowLower);
  lp.rowUpper = osi::modelBounds(rowUpper);
  return lp;
}

void OsiCudaSolverInterface::State::sendRows() {
  rowsBack = 0;
  if (!rowEdits.any()) return;
  rowsBack = rowEdits.restore(solver->problem().matrix);
  int const kept = rows() - rowEdits.fresh.columns;
  for (int i = kept - rowsBack; i < kept; ++i) changedRows.add(i);
  auto const ofFresh = [&](std::vector<double> const& bounds) {
    return osi::modelBounds({bounds.begin() + kept, bounds.end()});
  };
  if (rowEdits.any())
    solver->replaceRows(rowEdits.gone, rowEdits.fresh, ofFresh(rowLower), ofFresh(rowUpper));
  rowEdits = {{}, {}, appendedFrom};
}

bool OsiCudaSolverInterface::State::variantsBegin(double offset) {
  solver->setObjectiveOffset(0.0 - offset);
  try {
    if (!variants) variants = std::make_shared<osi_cuda::VariantSolver>(solver->problem(), basis);
    return variants->beginAt(*solver);
  } catch (std::exception const&) {  // no memory, no device: a solve by itself says so
    variants.reset();
    return false;
  }
}

osi_cuda::Solver& OsiCudaSolverInterface::State::upToDateSolver(double offset) {
  if (!solver) {
    solver = std::make_unique<osi_cuda::Solver>(model(offset));
    rowEdits = {{}, {}, appendedFrom};
  } else {
    sendRows();
    changedColumns.each(columns(), [&](int j) {
      solver->setColumnBounds(j, osi::modelBound(columnLower[at(j)]),
                              osi::modelBound(columnUpper[at(j)]));
    });
    changedRows.each(rows(), [&](int i) {
      solver->setRowBounds(i, osi::modelBound(rowLower[at(i)]), osi::modelBound(rowUpper[at(i)]));
    });
    if (costsChanged) {
      solver->setObjective(objective);
      solver->setSense(sense < 0.0 ? osi_cuda::Sense::maximize : osi_cuda::Sense::minimize);
    }
    solver->setObjectiveOffset(0.0 - offset);
  }
  changedColumns.clear();
  changedRows.clear();
  costsChanged = false;
  tableauReady = false;
  basics.clear();
  solver->setBasis(basis);
  return *solver;
}
