// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/ranked_objectives.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// A reduced cost below this, relative to its cost, is rounding and holds no variable.
constexpr double zeroReducedCost = 1e-9;

class Ranks {
 public:
  Ranks(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
        Basis const& start)
      : lp_(lp), options_(options), callbacks_(callbacks), solver_(lp) {
    solver_.setBasis(start);
    held_.columns.assign(lp.columnLower.size(), VariableStatus::basic);
    held_.rows.assign(lp.rowLower.size(), VariableStatus::basic);
  }

  /// False: there is no optimum.
  bool solve(RankedObjective const& objective, RankedSolution& result) {
    solver_.setSense(objective.sense);
    solver_.setObjective(objective.costs);
    solver_.setObjectiveOffset(objective.offset);
    Options limited = options_;
    limited.timeLimit = std::max(
        0.0, options_.timeLimit - std::chrono::duration<double>(Clock::now() - start_).count());
    if (options_.iterationLimit != Options{}.iterationLimit)
      limited.iterationLimit = std::max<std::int64_t>(0, options_.iterationLimit - iterations_);
    if (!result.ranks.empty()) {  // the basis has a feasible point
      limited.presolve = Toggle::off;
      limited.objectiveLimit = infinity;
      if (limited.algorithm != AlgorithmChoice::dual) limited.algorithm = AlgorithmChoice::primal;
    }
    Clock::time_point const start = Clock::now();
    last_ = solver_.solve(limited, callbacks_);
    iterations_ += last_.iterations;
    phase1_ += last_.phase1Iterations;
    seconds_ += last_.seconds;
    if (last_.status == Status::optimal)
      result.ranks.push_back({last_.objective, last_.objective, last_.iterations,
                              std::chrono::duration<double>(Clock::now() - start).count()});
    return last_.status == Status::optimal;
  }

  void hold(RankedObjective const& objective) {
    double const loss = objective.loss.of(last_.objective);
    if (loss > 0.0)
      addRow(objective, loss);
    else
      fixOptima(objective);
  }

  /// The last solution in the terms of the problem.
  Solution finish() {
    auto const m = static_cast<std::size_t>(lp_.rows());
    for (auto* part :
         {&last_.rowActivity, &last_.rowDuals, &last_.rowDualsLow, &last_.farkas, &last_.farkasLow})
      if (part->size() > m) part->resize(m);
    if (last_.basis.rows.size() > m) last_.basis.rows.resize(m);
    // What was fixed at its upper bound counts as being at a lower one meanwhile.
    auto const restore = [](std::vector<VariableStatus>& statuses,
                            std::vector<VariableStatus> const& held) {
      for (std::size_t k = 0; k < statuses.size(); ++k)
        if (statuses[k] != VariableStatus::basic && held[k] != VariableStatus::basic)
          statuses[k] = held[k];
    };
    restore(last_.basis.columns, held_.columns);
    restore(last_.basis.rows, held_.rows);
    auto const basics =
        std::count(last_.basis.columns.begin(), last_.basis.columns.end(), VariableStatus::basic) +
        std::count(last_.basis.rows.begin(), last_.basis.rows.end(), VariableStatus::basic);
    if (basics != lp_.rows()) last_.basis = {};
    last_.iterations = iterations_;
    last_.phase1Iterations = phase1_;
    last_.seconds = seconds_;
    return std::move(last_);
  }

 private:
  /// c'x no worse than the optimum and the loss.
  void addRow(RankedObjective const& objective, double loss) {
    SparseMatrix row;
    row.rows = lp_.columns();
    row.columns = 1;
    for (std::size_t j = 0; j < objective.costs.size(); ++j) {
      if (objective.costs[j] == 0.0) continue;
      row.indices.push_back(static_cast<int>(j));
      row.values.push_back(objective.costs[j]);
    }
    row.starts.push_back(std::ssize(row.indices));
    double const optimum = last_.objective - objective.offset;
    bool const minimum = objective.sense == Sense::minimize;
    double const lower = minimum ? -infinity : optimum - loss;
    double const upper = minimum ? optimum + loss : infinity;
    solver_.addRows(row, std::span(&lower, 1), std::span(&upper, 1));
  }

  void fixOptima(RankedObjective const& objective) {
    LinearProgram const& lp = solver_.problem();
    auto const holds = [](double reduced, double cost, VariableStatus status) {
      return (status == VariableStatus::atLower || status == VariableStatus::atUpper) &&
             std::fabs(reduced) > zeroReducedCost * (1.0 + std::fabs(cost));
    };
    auto const bound = [](VariableStatus status, double lower, double upper) {
      return status == VariableStatus::atUpper ? upper : lower;
    };
    for (int j = 0; j < lp.columns(); ++j) {
      auto const k = static_cast<std::size_t>(j);
      VariableStatus const status = last_.basis.columns[k];
      if (lp.columnLower[k] == lp.columnUpper[k] ||
          !holds(last_.reducedCosts[k], objective.costs[k], status))
        continue;
      double const at = bound(status, lp.columnLower[k], lp.columnUpper[k]);
      solver_.setColumnBounds(j, at, at);
      held_.columns[k] = status;
    }
    for (int i = 0; i < lp.rows(); ++i) {
      auto const k = static_cast<std::size_t>(i);
      VariableStatus const status = last_.basis.rows[k];
      if (lp.rowLower[k] == lp.rowUpper[k] || !holds(last_.rowDuals[k], 0.0, status)) continue;
      double const at = bound(status, lp.rowLower[k], lp.rowUpper[k]);
      solver_.setRowBounds(i, at, at);
      if (k < held_.rows.size()) held_.rows[k] = status;  // not the row of a loss
    }
  }

  LinearProgram const& lp_;
  Options const& options_;
  Callbacks const& callbacks_;
  Clock::time_point const start_ = Clock::now();
  Solver solver_;
  Solution last_;
  Basis held_;  ///< the bounds that variables are fixed at; basic: it is not fixed
  std::int64_t iterations_ = 0, phase1_ = 0;
  double seconds_ = 0.0;
};

}  // namespace

double Loss::of(double optimum) const {
  return relative ? amount * std::fabs(optimum) : amount;
}

RankedSolution solveByRank(LinearProgram const& lp, std::span<RankedObjective const> objectives,
                           Options const& options, Callbacks const& callbacks, Basis const& start) {
  if (objectives.empty()) throw std::invalid_argument("There is no objective.");
  for (RankedObjective const& objective : objectives) {
    if (std::ssize(objective.costs) != lp.columns())
      throw std::invalid_argument("Objective " + objective.name + " has " +
                                  std::to_string(objective.costs.size()) + " costs instead of " +
                                  std::to_string(lp.columns()) + ".");
    if (!(objective.loss.amount >= 0.0))
      throw std::invalid_argument("Objective " + objective.name + " has a loss below 0.");
  }
  RankedSolution result;
  Ranks ranks(lp, options, callbacks, start);
  for (std::size_t r = 0; r < objectives.size(); ++r) {
    if (!ranks.solve(objectives[r], result)) break;
    if (r + 1 < objectives.size()) ranks.hold(objectives[r]);
  }
  result.solution = ranks.finish();
  for (std::size_t r = 0; r < result.ranks.size(); ++r) {
    LinearProgram objective;  // what objectiveOf looks at
    objective.objective = objectives[r].costs;
    objective.objectiveOffset = objectives[r].offset;
    objective.matrix.columns = lp.columns();
    if (std::ssize(result.solution.columnValues) == lp.columns())
      result.ranks[r].value = objectiveOf(objective, result.solution.columnValues);
  }
  return result;
}

}  // namespace osi_cuda
