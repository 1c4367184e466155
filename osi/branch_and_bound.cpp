// SPDX-License-Identifier: EPL-2.0
// branchAndBound(): solveIntegers() on the interface's problem, from a module with Cbc that is
// opened when it is needed.
#include "OsiBranchingObject.hpp"
#include "osi/state.hpp"
#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/integers/preparation.hpp"
#include "osi_cuda/model/choice_points.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;
using osi_cuda::concat;
using osi_cuda::IntegerSolution;
using osi_cuda::LinearProgram;
using osi_cuda::Status;

namespace {

/// Whether the doubles that are handed out are a point to the tolerance that keeps to all choices.
bool isPoint(LinearProgram const& lp, std::vector<double> const& values, double tolerance) {
  if (!keepsTo(lp, values)) return false;
  osi_cuda::Solution point;
  point.columnValues = values;
  point.rowDuals.assign(lp.rowLower.size(), 0.0);
  return osi_cuda::residualsOf(lp, point).primal <= tolerance;
}

}  // namespace

void OsiCudaSolverInterface::branchAndBound() {
  State& s = *state_;
  osi_cuda::Choices choices = s.choices;
  for (int k = 0; k < numberObjects(); ++k) {
    OsiObject const* const object = objects()[k];
    if (auto const* const set = dynamic_cast<OsiSOS const*>(object)) {
      std::span const columns(set->members(), at(set->numberMembers()));
      std::span const weights(set->weights(), columns.size());
      choices.sets.push_back({"",
                              set->sosType(),
                              set->priority(),
                              {columns.begin(), columns.end()},
                              {weights.begin(), weights.end()}});
    } else if (!dynamic_cast<OsiSimpleInteger const*>(object)) {
      osi::refuse("branchAndBound",
                  "there are objects besides integer columns and special ordered "
                  "sets: give this interface to a CbcModel");
    }
  }
  choices.sortSets();
  if (getNumIntegers() == 0 && choices.empty()) return initialSolve();
  LinearProgram lp = s.model(doubleParam(OsiObjOffset));
  lp.integer = s.integer;
  lp.choices = std::move(choices);
  int limit = 0;
  constexpr int byDefault = COIN_INT_MAX;
  getIntParam(OsiMaxNumIteration, limit);
  osi_cuda::Options options = optionsOfSolve(true, limit);
  if (limit >= byDefault) options.iterationLimit = s.options.iterationLimit;
  int const reduction = printReduction();
  osi_cuda::IntegerCallbacks callbacks;
  callbacks.interrupted = [&s] { return s.interrupted && s.interrupted(); };
  callbacks.notice = [&](std::string const& text) { osi::say(*handler_, 2, 2 + reduction, text); };
  callbacks.plan = [&](osi_cuda::PlanChoice const& choice) {
    callbacks.notice(sentenceOf(choice));
  };
  callbacks.incumbent = [&](osi_cuda::SearchProgress const& found, std::span<double const>) {
    osi::say(*handler_, 8, 1 + reduction,
             concat("incumbent ", found.objective, ", bound ", found.bound, ", ", found.nodes,
                    " nodes"));
  };
  osi_cuda::Solution solution = osi::orCoinError("branchAndBound", [&] {
    try {
      return osi_cuda::solveIntegers(lp, options, callbacks, {}, s.basis).solution;
    } catch (osi_cuda::EngineUnavailable const& missing) {
      throw std::runtime_error(std::string(missing.what()) +
                               "; or give this interface to a CbcModel");
    }
  });
  bool const found = !solution.columnValues.empty() && solution.status != Status::infeasible &&
                     solution.status != Status::unbounded;
  std::string message = solution.message;
  s.upToDateSolver(doubleParam(OsiObjOffset));  // whose matrix shows what is rounding
  s.primalLimitReached = false;
  s.take(std::move(solution));
  s.tableauReady = false;
  if (found && !isPoint(lp, s.columnValue, options.primalTolerance)) {
    s.status = Status::numerical;
    s.enclosure = {};
    message = "the best point takes more than double precision";
  }
  if (s.status == Status::numerical) osi::say(*handler_, 5, reduction, message, 'W');
}

bool OsiCudaSolverInterface::prepareIntegers() {
  State& s = *state_;
  LinearProgram lp = s.model(0.0);
  lp.integer = s.integer;
  osi_cuda::PreparedIntegers const made = osi_cuda::prepareIntegers(lp);
  for (int j = 0; j < getNumCols(); ++j)
    if (isInteger(j))
      setColBounds(j, made.problem.columnLower[at(j)], made.problem.columnUpper[at(j)]);
  std::vector<int> free;
  std::size_t next = 0;
  for (int i = 0; i < getNumRows(); ++i) {
    if (next == made.rows.size() || made.rows[next] != i) {
      free.push_back(i);
      continue;
    }
    setRowBounds(i, made.problem.rowLower[next], made.problem.rowUpper[next]);
    ++next;
  }
  deleteRows(static_cast<int>(free.size()), free.data());
  if (!made.conflict.empty()) osi::say(*handler_, 9, 1 + printReduction(), made.conflict);
  return made.conflict.empty();
}
