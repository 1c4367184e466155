// SPDX-License-Identifier: EPL-2.0
#include "examples/textbook/first_tableau.hpp"

#include <algorithm>
#include <cmath>

#include "shell/failure.hpp"

namespace osi_cuda::textbook {
namespace {

/// A row of the problem as the tableau has it.
struct Row {
  double sign = 1.0;   ///< what the row was multiplied by, so that its right-hand side is >= 0
  double slack = 1.0;  ///< the sign of its slack after that; 0: an equation has none
  double value = 0.0;  ///< the right-hand side
  bool artificial() const { return slack != 1.0; }
};

Row rowOf(LinearProgram const& lp, int i) {
  double const lower = lp.rowLower[i], upper = lp.rowUpper[i];
  Row row;
  if (lower == upper)
    row = {1.0, 0.0, upper};
  else if (std::isinf(lower) && std::isfinite(upper))
    row = {1.0, 1.0, upper};
  else if (std::isinf(upper) && std::isfinite(lower))
    row = {-1.0, 1.0, -lower};
  else
    throw shell::Failure(shell::ExitStatus::badInput,
                         "row " + lp.rowName(i) + ": the textbook has rows <=, >= and = only");
  if (row.value < 0.0) row = {-row.sign, -row.slack, -row.value};
  return row;
}

double largestOf(FirstTableau const& t, int firstRow, int lastRow) {
  double largest = 0.0;
  for (int i = firstRow; i <= lastRow; ++i)
    for (int j = 1; j <= t.columns; ++j) largest = std::max(largest, std::abs(t.at(i, j)));
  return largest;
}

}  // namespace

FirstTableau firstTableau(LinearProgram const& lp) {
  FirstTableau t;
  t.m = lp.rows();
  t.n = lp.columns();
  for (int j = 0; j < t.n; ++j)
    if (lp.columnLower[j] != 0.0 || std::isfinite(lp.columnUpper[j]))
      throw shell::Failure(shell::ExitStatus::badInput,
                           "column " + lp.columnName(j) + ": the textbook has columns x >= 0 only");
  std::vector<Row> rows;
  t.basic = {-1};
  t.nonbasic = {-1};
  for (int j = 0; j < t.n; ++j) t.nonbasic.push_back(j);
  for (int i = 0; i < t.m; ++i) {
    rows.push_back(rowOf(lp, i));
    int const slack = t.n + i, artificial = t.n + t.m + i;
    t.basic.push_back(rows[i].artificial() ? artificial : slack);
    if (rows[i].slack < 0.0) t.nonbasic.push_back(slack);
    t.artificials += rows[i].artificial();
  }
  t.columns = int(t.nonbasic.size()) - 1;
  t.entries.assign(std::size_t(t.m + 2) * (t.columns + 1), 0.0);
  double const sense = lp.sense == Sense::maximize ? 1.0 : -1.0;
#pragma omp parallel for schedule(static)
  for (int j = 0; j < t.n; ++j) {
    t.at(0, j + 1) = -sense * lp.objective[j];
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t k = 0; k < indices.size(); ++k)
      t.at(indices[k] + 1, j + 1) = rows[indices[k]].sign * values[k];
  }
  for (int i = 0; i < t.m; ++i) t.at(i + 1, 0) = rows[i].value;
  for (int j = t.n + 1; j <= t.columns; ++j) t.at(t.nonbasic[j] - t.n + 1, j) = -1.0;
  // w = -(sum of artificial variables), each of which is its row's value less the row's terms.
  for (int i = 1; i <= t.m; ++i)
    if (rows[i - 1].artificial())
      for (int j = 0; j <= t.columns; ++j) t.at(t.m + 1, j) -= t.at(i, j);
  t.largestEntry = largestOf(t, 1, t.m);
  t.largestCost = largestOf(t, 0, 0);
  t.largestPhase1Cost = largestOf(t, t.m + 1, t.m + 1);
  return t;
}

}  // namespace osi_cuda::textbook
