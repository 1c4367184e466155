// SPDX-License-Identifier: EPL-2.0
//
// Base models whose bounds are moved until they are feasible, or infeasible, by very little.

#include <algorithm>
#include <cmath>

#include "lab/stress/kinds.hpp"
#include "osi_cuda/model/edits.hpp"

namespace osi_cuda::stress {
namespace {

/// A row that asks for an objective better than the best one by `margin`, relative to 1 + |best|;
/// worse, where margin < 0. The costs become zero or stay.
LinearProgram withObjectiveAsked(Dice& dice, BaseModel const& base, double margin) {
  LinearProgram lp = base.lp();
  double const best = base.optimum().objective - lp.objectiveOffset;
  double const asked = margin * (1.0 + std::fabs(best));
  SparseMatrix row;
  row.rows = lp.columns();
  row.columns = 1;
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.objective[j] != 0.0) {
      row.indices.push_back(j);
      row.values.push_back(lp.objective[j]);
    }
  row.starts.push_back(static_cast<std::int64_t>(row.indices.size()));
  appendRows(lp.matrix, row);
  bool const minimize = lp.sense == Sense::minimize;
  lp.rowLower.push_back(minimize ? -infinity : best + asked);
  lp.rowUpper.push_back(minimize ? best - asked : infinity);
  if (dice.chance(0.5)) std::fill(lp.objective.begin(), lp.objective.end(), 0.0);
  return lp;
}

/// Moves the bounds of some rows along a random direction, as far as it stays feasible, then by
/// `margin` further (less far, where it is negative). Nothing where the end is infinitely far away.
LinearProgram withRowsMoved(Dice& dice, BaseModel const& base, double margin) {
  LinearProgram const& lp = base.lp();
  std::vector<double> direction(lp.rows(), 0.0);
  for (int i = 0; i < lp.rows(); ++i) {
    if (!dice.chance(0.3)) continue;
    double const finite = std::isfinite(lp.rowLower[i]) ? lp.rowLower[i] : lp.rowUpper[i];
    double const unit = std::isfinite(finite) ? std::max(1.0, std::fabs(finite)) : 0.0;
    // Inward where only one side is there: outward nothing becomes infeasible.
    bool const onlyUpper = !std::isfinite(lp.rowLower[i]);
    bool const onlyLower = !std::isfinite(lp.rowUpper[i]);
    direction[i] = unit * (onlyUpper ? -1.0 : onlyLower ? 1.0 : dice.sign()) * dice.unit();
  }
  // max t with rowLower + t direction <= A x <= rowUpper + t direction
  LinearProgram auxiliary = lp;
  std::fill(auxiliary.objective.begin(), auxiliary.objective.end(), 0.0);
  auxiliary.sense = Sense::maximize;
  SparseMatrix column;
  column.rows = lp.rows();
  column.columns = 1;
  for (int i = 0; i < lp.rows(); ++i)
    if (direction[i] != 0.0) {
      column.indices.push_back(i);
      column.values.push_back(-direction[i]);
    }
  column.starts.push_back(static_cast<std::int64_t>(column.indices.size()));
  appendColumns(auxiliary.matrix, column);
  auxiliary.objective.push_back(1.0);
  auxiliary.columnLower.push_back(0.0);
  auxiliary.columnUpper.push_back(1e6);
  Solution const farthest = solvedByClp(auxiliary);
  double const end = farthest.status == Status::optimal ? farthest.columnValues.back() : 0.0;

  LinearProgram moved = lp;
  double const step = end + margin;
  for (int i = 0; i < lp.rows(); ++i) {
    moved.rowLower[i] += step * direction[i];
    moved.rowUpper[i] += step * direction[i];
  }
  return moved;
}

LinearProgram atTheEdge(Dice& dice, BaseModel const& base, double margin) {
  bool const asked = base.optimum().status == Status::optimal && dice.chance(0.5);
  return asked ? withObjectiveAsked(dice, base, margin) : withRowsMoved(dice, base, margin);
}

}  // namespace

std::vector<Kind> movedBoundKinds() {
  std::vector<Kind> all;
  for (int const digits : {6, 8, 10})
    for (bool const feasible : {true, false}) {
      double const margin = (feasible ? -1.0 : 1.0) * std::pow(10.0, -digits);
      std::string const word = feasible ? "feasible" : "infeasible";
      all.push_back(
          {word + std::to_string(digits), true,
           "bounds moved until " + word + " by 1e-" + std::to_string(digits),
           [margin](Dice& dice, BaseModel const& base) { return atTheEdge(dice, base, margin); }});
    }
  return all;
}

}  // namespace osi_cuda::stress
