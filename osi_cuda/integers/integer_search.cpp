// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/integers/integer_search.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/budget.hpp"
#include "osi_cuda/integers/cbc_module.hpp"
#include "osi_cuda/module_file.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

/// The seconds that the incumbent gets to be completed after the time limit or an interrupt.
constexpr double grace = 0.5;

/// `lp` with its integer columns fixed at these values, made whole, or with all columns fixed:
/// solved and proved there. Another status than optimal: there is no such point.
Solution solvedAt(LinearProgram lp, std::span<double const> values, bool all,
                  Options const& options, Callbacks const& callbacks, Basis const& basis) {
  auto const whole = [&](int j) { return lp.integer[j] ? std::round(values[j]) : values[j]; };
  for (int j = 0; j < lp.columns(); ++j) {
    if (!lp.integer[j] && !all) continue;
    double const at =
        lp.integer[j] ? whole(j) : std::clamp(whole(j), lp.columnLower[j], lp.columnUpper[j]);
    lp.columnLower[j] = std::max(lp.columnLower[j], at);
    lp.columnUpper[j] = std::min(lp.columnUpper[j], at);
  }
  Solver solver(lp);
  solver.setBasis(basis);
  Solution solution = solver.solve(options, callbacks);
  solution.relaxed.integers = 0;
  solver.enclose(solution, callbacks.interrupted);
  if (solution.status != Status::optimal) return solution;
  // A basic column between two equal bounds is there but for rounding.
  for (int j = 0; j < lp.columns(); ++j) {
    if (!lp.integer[j]) continue;
    solution.columnValues[j] = whole(j);
    if (!solution.columnValuesLow.empty()) solution.columnValuesLow[j] = 0.0;
  }
  solution.residuals = residualsOf(lp, solution);
  solution.objective = objectiveOf(lp, solution.columnValues, solution.columnValuesLow);
  if (!(solution.residuals.primal <= options.primalTolerance)) solution.status = Status::numerical;
  return solution;
}

/// What there is without an incumbent: a status, and nothing proved.
Solution withoutPoint(Status status, std::string const& message = {}) {
  Solution solution;
  solution.status = status;
  solution.message = message;
  solution.objective = std::numeric_limits<double>::quiet_NaN();
  return solution;
}

/// The status of a search that has found a point, or has not.
Solution ended(Status end, Limit limit, Solution point) {
  bool const found = point.status == Status::optimal;
  if (end == Status::iterationLimit) {
    Status const status = statusOf(limit == Limit::none ? Limit::iterations : limit);
    if (!found) return withoutPoint(status);
    point.status = status;
    return point;
  }
  if (end == Status::infeasible)
    return withoutPoint(Status::infeasible, "the search found no integer point");
  if (end == Status::optimal && found) return point;
  return withoutPoint(Status::numerical,
                      "the search has no point that is feasible once its "
                      "integers are whole");
}

}  // namespace

double SearchProgress::gap() const {
  if (!std::isfinite(objective) || !std::isfinite(bound)) return infinity;
  double const size = std::max(std::fabs(objective), std::fabs(bound));
  return size > 0.0 ? std::fabs(objective - bound) / size : 0.0;
}

CbcModule const& cbcModule() {
  ModuleSearch const search =
      openModule({"OsiCudaCbc.so", "osiCudaCbc", OSI_CUDA_CBC_INTERFACE, "OSI_CUDA_CBC_PATH"});
  if (search.fault == ModuleFault::none) return *static_cast<CbcModule const*>(search.table);
  throw EngineUnavailable(
      "integer columns need the module with Cbc: " + search.reason +
      "; it is part of Debian's package osi-cuda, and built where coinor-libcbc-dev is installed");
}

IntegerSolution solveIntegers(LinearProgram const& lp, Options const& given,
                              IntegerCallbacks const& callbacks, std::span<double const> start,
                              Basis const& basis) {
  if (!start.empty() && start.size() != static_cast<std::size_t>(lp.columns()))
    throw std::invalid_argument("the start has length " + std::to_string(start.size()) +
                                " instead of " + std::to_string(lp.columns()));
  bool const integers = std::ranges::find(lp.integer, char{1}) != lp.integer.end();
  CbcModule const* const module = integers ? &cbcModule() : nullptr;
  Budget budget = budgetOf(given, callbacks);
  Options options = given;
  options.crossover = true;  // a search starts from a vertex
  Solver solver(lp);
  solver.setBasis(basis);
  Solution relaxed = solver.solve(withinBudget(options, budget), callbacks);
  relaxed.relaxed.integers = 0;  // what it settles holds for integers as well
  solver.enclose(relaxed, [&] { return budget.interrupted(); });
  budget.spend(relaxed.iterations + relaxed.barrierIterations);
  options.objectiveLimit = infinity;  // the relaxation has kept to it
  IntegerSolution result;
  Solution& solution = result.solution;
  bool const maximize = lp.sense == Sense::maximize;
  result.search.bound = relaxed.status == Status::optimal ? relaxed.objective
                        : maximize                        ? infinity
                                                          : -infinity;
  if (!integers || relaxed.status != Status::optimal) {
    bool const told = relaxed.status == Status::infeasible || relaxed.status == Status::unbounded;
    if (relaxed.status == Status::optimal) result.search.objective = relaxed.objective;
    solution =
        !integers || told ? std::move(relaxed) : withoutPoint(relaxed.status, relaxed.message);
    if (integers && solution.status == Status::unbounded) {
      solution.proof = ProofGrade::none;
      solution.message =
          "the relaxation is unbounded: so is the problem if it has an integer point";
    }
    return result;
  }

  SearchRequest request{
      lp,       relaxed.basis, {}, {}, 0.0, relaxed.objective, [&] { return budget.interrupted(); },
      callbacks};
  if (!start.empty()) {
    Solution const begin =
        solvedAt(lp, start, false, withinBudget(options, budget), callbacks, relaxed.basis);
    budget.spend(begin.iterations);
    request.startObjective = begin.objective;
    if (begin.status == Status::optimal)
      request.start = begin.columnValues;
    else if (callbacks.notice)
      callbacks.notice("The start is left out: no point has its integers.");
  }
  request.options = withinBudget(options, budget);
  SearchOutcome const outcome = module->search(request);
  budget.spend(outcome.iterations);
  result.searched = true;
  result.search = outcome.last;
  result.cuts = outcome.cuts;
  result.solves = outcome.solves;
  Limit const limit = budget.interruption();
  if (!outcome.values.empty()) {
    Options last = withinBudget(options, budget);
    last.timeLimit = std::max(grace, limit == Limit::none ? last.timeLimit : 0.0);
    last.iterationLimit = Budget::unlimitedIterations;
    Callbacks const quiet;
    for (bool const all : {false, true}) {
      solution = solvedAt(lp, outcome.values, all, last,
                          all || limit != Limit::none ? quiet : callbacks, relaxed.basis);
      budget.spend(solution.iterations);
      if (solution.status == Status::optimal) break;
    }
  }
  solution = ended(outcome.status, limit, std::move(solution));
  result.search.objective = solution.objective;
  if (solution.status == Status::infeasible) result.search.bound = maximize ? -infinity : infinity;

  // What the point rests on, and what the relaxation proves of all the others.
  result.pointProof = std::exchange(solution.proof, ProofGrade::none);
  result.pointExact = std::exchange(solution.exact, {});
  ObjectiveEnclosure& enclosure = solution.objectiveEnclosure;
  (maximize ? enclosure.upper : enclosure.lower) =
      maximize ? relaxed.objectiveEnclosure.upper : relaxed.objectiveEnclosure.lower;
  double const size = std::max(std::fabs(enclosure.lower), std::fabs(enclosure.upper));
  if (solution.status == Status::optimal &&
      enclosure.upper - enclosure.lower <=
          std::max(options.absoluteGap, options.relativeGap * size))
    solution.proof = result.pointProof;
  solution.iterations = budget.iterationsSpent();
  result.search.seconds = solution.seconds = budget.seconds();
  solution.engine = relaxed.engine;
  solution.device = relaxed.device;
  solution.algorithm = relaxed.algorithm;
  solution.pricing = relaxed.pricing;
  solution.deviceLost = solution.deviceLost || relaxed.deviceLost;
  return result;
}

}  // namespace osi_cuda
