// SPDX-License-Identifier: EPL-2.0
// What rounding leaves in an answer: values beside a bound that they are meant to be on, and sums
// that are nothing beside their terms. Programs compare such numbers with bounds and with zero.
#include <algorithm>
#include <cmath>
#include <limits>

#include "osi/state.hpp"

using osi_cuda::at;
using osi_cuda::VariableStatus;

namespace {

/// A sum of this share of its terms is rounding; doubles carry 16 digits, solves lose a few.
constexpr double noise = 1e-12;
/// Sums from here on are worth asking for their terms.
constexpr double suspicious = 1e-9;

/// The bound within `reach` of `value`, or `value`.
double onBound(double value, double lower, double upper, double reach) {
  if (std::fabs(value - lower) <= reach) return lower;
  if (std::fabs(value - upper) <= reach) return upper;
  return value;
}

bool isBeside(double value, double bound) {
  return value != bound && std::fabs(value - bound) <= suspicious * std::max(1.0, std::fabs(bound));
}

}  // namespace

double OsiCudaSolverInterface::State::removeRounding() {
  double dual = 0.0;
  for (std::size_t i = 0; i < rowDual.size(); ++i) {
    if (basis.rows[i] != VariableStatus::basic) continue;
    dual += std::fabs(rowDual[i]);
    rowDual[i] = 0.0;
  }
  cleanReducedCosts();
  double const moved = cleanColumns();
  cleanActivities();
  return dual <= noise ? moved : std::numeric_limits<double>::infinity();
}

/// A column moves to its bound where no row notices, and the rows with it. Returns the sum of all
/// that rows moved.
double OsiCudaSolverInterface::State::cleanColumns() {
  double moved = 0.0;
  for (std::size_t j = 0; j < columnValue.size(); ++j) {
    double const value = columnValue[j];
    if (value == columnLower[j] || value == columnUpper[j]) continue;
    double const bound =
        onBound(value, columnLower[j], columnUpper[j], noise * std::max(1.0, std::fabs(value)));
    if (bound == value) continue;
    auto const column = solver->problem().matrix.column(static_cast<int>(j));
    bool noticed = false;
    for (auto const [i, a] : column)
      noticed |=
          std::fabs(a * (bound - value)) > noise * std::max(1.0, std::fabs(rowActivity[at(i)]));
    if (noticed) continue;
    for (auto const [i, a] : column) {
      double const change = a * (bound - value);
      rowActivity[at(i)] += change;
      moved += std::fabs(change);
    }
    columnValue[j] = bound;
  }
  return moved;
}

void OsiCudaSolverInterface::State::cleanReducedCosts() {
  for (std::size_t j = 0; j < reducedCost.size(); ++j) {
    if (basis.columns[j] == VariableStatus::basic) reducedCost[j] = 0.0;
    if (reducedCost[j] == 0.0 || std::fabs(reducedCost[j]) > suspicious) continue;
    double largest = std::fabs(objective[j]);
    for (auto const [i, a] : solver->problem().matrix.column(static_cast<int>(j)))
      largest = std::max(largest, std::fabs(a * rowDual[at(i)]));
    if (std::fabs(reducedCost[j]) <= noise * largest) reducedCost[j] = 0.0;
  }
}

/// The terms of all rows are asked for at once, and only where a row gives reason to.
void OsiCudaSolverInterface::State::cleanActivities() {
  bool any = false;
  for (std::size_t i = 0; i < rowActivity.size() && !any; ++i)
    any = isBeside(rowActivity[i], 0.0) || isBeside(rowActivity[i], rowLower[i]) ||
          isBeside(rowActivity[i], rowUpper[i]);
  if (!any) return;
  std::vector<double> largest(rowActivity.size(), 0.0);
  for (std::size_t j = 0; j < columnValue.size(); ++j) {
    if (columnValue[j] == 0.0) continue;
    for (auto const [i, a] : solver->problem().matrix.column(static_cast<int>(j)))
      largest[at(i)] = std::max(largest[at(i)], std::fabs(a * columnValue[j]));
  }
  for (std::size_t i = 0; i < rowActivity.size(); ++i) {
    double const reach = noise * largest[i];
    double const value = onBound(rowActivity[i], rowLower[i], rowUpper[i], reach);
    rowActivity[i] = std::fabs(value) <= reach ? 0.0 : value;
  }
}
