// SPDX-License-Identifier: EPL-2.0
// Changes of bounds, costs, types and of the solution itself. Each writes into the arrays that the
// queries point to; the solver hears of it at the next solve.
#include <algorithm>
#include <utility>

#include "osi/state.hpp"

using osi_cuda::at;
using osi_cuda::osi::boundsOf;
using osi_cuda::osi::checkIndex;
using osi_cuda::osi::coinBound;

namespace {

/// Whether `values[index]` is another number now. Branch and bound sets many bounds to what they
/// are, which is no change.
bool replaced(std::vector<double>& values, int index, double value) {
  double& present = values[at(index)];
  if (present == value) return false;
  present = value;
  return true;
}

}  // namespace

void OsiCudaSolverInterface::setObjCoeff(int column, double value) {
  checkIndex(column, state_->columns(), "setObjCoeff");
  if (replaced(state_->objective, column, value)) state_->costChanged();
}

void OsiCudaSolverInterface::setObjective(double const* array) {
  std::copy(array, array + state_->columns(), state_->objective.begin());
  state_->costChanged();
}

void OsiCudaSolverInterface::setObjSense(double sense) {
  double const given = sense < 0.0 ? -1.0 : 1.0;
  if (std::exchange(state_->sense, given) != given) state_->costChanged();
}

void OsiCudaSolverInterface::setColLower(int column, double value) {
  checkIndex(column, state_->columns(), "setColLower");
  if (replaced(state_->columnLower, column, coinBound(value))) state_->columnBoundsChanged(column);
}

void OsiCudaSolverInterface::setColUpper(int column, double value) {
  checkIndex(column, state_->columns(), "setColUpper");
  if (replaced(state_->columnUpper, column, coinBound(value))) state_->columnBoundsChanged(column);
}

void OsiCudaSolverInterface::setColBounds(int column, double lower, double upper) {
  checkIndex(column, state_->columns(), "setColBounds");
  bool const below = replaced(state_->columnLower, column, coinBound(lower));
  bool const above = replaced(state_->columnUpper, column, coinBound(upper));
  if (below || above) state_->columnBoundsChanged(column);
}

void OsiCudaSolverInterface::setRowLower(int row, double value) {
  checkIndex(row, state_->rows(), "setRowLower");
  if (replaced(state_->rowLower, row, coinBound(value))) state_->rowBoundsChanged(row);
}

void OsiCudaSolverInterface::setRowUpper(int row, double value) {
  checkIndex(row, state_->rows(), "setRowUpper");
  if (replaced(state_->rowUpper, row, coinBound(value))) state_->rowBoundsChanged(row);
}

void OsiCudaSolverInterface::setRowBounds(int row, double lower, double upper) {
  checkIndex(row, state_->rows(), "setRowBounds");
  bool const below = replaced(state_->rowLower, row, coinBound(lower));
  bool const above = replaced(state_->rowUpper, row, coinBound(upper));
  if (below || above) state_->rowBoundsChanged(row);
}

void OsiCudaSolverInterface::setRowType(int row, char sense, double rightHandSide, double range) {
  auto const bounds = boundsOf(sense, rightHandSide, range);
  setRowBounds(row, bounds.lower, bounds.upper);
}

void OsiCudaSolverInterface::setRowSetTypes(int const* first, int const* last, char const* senses,
                                            double const* rightHandSides, double const* ranges) {
  for (; first != last; ++first, ++senses) {
    setRowType(*first, *senses, rightHandSides ? *rightHandSides++ : 0.0, ranges ? *ranges++ : 0.0);
  }
}

void OsiCudaSolverInterface::setColSolution(double const* values) {
  std::copy(values, values + state_->columns(), state_->columnValue.begin());
  state_->refreshActivity();
  state_->settled.reset();
}

void OsiCudaSolverInterface::setRowPrice(double const* values) {
  std::copy(values, values + state_->rows(), state_->rowDual.begin());
  state_->refreshReducedCosts();
  state_->settled.reset();
}

void OsiCudaSolverInterface::setContinuous(int column) {
  checkIndex(column, state_->columns(), "setContinuous");
  state_->integer[at(column)] = 0;
  state_->columnTypesFit = false;
}

void OsiCudaSolverInterface::setInteger(int column) {
  checkIndex(column, state_->columns(), "setInteger");
  state_->integer[at(column)] = 1;
  state_->columnTypesFit = false;
}
