// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/integers/integer_points.hpp"

#include <algorithm>
#include <limits>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/choice_points.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/search/points.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {
namespace {

/// What misses rows by more may be better than any point that misses none.
double strictTolerance(Options const& options) {
  return std::min(options.primalTolerance, search::wholePointTolerance);
}

}  // namespace

Solution solvedAt(LinearProgram lp, std::span<double const> values, Options const& options,
                  Callbacks const& callbacks, Basis const& basis) {
  std::vector<double> made(values.begin(), values.end());
  decide(lp, made);
  std::vector<char> decided(made.size());
  eachChoice(lp, made, [&](double, auto const& bounds) {
    bounds([&](int column, bool upper, double value) {
      double& side = (upper ? lp.columnUpper : lp.columnLower)[at(column)];
      side = upper ? std::min(side, value) : std::max(side, value);
      decided[at(column)] = 1;
    });
  });
  Solver solver(lp);
  solver.setBasis(basis);
  Options strict = options;
  strict.primalTolerance = strictTolerance(options);
  Solution solution = solver.solve(strict, callbacks);
  solution.relaxed = {};
  solver.enclose(solution, callbacks.interrupted);
  if (solution.status != Status::optimal) return solution;
  // A basic column between two equal bounds is there but for rounding.
  for (int j = 0; j < lp.columns(); ++j) {
    if (!decided[at(j)]) continue;
    double const lower = lp.columnLower[at(j)], upper = lp.columnUpper[at(j)];
    double& value = solution.columnValues[at(j)];
    value = std::clamp(value, lower, upper);
    bool const atBound = value == lower || value == upper;
    if (atBound && !solution.columnValuesLow.empty()) solution.columnValuesLow[at(j)] = 0.0;
  }
  proof::Assessment const assessed = proof::assess(lp, solution);
  solution.residuals = assessed.residuals;
  ObjectiveEnclosure& enclosure = solution.objectiveEnclosure;
  enclosure.lower = std::max(enclosure.lower, assessed.enclosure.lower);
  enclosure.upper = std::min(enclosure.upper, assessed.enclosure.upper);
  solution.objective = objectiveOf(lp, solution.columnValues, solution.columnValuesLow);
  if (!(solution.residuals.primal <= options.primalTolerance) ||
      !keepsTo(lp, solution.columnValues))
    solution.status = Status::numerical;
  return solution;
}

Solution verifiedAt(LinearProgram lp, std::span<double const> values, Options const& options) {
  Solution solution;
  solution.columnValues.assign(values.begin(), values.end());
  for (int j = 0; j < lp.columns(); ++j) {
    double& x = solution.columnValues[at(j)];
    x = std::clamp(x, lp.columnLower[at(j)], lp.columnUpper[at(j)]);
  }
  decide(lp, solution.columnValues);
  solution.rowDuals.assign(lp.rowLower.size(), 0.0);
  solution.rowActivity = solution.rowDuals;
  for (int j = 0; j < lp.columns(); ++j)
    for (auto const [i, a] : lp.matrix.column(j))
      solution.rowActivity[at(i)] += a * solution.columnValues[at(j)];
  solution.reducedCosts = lp.objective;
  solution.objective = objectiveOf(lp, solution.columnValues);
  double const primal = residualsOf(lp, solution).primal;
  lp.columnLower = lp.columnUpper = solution.columnValues;  // where no cost has a wrong sign
  solution.residuals = residualsOf(lp, solution);
  solution.residuals.primal = primal;
  if (!(primal <= strictTolerance(options)) || !keepsTo(lp, solution.columnValues)) return solution;
  solution.status = Status::optimal;
  solution.proof = ProofGrade::tolerance;
  return solution;
}

Solution withoutPoint(Status status, std::string const& message) {
  Solution solution;
  solution.status = status;
  solution.message = message;
  solution.objective = std::numeric_limits<double>::quiet_NaN();
  return solution;
}

Solution ended(SearchOutcome const& outcome, Limit limit, Solution point) {
  bool const found = point.status == Status::optimal;
  Status status = outcome.status;
  std::string message;
  switch (status) {
    case Status::iterationLimit:
    case Status::interrupted:
      if (limit != Limit::none) status = statusOf(limit);
      break;
    case Status::optimal:
    case Status::infeasible:
      if (outcome.doubts > 0)
        message = std::to_string(outcome.doubts) +
                  " linear program(s) of the search have no proved status, so that its end proves "
                  "nothing";
      else if (found != (status == Status::optimal))
        message = found ? "the search misses the point that it began with"
                        : "the search has no point that is feasible once its integers are whole";
      else if (!found)
        message = "the search found no integer point";
      break;
    default:
      message = "the search ended before it was complete";
  }
  bool const claimed = status == Status::infeasible && !found && outcome.doubts == 0;
  if (!message.empty() && !claimed) status = Status::numerical;
  if (!found) return withoutPoint(status, message);
  point.status = status;
  point.message = message;
  return point;
}

}  // namespace osi_cuda
