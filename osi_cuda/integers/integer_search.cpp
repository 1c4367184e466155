// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/integers/integer_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/base/module_file.hpp"
#include "osi_cuda/integers/cbc_module.hpp"
#include "osi_cuda/integers/preparation.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/search/tree_file.hpp"
#include "osi_cuda/search/tree_search.hpp"

namespace osi_cuda {
namespace {

/// The seconds that the incumbent gets to be completed after the time limit or an interrupt.
constexpr double grace = 0.5;

/// `lp` with its integer columns fixed at these values, made whole: solved and proved there.
/// Another status than optimal: there is no such point.
Solution solvedAt(LinearProgram lp, std::span<double const> values, Options const& options,
                  Callbacks const& callbacks, Basis const& basis) {
  for (int j = 0; j < lp.columns(); ++j) {
    if (!lp.integer[at(j)]) continue;
    double const whole = std::round(values[at(j)]);
    lp.columnLower[at(j)] = std::max(lp.columnLower[at(j)], whole);
    lp.columnUpper[at(j)] = std::min(lp.columnUpper[at(j)], whole);
  }
  Solver solver(lp);
  solver.setBasis(basis);
  Solution solution = solver.solve(options, callbacks);
  solution.relaxed.integers = 0;
  solver.enclose(solution, callbacks.interrupted);
  if (solution.status != Status::optimal) return solution;
  // A basic column between two equal bounds is there but for rounding.
  for (int j = 0; j < lp.columns(); ++j) {
    if (!lp.integer[at(j)]) continue;
    solution.columnValues[at(j)] = std::round(values[at(j)]);
    if (!solution.columnValuesLow.empty()) solution.columnValuesLow[at(j)] = 0.0;
  }
  proof::Assessment const made = proof::assess(lp, solution);
  solution.residuals = made.residuals;
  ObjectiveEnclosure& enclosure = solution.objectiveEnclosure;
  enclosure.lower = std::max(enclosure.lower, made.enclosure.lower);
  enclosure.upper = std::min(enclosure.upper, made.enclosure.upper);
  solution.objective = objectiveOf(lp, solution.columnValues, solution.columnValuesLow);
  if (!(solution.residuals.primal <= options.primalTolerance)) solution.status = Status::numerical;
  return solution;
}

/// The point itself, its integers made whole, where the verifier takes it as it is.
Solution verifiedAt(LinearProgram lp, std::span<double const> values, double tolerance) {
  Solution solution;
  for (int j = 0; j < lp.columns(); ++j) {
    double const x = values[at(j)];
    solution.columnValues.push_back(
        lp.integer[at(j)] ? std::round(x)
                          : std::clamp(x, lp.columnLower[at(j)], lp.columnUpper[at(j)]));
  }
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
  if (!(primal <= tolerance)) return solution;
  solution.status = Status::optimal;
  solution.proof = ProofGrade::tolerance;
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

/// The answer of a search that has found a point, or has not: `limit` is what ended it from
/// outside.
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

/// The module where the options ask for Cbc, or leave the choice and have it; null: the own search.
CbcModule const* moduleFor(Options const& options) {
  if (options.search == SearchChoice::own) return nullptr;
  try {
    return &cbcModule();
  } catch (EngineUnavailable const&) {
    if (options.search == SearchChoice::cbc) throw;
    return nullptr;
  }
}

/// Whether the own search is taken where the options leave the choice: for what only it has.
bool prefersOwn(Options const& options, IntegerCallbacks const& callbacks) {
  return options.search == SearchChoice::automatic && (callbacks.tree || callbacks.saved);
}

/// The same in the other sense.
SearchProgress turned(SearchProgress at) {
  at.objective = -at.objective;
  at.bound = -at.bound;
  return at;
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
      "; packages and wheels of osi-cuda have it, and a build where it finds Cbc (Debian: "
      "coinor-libcbc-dev)");
}

IntegerSolution solveIntegers(LinearProgram const& lp, Options const& given,
                              IntegerCallbacks const& callbacks, std::span<double const> start,
                              Basis const& basis, search::SavedSearch const* resume) {
  if (!start.empty() && start.size() != static_cast<std::size_t>(lp.columns()))
    throw std::invalid_argument("the start has length " + std::to_string(start.size()) +
                                " instead of " + std::to_string(lp.columns()));
  bool const integers = std::ranges::find(lp.integer, char{1}) != lp.integer.end();
  CbcModule const* module = integers ? moduleFor(given) : nullptr;
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
  double const sense = maximize ? -1.0 : 1.0;
  // What is proved of all points: no sum of ours is better.
  double proved = maximize ? -relaxed.objectiveEnclosure.upper : relaxed.objectiveEnclosure.lower;
  double const bound = relaxed.status != Status::optimal ? -infinity
                       : std::isfinite(proved)           ? proved
                                                         : sense * relaxed.objective;
  result.search.bound = sense * bound;
  PreparedIntegers prepared;
  if (integers && relaxed.status != Status::infeasible) prepared = prepareIntegers(lp);
  if (callbacks.tree && (relaxed.status == Status::infeasible || !prepared.conflict.empty())) {
    std::vector<int> rows(lp.rowLower.size());
    std::iota(rows.begin(), rows.end(), 0);
    search::TreeFile tree(callbacks.tree, rows);
    tree.begin(lp.columns(), lp.rows());
    bool const crossed = relaxed.farkas.empty() || !prepared.conflict.empty();
    tree.empty(0, crossed ? -1 : tree.multipliers(relaxed.farkas));
    tree.end({}, infinity);
  }
  if (!prepared.conflict.empty()) {
    solution = withoutPoint(Status::infeasible, prepared.conflict);
    solution.proof = ProofGrade::exact;
    result.search.bound = sense * infinity;
    return result;
  }
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

  Basis ofPrepared{relaxed.basis.columns, {}};
  for (int const i : prepared.rows) ofPrepared.rows.push_back(relaxed.basis.rows[at(i)]);
  IntegerCallbacks forSearch;
  if (callbacks.search)
    forSearch.search = [&](SearchProgress const& at) {
      callbacks.search(maximize ? turned(at) : at);
    };
  if (callbacks.incumbent)
    forSearch.incumbent = [&](SearchProgress const& at, std::span<double const> values) {
      callbacks.incumbent(maximize ? turned(at) : at, values);
    };
  SearchRequest request{prepared.problem,
                        ofPrepared,
                        {},
                        {},
                        0.0,
                        bound,
                        [&] { return budget.interrupted(); },
                        forSearch,
                        isDevice(options.engine) || relaxed.engine == SolveEngine::cuda,
                        prepared.rows,
                        lp.rows()};
  if (!start.empty()) {
    Solution const begin =
        solvedAt(lp, start, withinBudget(options, budget), callbacks, relaxed.basis);
    budget.spend(begin.iterations);
    request.startObjective = sense * begin.objective;
    if (begin.status == Status::optimal)
      request.start = begin.columnValues;
    else if (callbacks.notice)
      callbacks.notice("The start is left out: no point has its integers.");
  }
  request.options = withinBudget(options, budget);
  forSearch.tree = callbacks.tree;
  forSearch.saveDue = callbacks.saveDue;
  forSearch.saved = callbacks.saved;
  request.resume = resume;
  if (resume || prefersOwn(options, callbacks)) module = nullptr;
  SearchOutcome const outcome = module ? module->search(request) : search::searchTree(request);
  result.own = !module;
  if (outcome.proved && std::isfinite(outcome.last.bound))
    proved = std::max(proved, outcome.last.bound);
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
    solution = solvedAt(lp, outcome.values, last,
                        limit == Limit::none ? static_cast<Callbacks const&>(callbacks) : quiet,
                        relaxed.basis);
    budget.spend(solution.iterations);
    if (solution.status != Status::optimal)
      solution = verifiedAt(lp, outcome.values, options.primalTolerance);
  }
  solution = ended(outcome, limit, std::move(solution));
  result.search.objective = solution.objective;
  // No worse than the relaxation's, and no better than the point; of what was dropped without a
  // proof the relaxation alone knows.
  bool const believed = outcome.proved || outcome.doubts == 0;
  double claimed = believed ? std::max(bound, outcome.last.bound) : bound;
  if (solution.status == Status::infeasible) claimed = infinity;
  if (sense * solution.objective < claimed) claimed = sense * solution.objective;
  result.search.bound = sense * claimed;

  // What the point rests on, and what the relaxation proves of all the others.
  result.pointProof = std::exchange(solution.proof, ProofGrade::none);
  result.pointExact = std::exchange(solution.exact, {});
  ObjectiveEnclosure& enclosure = solution.objectiveEnclosure;
  (maximize ? enclosure.upper : enclosure.lower) = sense * proved;
  double const size = std::max(std::fabs(enclosure.lower), std::fabs(enclosure.upper));
  bool const closed = enclosure.upper - enclosure.lower <=
                      std::max(options.absoluteGap, options.relativeGap * size);
  result.boundIsProved = outcome.proved || closed;
  if (solution.status == Status::optimal && result.boundIsProved)
    solution.proof = result.pointProof;
  if (solution.status == Status::infeasible && outcome.proved)
    solution.proof = ProofGrade::extended;
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
