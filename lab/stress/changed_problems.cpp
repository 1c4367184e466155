// SPDX-License-Identifier: EPL-2.0
//
// Base models changed: scaled, doubled, with other costs and bounds.

#include <algorithm>
#include <cmath>

#include "lab/stress/kinds.hpp"
#include "osi_cuda/model/edits.hpp"

namespace osi_cuda::stress {
namespace {

/// Rows and columns times 10^U(-decades, decades): the same problem in other units.
LinearProgram scaled(Dice& dice, LinearProgram lp, double decades) {
  std::vector<double> row(lp.rows()), column(lp.columns());
  for (double& factor : row) factor = dice.power(-decades, decades);
  for (double& factor : column) factor = dice.power(-decades, decades);
  for (int j = 0; j < lp.columns(); ++j) {
    for (auto k = lp.matrix.starts[j]; k < lp.matrix.starts[j + 1]; ++k)
      lp.matrix.values[k] *= row[lp.matrix.indices[k]] * column[j];
    lp.objective[j] *= column[j];
    lp.columnLower[j] /= column[j];
    lp.columnUpper[j] /= column[j];
  }
  for (int i = 0; i < lp.rows(); ++i) {
    lp.rowLower[i] *= row[i];
    lp.rowUpper[i] *= row[i];
  }
  return lp;
}

/// `value` off by up to `relative` of itself.
double nearTo(Dice& dice, double value, double relative) {
  return value * (1.0 + relative * dice.between(-1.0, 1.0));
}

double unitOf(double bound) {
  return std::max(1.0, std::fabs(bound));
}

/// How many of `size` rows or columns are doubled.
int tenthOf(int size) {
  return std::max(1, size / 10);
}

/// A tenth of the rows again with coefficients off by `relative`; equations widened by ten times as
/// much.
LinearProgram withRowsDoubled(Dice& dice, LinearProgram lp, double relative) {
  auto const order = dice.shuffled(lp.rows());
  SparseMatrix const byRows = lp.matrix.transposed();
  SparseMatrix added;  // the new rows as its columns
  added.rows = lp.columns();
  for (int k = 0; k < tenthOf(lp.rows()); ++k) {
    int const i = order[k];
    for (std::size_t e = 0; e < byRows.columnIndices(i).size(); ++e) {
      added.indices.push_back(byRows.columnIndices(i)[e]);
      added.values.push_back(nearTo(dice, byRows.columnValues(i)[e], relative));
    }
    added.starts.push_back(static_cast<std::int64_t>(added.indices.size()));
    ++added.columns;
    bool const equation = lp.rowLower[i] == lp.rowUpper[i];
    double const width = equation ? 10.0 * relative * unitOf(lp.rowLower[i]) : 0.0;
    double const lower = lp.rowLower[i] - width, upper = lp.rowUpper[i] + width;
    lp.rowLower.push_back(lower);
    lp.rowUpper.push_back(upper);
  }
  appendRows(lp.matrix, added);
  return lp;
}

/// A tenth of the columns again with coefficients off by `relative`, costs and bounds the same.
LinearProgram withColumnsDoubled(Dice& dice, LinearProgram lp, double relative) {
  auto const order = dice.shuffled(lp.columns());
  SparseMatrix added;
  added.rows = lp.rows();
  for (int k = 0; k < tenthOf(lp.columns()); ++k) {
    int const j = order[k];
    for (std::size_t e = 0; e < lp.matrix.columnIndices(j).size(); ++e) {
      added.indices.push_back(lp.matrix.columnIndices(j)[e]);
      added.values.push_back(nearTo(dice, lp.matrix.columnValues(j)[e], relative));
    }
    added.starts.push_back(static_cast<std::int64_t>(added.indices.size()));
    ++added.columns;
    double const cost = lp.objective[j], lower = lp.columnLower[j], upper = lp.columnUpper[j];
    lp.objective.push_back(cost);
    lp.columnLower.push_back(lower);
    lp.columnUpper.push_back(upper);
  }
  appendColumns(lp.matrix, added);
  return lp;
}

LinearProgram bothDoubled(Dice& dice, LinearProgram lp, double relative) {
  return withColumnsDoubled(dice, withRowsDoubled(dice, std::move(lp), relative), relative);
}

LinearProgram withoutCosts(LinearProgram lp) {
  std::fill(lp.objective.begin(), lp.objective.end(), 0.0);
  return lp;
}

LinearProgram withRandomCosts(Dice& dice, LinearProgram lp) {
  for (double& cost : lp.objective) cost = dice.between(-1.0, 1.0);
  return lp;
}

/// Every point of a face is optimal, where the row is an equation every feasible point.
LinearProgram withRowForCosts(Dice& dice, LinearProgram lp) {
  lp = withoutCosts(std::move(lp));
  if (lp.rows() == 0) return lp;
  int const row = dice.below(lp.rows());
  double const factor = dice.sign();
  for (int j = 0; j < lp.columns(); ++j)
    for (std::size_t e = 0; e < lp.matrix.columnIndices(j).size(); ++e)
      if (lp.matrix.columnIndices(j)[e] == row)
        lp.objective[j] = factor * lp.matrix.columnValues(j)[e];
  return lp;
}

LinearProgram withNarrowRanges(LinearProgram lp) {
  for (int i = 0; i < lp.rows(); ++i)
    if (lp.rowLower[i] == lp.rowUpper[i]) lp.rowUpper[i] += 1e-9 * unitOf(lp.rowUpper[i]);
  return lp;
}

/// A finite bound in the place of half of the infinite ones. Below 1e20, from where on others take
/// a bound for infinite.
LinearProgram withHugeBounds(Dice& dice, LinearProgram lp) {
  auto replace = [&](std::vector<double>& bounds, double sign) {
    for (double& bound : bounds)
      if (!std::isfinite(bound) && dice.chance(0.5)) bound = sign * dice.power(15.0, 19.5);
  };
  replace(lp.columnLower, -1.0);
  replace(lp.columnUpper, 1.0);
  replace(lp.rowLower, -1.0);
  replace(lp.rowUpper, 1.0);
  return lp;
}

LinearProgram withFreeColumns(Dice& dice, LinearProgram lp) {
  double const share = dice.chance(0.5) ? 0.3 : 0.05;
  for (int j = 0; j < lp.columns(); ++j)
    if (dice.chance(share)) {
      lp.columnLower[j] = -infinity;
      lp.columnUpper[j] = infinity;
    }
  return lp;
}

LinearProgram withColumnsFixed(Dice& dice, BaseModel const& base) {
  LinearProgram lp = base.lp();
  auto const& x = base.optimum().columnValues;
  if (x.size() != static_cast<std::size_t>(lp.columns())) return lp;
  for (int j = 0; j < lp.columns(); ++j)
    if (dice.chance(0.3)) lp.columnLower[j] = lp.columnUpper[j] = x[j];
  return lp;
}

}  // namespace

std::vector<Kind> changedKinds() {
  auto change = [](LinearProgram (*made)(Dice&, LinearProgram)) {
    return [made](Dice& dice, BaseModel const& base) { return made(dice, base.lp()); };
  };
  std::vector<Kind> all;
  all.push_back({"scale4", true, "rows and columns times 10^U(-4,4)",
                 change([](Dice& d, LinearProgram lp) { return scaled(d, std::move(lp), 4.0); })});
  all.push_back({"scale8", true, "rows and columns times 10^U(-8,8)",
                 change([](Dice& d, LinearProgram lp) { return scaled(d, std::move(lp), 8.0); })});
  all.push_back(
      {"duprow9", true, "a tenth of the rows again, off by 1e-9",
       change([](Dice& d, LinearProgram lp) { return withRowsDoubled(d, std::move(lp), 1e-9); })});
  all.push_back({"dupcol9", true, "a tenth of the columns again, off by 1e-9",
                 change([](Dice& d, LinearProgram lp) {
                   return withColumnsDoubled(d, std::move(lp), 1e-9);
                 })});
  all.push_back(
      {"dupdup10", true, "a tenth of the rows and of the columns again, off by 1e-10",
       change([](Dice& d, LinearProgram lp) { return bothDoubled(d, std::move(lp), 1e-10); })});
  all.push_back({"scale4dup", true, "dupdup10 with 1e-9, rows and columns times 10^U(-4,4)",
                 change([](Dice& d, LinearProgram lp) {
                   return scaled(d, bothDoubled(d, std::move(lp), 1e-9), 4.0);
                 })});
  all.push_back({"zero-costs", true, "costs zero",
                 change([](Dice&, LinearProgram lp) { return withoutCosts(std::move(lp)); })});
  all.push_back({"random-costs", true, "costs U(-1,1)", change([](Dice& d, LinearProgram lp) {
                   return withRandomCosts(d, std::move(lp));
                 })});
  all.push_back(
      {"row-costs", true, "costs equal to a row or its negative",
       change([](Dice& d, LinearProgram lp) { return withRowForCosts(d, std::move(lp)); })});
  all.push_back({"range9", true, "equations turned into ranges of width 1e-9",
                 change([](Dice&, LinearProgram lp) { return withNarrowRanges(std::move(lp)); })});
  all.push_back(
      {"huge-bounds", true, "bounds of 1e15 to 3e19 for half of the infinite ones",
       change([](Dice& d, LinearProgram lp) { return withHugeBounds(d, std::move(lp)); })});
  all.push_back(
      {"free-columns", true, "5 % or 30 % of the columns without bounds",
       change([](Dice& d, LinearProgram lp) { return withFreeColumns(d, std::move(lp)); })});
  all.push_back(
      {"fixopt", true, "30 % of the columns fixed at an optimal solution", withColumnsFixed});
  return all;
}

}  // namespace osi_cuda::stress
