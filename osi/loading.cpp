// SPDX-License-Identifier: EPL-2.0
// Construction and copies, and whole problems. A load replaces rows, columns, integer marks, basis
// and solution; the sense and the objective offset are the interface's and stay.
#include <cmath>
#include <utility>

#include "osi/hot_start.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;

namespace {

/// A gap-free column-major matrix around copies of the arrays.
CoinPackedMatrix matrixOf(int columns, int rows, CoinBigIndex const* starts, int const* indices,
                          double const* values) {
  std::vector<int> lengths(at(columns));
  for (int j = 0; j < columns; ++j) lengths[at(j)] = static_cast<int>(starts[j + 1] - starts[j]);
  CoinPackedMatrix matrix(true, 0.0, 0.0);
  if (columns > 0)
    matrix.copyOf(true, rows, columns, starts[columns], values, indices, starts, lengths.data());
  else
    matrix.setDimensions(rows, 0);
  return matrix;
}

/// Frees the arguments as Osi says: the matrix with delete, the arrays with delete[].
template <class... T>
void release(CoinPackedMatrix*& matrix, T*&... arrays) {
  delete std::exchange(matrix, nullptr);
  (delete[] std::exchange(arrays, nullptr), ...);
}

}  // namespace

OsiCudaSolverInterface::OsiCudaSolverInterface() : state_(std::make_unique<State>()) {
  // As OsiClp's; names are lazy: those that exist.
  OsiSolverInterface::setIntParam(OsiNameDiscipline, 1);
  OsiSolverInterface::setIntParam(OsiMaxNumIteration, COIN_INT_MAX);
  OsiSolverInterface::setDblParam(OsiPrimalObjectiveLimit, COIN_DBL_MAX);
  OsiSolverInterface::setStrParam(OsiSolverName, "osicuda");
  OsiSolverInterface::setStrParam(OsiProbName, "");
  OsiSolverInterface::setDblParam(OsiPrimalTolerance, state_->options.primalTolerance);
  OsiSolverInterface::setDblParam(OsiDualTolerance, state_->options.dualTolerance);
}

OsiCudaSolverInterface::OsiCudaSolverInterface(OsiCudaSolverInterface const& other)
    : OsiSolverInterface(other), state_(std::make_unique<State>(*other.state_)) {}

OsiCudaSolverInterface& OsiCudaSolverInterface::operator=(OsiCudaSolverInterface const& other) {
  if (this != &other) {
    OsiSolverInterface::operator=(other);
    state_ = std::make_unique<State>(*other.state_);
  }
  return *this;
}

OsiCudaSolverInterface::~OsiCudaSolverInterface() = default;

OsiSolverInterface* OsiCudaSolverInterface::clone(bool copyData) const {
  return copyData ? new OsiCudaSolverInterface(*this) : new OsiCudaSolverInterface();
}

void OsiCudaSolverInterface::reset() {
  *this = OsiCudaSolverInterface();
}

void OsiCudaSolverInterface::loadProblem(CoinPackedMatrix const& matrix, double const* columnLower,
                                         double const* columnUpper, double const* objective,
                                         double const* rowLower, double const* rowUpper) {
  state_->load(matrix, columnLower, columnUpper, objective, rowLower, rowUpper);
  dropNames();
}

void OsiCudaSolverInterface::loadProblem(CoinPackedMatrix const& matrix, double const* columnLower,
                                         double const* columnUpper, double const* objective,
                                         char const* rowSense, double const* rightHandSide,
                                         double const* rowRange) {
  osi::RowBoundArrays const rows(matrix.getNumRows(), rowSense, rightHandSide, rowRange);
  loadProblem(matrix, columnLower, columnUpper, objective, rows.lower.data(), rows.upper.data());
}

void OsiCudaSolverInterface::loadProblem(int columns, int rows, CoinBigIndex const* starts,
                                         int const* indices, double const* values,
                                         double const* columnLower, double const* columnUpper,
                                         double const* objective, double const* rowLower,
                                         double const* rowUpper) {
  loadProblem(matrixOf(columns, rows, starts, indices, values), columnLower, columnUpper, objective,
              rowLower, rowUpper);
}

void OsiCudaSolverInterface::loadProblem(int columns, int rows, CoinBigIndex const* starts,
                                         int const* indices, double const* values,
                                         double const* columnLower, double const* columnUpper,
                                         double const* objective, char const* rowSense,
                                         double const* rightHandSide, double const* rowRange) {
  loadProblem(matrixOf(columns, rows, starts, indices, values), columnLower, columnUpper, objective,
              rowSense, rightHandSide, rowRange);
}

void OsiCudaSolverInterface::assignProblem(CoinPackedMatrix*& matrix, double*& columnLower,
                                           double*& columnUpper, double*& objective,
                                           double*& rowLower, double*& rowUpper) {
  loadProblem(*matrix, columnLower, columnUpper, objective, rowLower, rowUpper);
  release(matrix, columnLower, columnUpper, objective, rowLower, rowUpper);
}

void OsiCudaSolverInterface::assignProblem(CoinPackedMatrix*& matrix, double*& columnLower,
                                           double*& columnUpper, double*& objective,
                                           char*& rowSense, double*& rightHandSide,
                                           double*& rowRange) {
  loadProblem(*matrix, columnLower, columnUpper, objective, rowSense, rightHandSide, rowRange);
  release(matrix, columnLower, columnUpper, objective, rowSense, rightHandSide, rowRange);
}

// Same rows and columns, other coefficients: bounds, costs, marks and the basis stay.
void OsiCudaSolverInterface::replaceMatrix(CoinPackedMatrix const& matrix) {
  if (matrix.getNumCols() > state_->columns() || matrix.getNumRows() > state_->rows())
    osi::refuse("replaceMatrix", "the matrix has more rows or columns than the problem");
  state_->replaceMatrix(matrix);
}

void OsiCudaSolverInterface::modifyCoefficient(int row, int column, double value, bool) {
  osi::checkIndex(row, state_->rows(), "modifyCoefficient");
  osi::checkIndex(column, state_->columns(), "modifyCoefficient");
  osi::checkFinite(value, "modifyCoefficient");
  CoinPackedMatrix changed = state_->matrix;
  changed.modifyCoefficient(row, column, value);
  state_->replaceMatrix(changed);
}

void OsiCudaSolverInterface::modifyByIndicators(double startBigM, double) {
  for (int j = 0; j < state_->columns(); ++j) {
    auto const column = state_->matrix.getVector(j);
    for (int e = 0; e < column.getNumElements(); ++e)
      if (std::fabs(column.getElements()[e]) == startBigM)
        osi::refuse("modifyByIndicators", "there are no indicator constraints here");
  }
}

void OsiCudaSolverInterface::replaceMatrixOptional(CoinPackedMatrix const& matrix) {
  replaceMatrix(matrix);
}
