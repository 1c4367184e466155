// SPDX-License-Identifier: EPL-2.0
// Changes of a solver's problem that keep its basis.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {
namespace {

void refuse(std::string const& fault) {
  if (!fault.empty()) throw std::invalid_argument(fault);
}

/// Checks new columns of that length, or new rows as columns, on their own, so that a big problem
/// is not read again for one of them.
void checkEdit(SparseMatrix const& matrix, int length, std::span<double const> lower,
               std::span<double const> upper, std::span<double const> costs) {
  if (matrix.rows != length) refuse("The new rows or columns have another length.");
  LinearProgram part;
  part.matrix = matrix;
  part.objective.assign(costs.begin(), costs.end());
  part.columnLower.assign(lower.begin(), lower.end());
  part.columnUpper.assign(upper.begin(), upper.end());
  part.rowLower.assign(at(length), 0.0);
  part.rowUpper = part.rowLower;
  refuse(findFault(part));
}

void checkLength(std::vector<double> const& values, std::span<double const> others) {
  if (values.size() != others.size())
    throw std::invalid_argument("An array has length " + std::to_string(others.size()) +
                                " instead of " + std::to_string(values.size()) + ".");
}

/// Puts bounds where they are others than those, and takes note of it. `faultOf` is one of the
/// functions that say what is wrong with bounds.
template <class FaultOf>
void put(Session& s, std::vector<double>& lowers, std::vector<double>& uppers, int number,
         double lower, double upper, int variable, FaultOf faultOf) {
  double &low = lowers.at(at(number)), &high = uppers[at(number)];
  if (low == lower && high == upper) return;
  refuse(faultOf(s.lp, number, lower, upper));
  low = lower;
  high = upper;
  s.changedBounds.add(variable);
}

}  // namespace

// What is wrong is told before anything is changed.
void Solver::setColumnBounds(int j, double lower, double upper) {
  LinearProgram& lp = session_->lp;
  put(*session_, lp.columnLower, lp.columnUpper, j, lower, upper, j, &columnBoundsFault);
}
void Solver::setRowBounds(int i, double lower, double upper) {
  LinearProgram& lp = session_->lp;
  put(*session_, lp.rowLower, lp.rowUpper, i, lower, upper, lp.columns() + i, &rowBoundsFault);
}
void Solver::setObjective(int j, double cost) {
  double& present = session_->lp.objective.at(at(j));
  refuse(costFault(session_->lp, j, cost));
  present = cost;
  session_->costsChanged = true;
}
void Solver::setSense(Sense sense) {
  session_->lp.sense = sense;
  session_->costsChanged = true;
}
void Solver::setObjectiveOffset(double offset) {
  refuse(offsetFault(offset));
  session_->lp.objectiveOffset = offset;
}

void Solver::setColumnBounds(std::span<double const> lower, std::span<double const> upper) {
  LinearProgram& lp = session_->lp;
  checkLength(lp.columnLower, lower);
  checkLength(lp.columnUpper, upper);
  for (int j = 0; j < lp.columns(); ++j)
    refuse(columnBoundsFault(lp, j, lower[at(j)], upper[at(j)]));
  for (int j = 0; j < lp.columns(); ++j) setColumnBounds(j, lower[at(j)], upper[at(j)]);
}
void Solver::setRowBounds(std::span<double const> lower, std::span<double const> upper) {
  LinearProgram& lp = session_->lp;
  checkLength(lp.rowLower, lower);
  checkLength(lp.rowUpper, upper);
  for (int i = 0; i < lp.rows(); ++i) refuse(rowBoundsFault(lp, i, lower[at(i)], upper[at(i)]));
  for (int i = 0; i < lp.rows(); ++i) setRowBounds(i, lower[at(i)], upper[at(i)]);
}
void Solver::setObjective(std::span<double const> costs) {
  LinearProgram& lp = session_->lp;
  checkLength(lp.objective, costs);
  for (int j = 0; j < lp.columns(); ++j) refuse(costFault(lp, j, costs[at(j)]));
  std::ranges::copy(costs, lp.objective.begin());
  session_->costsChanged = true;
}

void Solver::setCoefficients(std::span<int const> rows, std::span<int const> columns,
                             std::span<double const> values) {
  LinearProgram& lp = session_->lp;
  if (rows.size() != columns.size() || rows.size() != values.size())
    throw std::invalid_argument("Rows, columns and values have different lengths.");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    int const i = rows[k], j = columns[k];
    if (i < 0 || i >= lp.rows() || j < 0 || j >= lp.columns())
      throw std::out_of_range("There is no coefficient in row " + std::to_string(i) + ", column " +
                              std::to_string(j) + ".");
    if (!std::isfinite(values[k]))
      throw std::invalid_argument("Column " + lp.columnName(j) + " has an entry in row " +
                                  lp.rowName(i) + " that is not finite.");
  }
  if (rows.empty()) return;
  session_->unload();  // the form may refer to the matrix
  setEntries(lp.matrix, rows, columns, values);
}

void Solver::setBasis(Basis basis) {
  session_->start = {};
  if (session_->basis == basis) return;
  session_->basis = std::move(basis);
  session_->placed = false;
}
Basis const& Solver::basis() const {
  return session_->basis;
}

void Solver::keepBasis() {
  Session& s = *session_;
  forgetKeptBasis();
  if (!s.store() || !s.placed) return;
  s.store()->keepBasis();
  s.keptBasis = s.basis;
  s.keptPivots = s.pivotsSinceRefactor;
}

void Solver::goBack() {
  Session& s = *session_;
  if (!s.keptBasis || !s.store() || !s.store()->restoreBasis()) return;
  s.basis = *s.keptBasis;
  s.pivotsSinceRefactor = s.keptPivots;
  s.placed = false;  // nonbasic variables are not where they were
}

void Solver::forgetKeptBasis() {
  session_->keptBasis.reset();
  if (BasisStore* const store = session_->store()) store->forgetBasis();
}

std::optional<Solver> Solver::copyAtKeptBasis() const {
  Session const& s = *session_;
  auto const* const copyable = s.engine ? s.engine->as<Copyable>() : nullptr;
  if (!s.keptBasis || !copyable || !s.loaded) return std::nullopt;
  s.form->formMatrices();  // once, for all copies
  Solver copy;
  copy.session_ = std::make_unique<Session>(s);
  Session& c = *copy.session_;
  c.engine = copyable->copyOfKept(*c.form);
  if (!c.engine) return std::nullopt;
  c.basis = *s.keptBasis;
  c.pivotsSinceRefactor = s.keptPivots;
  return copy;
}

void Solver::replaceRows(std::span<int const> gone, SparseMatrix const& rows,
                         std::span<double const> lower, std::span<double const> upper) {
  LinearProgram& lp = session_->lp;
  if (rows.columns > 0 || !lower.empty() || !upper.empty())
    checkEdit(rows, lp.columns(), lower, upper, std::vector<double>(at(rows.columns), 0.0));
  Reshape const change{reshapeMap(lp.rows(), gone, rows.columns), reshapeMap(lp.columns(), {}, 0)};
  osi_cuda::replaceRows(lp.matrix, gone, rows);
  auto const kept = static_cast<std::ptrdiff_t>(change.rows.size() - lower.size());
  reshape(lp.rowLower, change.rows, 0.0);
  reshape(lp.rowUpper, change.rows, 0.0);
  std::ranges::copy(lower, lp.rowLower.begin() + kept);
  std::ranges::copy(upper, lp.rowUpper.begin() + kept);
  if (rows.columns > 0)
    lp.rowNames.clear();
  else if (!lp.rowNames.empty())
    reshape(lp.rowNames, change.rows, std::string());
  session_->reshaped(change);
}

void Solver::addColumns(SparseMatrix const& columns, std::span<double const> lower,
                        std::span<double const> upper, std::span<double const> costs) {
  LinearProgram& lp = session_->lp;
  checkEdit(columns, lp.rows(), lower, upper, costs);
  appendColumns(lp.matrix, columns);
  lp.columnLower.insert(lp.columnLower.end(), lower.begin(), lower.end());
  lp.columnUpper.insert(lp.columnUpper.end(), upper.begin(), upper.end());
  lp.objective.insert(lp.objective.end(), costs.begin(), costs.end());
  lp.columnNames.clear();
  if (!lp.integer.empty()) lp.integer.resize(lp.objective.size(), 0);
  session_->reshaped({reshapeMap(lp.rows(), {}, 0),
                      reshapeMap(lp.columns() - columns.columns, {}, columns.columns)});
}

void Solver::deleteColumns(std::span<int const> columns) {
  LinearProgram& lp = session_->lp;
  Reshape const change{reshapeMap(lp.rows(), {}, 0), reshapeMap(lp.columns(), columns, 0)};
  removeColumns(lp.matrix, columns);
  reshape(lp.columnLower, change.columns, 0.0);
  reshape(lp.columnUpper, change.columns, 0.0);
  reshape(lp.objective, change.columns, 0.0);
  if (!lp.columnNames.empty()) reshape(lp.columnNames, change.columns, std::string());
  if (!lp.integer.empty()) reshape(lp.integer, change.columns, char{0});
  if (!lp.choices.empty())
    lp.choices.renumber(
        newNumbers(change.columns, static_cast<int>(lp.objective.size() + columns.size())));
  session_->reshaped(change);
}

}  // namespace osi_cuda
