// SPDX-License-Identifier: EPL-2.0
// Adding and removing rows and columns. All of the present solution and basis that still has a
// meaning stays: a new row's slack is basic, a new column rests at a bound.
#include <algorithm>

#include "OsiColCut.hpp"
#include "OsiCuts.hpp"
#include "OsiRowCut.hpp"
#include "osi/entries.hpp"
#include "osi/state.hpp"
#include "osi_cuda/model/edits.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;
using osi_cuda::SparseMatrix;
using osi_cuda::VariableStatus;

namespace {

/// The starts of a SparseMatrix as CoinPackedMatrix wants them.
std::vector<CoinBigIndex> startsOf(SparseMatrix const& matrix) {
  return {matrix.starts.begin(), matrix.starts.end()};
}

/// Takes out rows whose entries come last in each column, as those of all rows behind them do.
void takeOutLast(CoinPackedMatrix& matrix, std::vector<int> const& gone) {
  int const rows = matrix.getNumRows();
  auto const number = osi_cuda::newNumbers(osi_cuda::reshapeMap(rows, gone, 0), rows);
  CoinBigIndex left = 0;
  for (int j = 0; j < matrix.getNumCols(); ++j) {
    int* const indices = matrix.getMutableIndices() + matrix.getVectorStarts()[j];
    double* const values = matrix.getMutableElements() + matrix.getVectorStarts()[j];
    int& length = matrix.getMutableVectorLengths()[j];
    int from = length;
    while (from > 0 && indices[from - 1] >= gone.front()) --from;
    length = osi_cuda::keepRows(indices, values, from, length, number);
    left += length;
  }
  matrix.setNumElements(left);
  matrix.setMinorDim(rows - static_cast<int>(gone.size()));
}

}  // namespace

void OsiCudaSolverInterface::State::appendRows(SparseMatrix const& newRows, double const* newLower,
                                               double const* newUpper) {
  int const count = newRows.columns;
  if (count == 0) return;
  constexpr double room = 0.125;  // where there is none for a row, so much is made for more
  auto const lower = osi::boundsOr(newLower, count, -COIN_DBL_MAX);
  auto const upper = osi::boundsOr(newUpper, count, COIN_DBL_MAX);
  auto const inOrder = newRows.transposed().transposed();  // entries of a row in order
  auto const append = [&, starts = startsOf(inOrder)](CoinPackedMatrix& to) {
    to.appendRows(count, starts.data(), inOrder.indices.data(), inOrder.values.data());
    to.setDimensions(rows() + count, columns());  // rows without entries count too
  };
  matrix.setExtraGap(room);
  append(matrix);
  if (matrixByRow) {
    matrixByRow->setExtraMajor(room);
    append(*matrixByRow);
  }
  rowEdits.fresh.rows = columns();
  if (solver) osi_cuda::appendColumns(rowEdits.fresh, inOrder);
  rowLower.insert(rowLower.end(), lower.begin(), lower.end());
  rowUpper.insert(rowUpper.end(), upper.begin(), upper.end());
  rowDual.resize(rowLower.size(), 0.0);
  for (int i = 0; i < count; ++i) {
    double activity = 0.0;
    for (auto const [j, a] : newRows.column(i)) activity += a * columnValue[at(j)];
    rowActivity.push_back(activity);
  }
  basis.rows.resize(rowLower.size(), VariableStatus::basic);
  structureChanged();
}

void OsiCudaSolverInterface::State::appendColumns(SparseMatrix const& newColumns,
                                                  double const* newLower, double const* newUpper,
                                                  double const* newCosts) {
  int const count = newColumns.columns;
  if (count == 0) return;
  auto const lower = osi::boundsOr(newLower, count, 0.0);
  auto const upper = osi::boundsOr(newUpper, count, COIN_DBL_MAX);
  auto const costs = osi::copyOr(newCosts, count, 0.0);
  if (solver)
    osi::orCoinError("addCols", [&] {
      sendRows();
      solver->addColumns(newColumns, osi::modelBounds(lower), osi::modelBounds(upper), costs);
    });
  matrix.appendCols(count, startsOf(newColumns).data(), newColumns.indices.data(),
                    newColumns.values.data());
  matrix.setDimensions(rows(), columns() + count);
  matrixByRow.reset();
  appendedFrom = rowEdits.appendedFrom = rows();
  columnLower.insert(columnLower.end(), lower.begin(), lower.end());
  columnUpper.insert(columnUpper.end(), upper.begin(), upper.end());
  objective.insert(objective.end(), costs.begin(), costs.end());
  integer.resize(columnLower.size(), 0);
  for (int k = 0; k < count; ++k) {
    auto const j = at(k);
    double const value = osi::restingValue(lower[j], upper[j]);
    double product = 0.0;
    for (auto const [i, a] : newColumns.column(k)) {
      product += a * rowDual[at(i)];
      rowActivity[at(i)] += a * value;
    }
    columnValue.push_back(value);
    reducedCost.push_back(costs[j] - product);
    basis.columns.push_back(osi::restingStatus(lower[j], upper[j]));
  }
  structureChanged();
}

void OsiCudaSolverInterface::State::removeRows(std::vector<int> const& gone) {
  if (gone.empty()) return;
  if (solver) rowEdits.remove(gone, solver->problem().rows());
  // The optimum stays one without rows whose slacks are basic and whose multipliers are zero. Its
  // enclosure may rest on what was rounded to zero.
  bool const idle = std::ranges::all_of(gone, [&](int i) {
    return basis.rows[at(i)] == VariableStatus::basic && rowDual[at(i)] == 0.0;
  });
  bool const stays = idle && settled && settled->basis == basis;
  std::optional<Settled> optimum = stays ? std::move(settled) : std::nullopt;
  changedRows.renumber();
  auto const count = static_cast<int>(gone.size()), left = rows() - count;
  if (gone.front() >= appendedFrom)
    takeOutLast(matrix, gone);
  else
    matrix.deleteRows(count, gone.data());
  appendedFrom -= static_cast<int>(std::ranges::lower_bound(gone, appendedFrom) - gone.begin());
  matrix.setDimensions(left, columns());
  if (matrixByRow) {
    matrixByRow->deleteRows(count, gone.data());
    matrixByRow->setDimensions(left, columns());
    matrixByRow->removeGaps();
  }
  for (auto* values : {&rowLower, &rowUpper, &rowDual, &rowActivity}) osi::removeAt(*values, gone);
  osi::removeAt(basis.rows, gone);
  structureChanged();
  if (optimum) settled = {std::move(optimum->options), basis};
}

void OsiCudaSolverInterface::State::removeColumns(std::vector<int> const& gone) {
  if (gone.empty()) return;
  if (solver) {
    sendRows();
    solver->deleteColumns(gone);
  }
  if (!choices.empty())
    choices.renumber(osi_cuda::newNumbers(osi_cuda::reshapeMap(columns(), gone, 0), columns()));
  changedColumns.renumber();
  matrix.deleteCols(static_cast<int>(gone.size()), gone.data());
  for (auto* values : {&columnLower, &columnUpper, &objective, &columnValue, &reducedCost})
    osi::removeAt(*values, gone);
  osi::removeAt(integer, gone);
  osi::removeAt(basis.columns, gone);
  matrix.setDimensions(rows(), columns());
  matrixByRow.reset();
  refreshActivity();
  structureChanged();
}

// Columns --------------------------------------------------------------------------------------

void OsiCudaSolverInterface::addCol(CoinPackedVectorBase const& column, double lower, double upper,
                                    double cost) {
  addCol(column.getNumElements(), column.getIndices(), column.getElements(), lower, upper, cost);
}

void OsiCudaSolverInterface::addCol(int count, int const* rows, double const* values, double lower,
                                    double upper, double cost) {
  osi::EntryList list(state_->rows(), "addCol");
  list.add(count, rows, values);
  state_->appendColumns(list.get(), &lower, &upper, &cost);
}

void OsiCudaSolverInterface::addCols(int count, CoinPackedVectorBase const* const* columns,
                                     double const* lower, double const* upper,
                                     double const* costs) {
  osi::EntryList list(state_->rows(), "addCols");
  for (int k = 0; k < count; ++k) list.add(*columns[k]);
  state_->appendColumns(list.get(), lower, upper, costs);
}

void OsiCudaSolverInterface::addCols(int count, CoinBigIndex const* starts, int const* rows,
                                     double const* values, double const* lower, double const* upper,
                                     double const* costs) {
  osi::EntryList list(state_->rows(), "addCols");
  for (int k = 0; k < count; ++k)
    list.add(static_cast<int>(starts[k + 1] - starts[k]), rows + starts[k], values + starts[k]);
  state_->appendColumns(list.get(), lower, upper, costs);
}

void OsiCudaSolverInterface::deleteCols(int count, int const* columns) {
  auto const gone = osi::sortedIndices(count, columns, state_->columns(), "deleteCols");
  dropNames(gone, false);
  state_->removeColumns(gone);
}

// Rows -----------------------------------------------------------------------------------------

void OsiCudaSolverInterface::addRow(CoinPackedVectorBase const& row, double lower, double upper) {
  addRow(row.getNumElements(), row.getIndices(), row.getElements(), lower, upper);
}

void OsiCudaSolverInterface::addRow(CoinPackedVectorBase const& row, char sense,
                                    double rightHandSide, double range) {
  auto const bounds = osi::boundsOf(sense, rightHandSide, range);
  addRow(row, bounds.lower, bounds.upper);
}

void OsiCudaSolverInterface::addRow(int count, int const* columns, double const* values,
                                    double lower, double upper) {
  osi::EntryList list(state_->columns(), "addRow");
  list.add(count, columns, values);
  state_->appendRows(list.get(), &lower, &upper);
}

void OsiCudaSolverInterface::addRows(int count, CoinPackedVectorBase const* const* rows,
                                     double const* lower, double const* upper) {
  osi::EntryList list(state_->columns(), "addRows");
  for (int k = 0; k < count; ++k) list.add(*rows[k]);
  state_->appendRows(list.get(), lower, upper);
}

// As loadProblem: rows are >=, right-hand sides and ranges 0 where nothing is given.
void OsiCudaSolverInterface::addRows(int count, CoinPackedVectorBase const* const* rows,
                                     char const* senses, double const* rightHandSides,
                                     double const* ranges) {
  osi::RowBoundArrays const bounds(count, senses, rightHandSides, ranges);
  addRows(count, rows, bounds.lower.data(), bounds.upper.data());
}

void OsiCudaSolverInterface::addRows(int count, CoinBigIndex const* starts, int const* columns,
                                     double const* values, double const* lower,
                                     double const* upper) {
  osi::EntryList list(state_->columns(), "addRows");
  for (int k = 0; k < count; ++k)
    list.add(static_cast<int>(starts[k + 1] - starts[k]), columns + starts[k], values + starts[k]);
  state_->appendRows(list.get(), lower, upper);
}

void OsiCudaSolverInterface::deleteRows(int count, int const* rows) {
  auto const gone = osi::sortedIndices(count, rows, state_->rows(), "deleteRows");
  dropNames(gone, true);
  state_->removeRows(gone);
}

// Cuts: rows that are added together, and bounds that only ever get tighter.

// The base class evaluates each cut and hands over those that are good, one by one; counting them
// is private to it. Row cuts are collected on the way and added at once.
OsiSolverInterface::ApplyCutsReturnCode OsiCudaSolverInterface::applyCuts(
    OsiCuts const& cuts, double effectivenessLowerBound) {
  std::vector<OsiRowCut const*> collected;
  state_->collectedCuts = &collected;
  try {
    auto const outcome = OsiSolverInterface::applyCuts(cuts, effectivenessLowerBound);
    state_->collectedCuts = nullptr;
    applyRowCuts(static_cast<int>(collected.size()), collected.data());
    return outcome;
  } catch (...) {
    state_->collectedCuts = nullptr;
    throw;
  }
}

void OsiCudaSolverInterface::applyRowCut(OsiRowCut const& cut) {
  if (state_->collectedCuts) {
    state_->collectedCuts->push_back(&cut);
    return;
  }
  addRow(cut.row(), cut.lb(), cut.ub());
}

void OsiCudaSolverInterface::applyRowCuts(int count, OsiRowCut const* cuts) {
  std::vector<OsiRowCut const*> pointers;
  for (int k = 0; k < count; ++k) pointers.push_back(cuts + k);
  applyRowCuts(count, pointers.data());
}

void OsiCudaSolverInterface::applyRowCuts(int count, OsiRowCut const** cuts) {
  std::vector<CoinPackedVectorBase const*> rows;
  std::vector<double> lower, upper;
  for (int k = 0; k < count; ++k) {
    rows.push_back(&cuts[k]->row());
    lower.push_back(cuts[k]->lb());
    upper.push_back(cuts[k]->ub());
  }
  addRows(count, rows.data(), lower.data(), upper.data());
}

void OsiCudaSolverInterface::applyColCut(OsiColCut const& cut) {
  CoinPackedVector const& lower = cut.lbs();
  for (int k = 0; k < lower.getNumElements(); ++k) {
    int const column = lower.getIndices()[k];
    setColLower(column, std::max(getColLower()[column], lower.getElements()[k]));
  }
  CoinPackedVector const& upper = cut.ubs();
  for (int k = 0; k < upper.getNumElements(); ++k) {
    int const column = upper.getIndices()[k];
    setColUpper(column, std::min(getColUpper()[column], upper.getElements()[k]));
  }
}
