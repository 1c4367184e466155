// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/presolve/reduction_steps.hpp"

#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

using Status = VariableStatus;

/// Takes steps back, the last one first. Reduced costs of the columns that a step does not name are
/// the same before and after it, so that they are kept, not computed anew.
class Undoing {
 public:
  Undoing(LinearProgram const& lp, ReducedLines const& lines, Solution const& reduced)
      : lines_(lines), sign_(lp.sense == Sense::minimize ? 1.0 : -1.0), cost_(at(lp.columns())) {
    solution_.columnValues.resize(at(lp.columns()));
    solution_.rowDuals.resize(at(lp.rows()));
    solution_.basis.columns.resize(at(lp.columns()), Status::atLower);
    solution_.basis.rows.resize(at(lp.rows()), Status::basic);
    load(lines.problem, reduced);
  }

  Solution run() {
    for (std::size_t k = lines_.steps.size(); k-- > 0;) undo(lines_.steps[k]);
    for (double& y : solution_.rowDuals) y *= sign_;
    return std::move(solution_);
  }

 private:
  double& value(int j) { return solution_.columnValues[at(j)]; }
  double& dual(int i) { return solution_.rowDuals[at(i)]; }
  double& cost(int j) { return cost_[at(j)]; }  // reduced
  Status& column(int j) { return solution_.basis.columns[at(j)]; }
  Status& row(int i) { return solution_.basis.rows[at(i)]; }

  void load(LinearProgram const& problem, Solution const& reduced) {
    for (std::size_t i = 0; i < lines_.ownRows.size(); ++i) {
      Status const status = reduced.basis.rows[i];
      row(lines_.ownRows[i]) = status;
      dual(lines_.ownRows[i]) = status == Status::basic ? 0.0 : sign_ * reduced.rowDuals[i];
    }
    for (std::size_t k = 0; k < lines_.ownColumns.size(); ++k) {
      int const j = lines_.ownColumns[k];
      Status const status = column(j) = reduced.basis.columns[k];
      double const lower = problem.columnLower[k], upper = problem.columnUpper[k];
      value(j) = status == Status::atLower && lower != -infinity  ? lower
                 : status == Status::atUpper && upper != infinity ? upper
                                                                  : reduced.columnValues[k];
      if (status == Status::basic) continue;
      cost(j) = sign_ * problem.objective[k];
      for (auto const [i, a] : problem.matrix.column(static_cast<int>(k)))
        cost(j) -= a * dual(lines_.ownRows[at(i)]);
    }
  }

  /// At which bound a nonbasic variable is: a multiplier that is more than rounding says it where
  /// both bounds are the same, or a ray is taken back.
  static bool isAtUpper(Status status, double multiplier) {
    constexpr double rounding = 1e-6;
    if (multiplier > rounding) return false;
    return multiplier < -rounding || status == Status::atUpper;
  }
  static Status statusAt(bool upper) { return upper ? Status::atUpper : Status::atLower; }

  /// Whether `status` rests on a bound that the step moved to its variable.
  static bool restsOnMoved(ReductionStep const& step, Status status, bool upper) {
    return status != Status::basic && status != Status::free && (upper ? step.upper : step.lower);
  }

  void undo(ReductionStep const& step) {
    switch (step.kind) {
      case ReductionStep::Kind::droppedRow:
        break;
      case ReductionStep::Kind::boundRow:
        return undoBoundRow(step);
      case ReductionStep::Kind::parallelRow:
        return undoParallel(step);
      case ReductionStep::Kind::fixedColumn:
        value(step.column) = step.side;
        cost(step.column) = costOf(step);
        column(step.column) = statusAt(isAtUpper(Status::atLower, cost(step.column)));
        break;
      case ReductionStep::Kind::substituted:
        undoSubstitution(step);
    }
  }

  void undoBoundRow(ReductionStep const& step) {
    Status& status = column(step.column);
    bool const upper = isAtUpper(status, cost(step.column));
    if (status == Status::basic || status == Status::free) return;
    if (restsOnMoved(step, status, upper)) {
      dual(step.row) = cost(step.column) / step.factor;
      row(step.row) = statusAt(upper == (step.factor > 0.0));
      cost(step.column) = 0.0;
      status = Status::basic;
    } else {
      status = statusAt(upper);
    }
  }

  void undoParallel(ReductionStep const& step) {
    Status& status = row(step.other);
    bool const upper = isAtUpper(status, dual(step.other));
    if (status == Status::basic || status == Status::free) return;
    if (restsOnMoved(step, status, upper)) {
      dual(step.row) = dual(step.other) / step.factor;
      row(step.row) = statusAt(upper == (step.factor > 0.0));
      dual(step.other) = 0.0;
      status = Status::basic;
    } else {
      status = statusAt(upper);
    }
  }

  double costOf(ReductionStep const& step) {
    double sum = step.cost;
    for (std::size_t k = step.middle; k < step.end; ++k)
      sum -= lines_.entries[k].value * dual(lines_.entries[k].index);
    return sum;
  }

  void undoSubstitution(ReductionStep const& step) {
    double rest = step.side, ofOther = 0.0;
    for (std::size_t k = step.begin; k < step.middle; ++k) {
      auto const [j, a] = lines_.entries[k];
      rest -= a * value(j);
      if (j == step.other) ofOther = a;
    }
    value(step.column) = rest / step.factor;
    column(step.column) = Status::basic;
    cost(step.column) = 0.0;
    dual(step.row) = costOf(step) / step.factor;
    if (ofOther != 0.0) {
      Status& status = column(step.other);
      bool const upper = isAtUpper(status, cost(step.other));
      if (restsOnMoved(step, status, upper)) {
        double const change = cost(step.other) / ofOther;
        dual(step.row) += change;
        cost(step.other) = 0.0;
        cost(step.column) = -step.factor * change;
        // The other column rises as this one falls where their entries have one sign.
        column(step.column) = statusAt(upper != (ofOther * step.factor > 0.0));
        status = Status::basic;
      } else if (status == Status::atLower || status == Status::atUpper) {
        status = statusAt(upper);
      }
    }
    row(step.row) = statusAt(step.atUpper);
  }

  ReducedLines const& lines_;
  double const sign_;
  std::vector<double> cost_;
  Solution solution_;
};

}  // namespace

void completePoint(LinearProgram const& lp, Solution& s) {
  s.rowActivity.assign(at(lp.rows()), 0.0);
  s.reducedCosts = lp.objective;
  for (int j = 0; j < lp.columns(); ++j)
    for (auto const [i, a] : lp.matrix.column(j)) {
      s.rowActivity[at(i)] += a * s.columnValues[at(j)];
      s.reducedCosts[at(j)] -= a * s.rowDuals[at(i)];
    }
  s.objective = objectiveOf(lp, s.columnValues);
}

Solution ReducedLines::postsolve(LinearProgram const& lp, Solution const& reduced) const {
  Solution solution = Undoing(before ? before->problem : lp, *this, reduced).run();
  if (before) return before->postsolve(lp, solution);
  completePoint(lp, solution);
  return solution;
}

}  // namespace osi_cuda
