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

/// The seconds that a point gets to be completed after the time limit or an interrupt.
constexpr double grace = 0.5;

/// The bound that says nothing; its negative is that of a problem without points.
double noBound(LinearProgram const& lp) {
  return lp.sense == Sense::maximize ? infinity : -infinity;
}

/// The integers rounded, the others as they are.
std::vector<double> wholeValues(LinearProgram const& lp, std::span<double const> values) {
  std::vector<double> whole(values.begin(), values.end());
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.integer[j]) whole[j] = std::round(whole[j]);
  return whole;
}

/// The best point of `lp` with these values of its integer columns, proved; another status where
/// there is none.
Solution completed(LinearProgram lp, std::span<double const> values, Options const& options,
                   Callbacks const& callbacks, Basis const& basis) {
  std::vector<double> const whole = wholeValues(lp, values);
  for (int j = 0; j < lp.columns(); ++j) {
    if (!lp.integer[j]) continue;
    lp.columnLower[j] = std::max(lp.columnLower[j], whole[j]);
    lp.columnUpper[j] = std::min(lp.columnUpper[j], whole[j]);
  }
  Solver solver(std::move(lp));
  solver.setBasis(basis);
  Solution solution = solver.solve(options, callbacks);
  solver.enclose(solution, callbacks.interrupted);
  if (solution.status != Status::optimal) return solution;
  // A basic column between two equal bounds is there but for rounding.
  LinearProgram const& fixed = solver.problem();
  for (int j = 0; j < fixed.columns(); ++j) {
    if (!fixed.integer[j]) continue;
    solution.columnValues[j] = whole[j];
    if (!solution.columnValuesLow.empty()) solution.columnValuesLow[j] = 0.0;
  }
  solution.residuals = residualsOf(fixed, solution);
  solution.objective = objectiveOf(fixed, solution.columnValues, solution.columnValuesLow);
  if (!(solution.residuals.primal <= options.primalTolerance)) solution.status = Status::numerical;
  return solution;
}

/// The point itself, verified: status optimal where it is feasible to the tolerance.
Solution verified(LinearProgram const& lp, std::span<double const> values, Options const& options) {
  Solution point;
  point.columnValues = wholeValues(lp, values);
  point.rowDuals.assign(static_cast<std::size_t>(lp.rows()), 0.0);
  point.residuals = {residualsOf(lp, point).primal, 0.0, 0.0};
  point.rowDuals.clear();
  point.objective = objectiveOf(lp, point.columnValues);
  point.rowActivity.assign(static_cast<std::size_t>(lp.rows()), 0.0);
  ColumnReader read(lp.matrix);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const column = read(j);
    auto const rows = lp.matrix.columnIndices(j);
    for (std::size_t k = 0; k < rows.size(); ++k)
      point.rowActivity[rows[k]] += column[k] * point.columnValues[j];
  }
  if (!(point.residuals.primal <= options.primalTolerance)) return point;
  point.status = Status::optimal;
  point.proof = ProofGrade::tolerance;
  return point;
}

/// One call of solveIntegers.
class Search {
 public:
  Search(LinearProgram const& lp, Options const& options, IntegerCallbacks const& callbacks)
      : lp_(lp),
        options_(options),
        callbacks_(callbacks),
        budget_(options.timeLimit, options.iterationLimit, callbacks.interrupted) {
    options_.crossover = true;  // a search starts from a vertex
    result_.search.bound = noBound(lp);
  }

  IntegerSolution run(std::span<double const> start, Basis const& basis) {
    bool const integers = std::ranges::find(lp_.integer, char{1}) != lp_.integer.end();
    CbcModule const* const module = integers ? &cbcModule() : nullptr;
    Solver solver(lp_);
    solver.setBasis(basis);
    Solution& solution = result_.solution;
    solution = solver.solve(withinBudget(options_, budget_), callbacks_);
    solver.enclose(solution, [this] { return budget_.interrupted(); });
    budget_.spend(solution.iterations + solution.barrierIterations);
    options_.objectiveLimit = infinity;  // of the relaxation, which bounds the rest
    if (solution.status == Status::optimal) result_.search.bound = solution.objective;
    bool const open = solution.status == Status::optimal || solution.status == Status::unbounded;
    if (integers && open)
      search(*module, start);
    else if (integers && solution.status != Status::infeasible)
      forgetPoint();
    else if (solution.status == Status::optimal)
      result_.search.objective = solution.objective;
    result_.search.seconds = solution.seconds = budget_.seconds();
    return std::move(result_);
  }

 private:
  void search(CbcModule const& module, std::span<double const> start) {
    Solution const relaxed = std::exchange(result_.solution, {});
    bool const unbounded = relaxed.status == Status::unbounded;
    LinearProgram problem = lp_;
    if (unbounded) std::ranges::fill(problem.objective, 0.0);  // any integer point will do
    SearchRequest request{problem,
                          relaxed.basis,
                          options_,
                          {},
                          0.0,
                          unbounded ? 0.0 : relaxed.objective,
                          [this] { return budget_.interrupted(); },
                          callbacks_};
    if (!start.empty()) {
      Solution const begin =
          completed(problem, start, withinBudget(options_, budget_), callbacks_, relaxed.basis);
      budget_.spend(begin.iterations);
      request.start = begin.columnValues;
      request.startObjective = begin.objective;
      if (begin.status != Status::optimal) {
        request.start.clear();
        if (callbacks_.notice)
          callbacks_.notice("The start is left out: no point has its integers.");
      }
    }
    request.options = withinBudget(options_, budget_);
    SearchOutcome const outcome = module.search(request);
    budget_.spend(outcome.iterations);
    result_.searched = true;
    result_.search = outcome.last;
    result_.cuts = outcome.cuts;
    result_.solves = outcome.solves;
    Solution& solution = result_.solution;
    if (!outcome.values.empty()) takePoint(outcome, relaxed);
    bool const found = solution.status == Status::optimal;
    solution.status = statusOf(outcome.end);
    if (solution.status == Status::optimal && !found) {
      solution.status = Status::numerical;
      solution.message = "the search's point violates a bound by " +
                         std::to_string(solution.residuals.primal) +
                         " (relative) once its integers are whole";
    } else if (solution.status == Status::optimal && unbounded) {
      takeRay(relaxed);
    } else if (solution.status == Status::infeasible) {
      solution.message = "the search found no integer point; the relaxation has points";
      result_.search.bound = -noBound(lp_);
    }
    if (!found) forgetPoint();
    finish(relaxed);
    ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
    double const width = enclosure.upper - enclosure.lower;
    double const size = std::max(std::fabs(enclosure.lower), std::fabs(enclosure.upper));
    if (solution.status == Status::optimal &&
        width <= std::max(options_.absoluteGap, options_.relativeGap * size))
      solution.proof = result_.point.proof;
  }

  /// The search's point with its integers whole: completed, or as it is where no time is left.
  void takePoint(SearchOutcome const& outcome, Solution const& relaxed) {
    Options options = options_;
    options.iterationLimit = Budget::unlimitedIterations;
    options.timeLimit = std::max(grace, budget_.interrupted() ? 0.0 : budget_.secondsLeft());
    Callbacks callbacks;
    if (!budget_.interrupted()) callbacks.interrupted = callbacks_.interrupted;
    Solution& solution = result_.solution;
    solution = completed(lp_, outcome.values, options, callbacks, relaxed.basis);
    budget_.spend(solution.iterations);
    if (solution.status != Status::optimal) solution = verified(lp_, outcome.values, options_);
    result_.search.objective = solution.objective;
    result_.point = {solution.proof, std::move(solution.exact)};
    solution.exact = {};
    solution.proof = ProofGrade::none;
  }

  /// An integer point and a ray of the relaxation: for a problem whose numbers are rational, as
  /// doubles are, it is unbounded then (Meyer 1974, "On the existence of optimal solutions to
  /// integer and mixed-integer programming problems").
  void takeRay(Solution const& relaxed) {
    Solution& solution = result_.solution;
    solution.ray = relaxed.ray;
    solution.rayLow = relaxed.rayLow;
    RayProof const proof = verifyRay(lp_, solution.columnValues, relaxed.ray,
                                     options_.primalTolerance, relaxed.rayLow);
    solution.status = proof.proved ? Status::unbounded : Status::numerical;
    solution.proof = proof.proved ? relaxed.proof : ProofGrade::none;
    solution.margin = proof.margin;
    if (!proof.proved) solution.message = "the ray of the relaxation fails at the integer point";
    result_.search.bound = -noBound(lp_);
  }

  Status statusOf(SearchEnd end) const {
    switch (end) {
      case SearchEnd::optimal:
        return Status::optimal;
      case SearchEnd::infeasible:
        return Status::infeasible;
      case SearchEnd::stopped: {
        Limit const limit = budget_.interruption();
        return osi_cuda::statusOf(limit == Limit::none ? Limit::iterations : limit);
      }
      default:
        return Status::numerical;
    }
  }

  /// What there is without an incumbent: no point, and nothing proved.
  void forgetPoint() {
    Solution& solution = result_.solution;
    Solution rest;
    rest.status = solution.status;
    rest.message = std::move(solution.message);
    rest.iterations = solution.iterations;
    rest.engine = std::move(solution.engine);
    rest.device = std::move(solution.device);
    rest.objective = std::numeric_limits<double>::quiet_NaN();
    solution = std::move(rest);
  }

  /// What speaks of all of it, and not of the last linear program alone.
  void finish(Solution const& relaxed) {
    Solution& solution = result_.solution;
    double ObjectiveEnclosure::*const better =
        lp_.sense == Sense::maximize ? &ObjectiveEnclosure::upper : &ObjectiveEnclosure::lower;
    solution.objectiveEnclosure.*better = relaxed.objectiveEnclosure.*better;
    solution.iterations = budget_.iterationsSpent();
    solution.engine = relaxed.engine;
    solution.device = relaxed.device;
    solution.algorithm = relaxed.algorithm;
    solution.pricing = relaxed.pricing;
    solution.deviceLost = solution.deviceLost || relaxed.deviceLost;
  }

  LinearProgram const& lp_;
  Options options_;
  IntegerCallbacks const& callbacks_;
  Budget budget_;
  IntegerSolution result_;
};

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

IntegerSolution solveIntegers(LinearProgram const& lp, Options const& options,
                              IntegerCallbacks const& callbacks, std::span<double const> start,
                              Basis const& basis) {
  if (!start.empty() && start.size() != static_cast<std::size_t>(lp.columns()))
    throw std::invalid_argument("the start has length " + std::to_string(start.size()) +
                                " instead of " + std::to_string(lp.columns()));
  return Search(lp, options, callbacks).run(start, basis);
}

}  // namespace osi_cuda
