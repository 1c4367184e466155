// SPDX-License-Identifier: EPL-2.0
// branchAndBound(): solveIntegers() on the interface's problem, from a module with Cbc that is
// opened when it is needed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "OsiBranchingObject.hpp"
#include "osi/hot_start.hpp"
#include "osi/state.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/integers/preparation.hpp"
#include "osi_cuda/model/choice_points.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;
using osi_cuda::BatchResults;
using osi_cuda::BatchStatus;
using osi_cuda::concat;
using osi_cuda::IntegerSolution;
using osi_cuda::LinearProgram;
using osi_cuda::Status;
using osi_cuda::VariableStatus;
using osi_cuda::VariantChange;

namespace {

/// Whether the doubles that are handed out are a point to the tolerance that keeps to all choices.
bool isPoint(LinearProgram const& lp, std::vector<double> const& values, double tolerance) {
  if (!keepsTo(lp, values)) return false;
  osi_cuda::Solution point;
  point.columnValues = values;
  point.rowDuals.assign(lp.rowLower.size(), 0.0);
  return osi_cuda::residualsOf(lp, point).primal <= tolerance;
}

/// Nearer to a whole number than this, a value is one.
constexpr double whole = 1e-9;

/// A basis in Osi's terms, in which a slack is where its row's activity is not.
std::shared_ptr<CoinWarmStartBasis> coinBasis(osi_cuda::Basis const& own) {
  auto basis = std::make_shared<CoinWarmStartBasis>();
  basis->setSize(static_cast<int>(own.columns.size()), static_cast<int>(own.rows.size()));
  for (std::size_t j = 0; j < own.columns.size(); ++j)
    basis->setStructStatus(static_cast<int>(j), osi::toCoin(own.columns[j]));
  for (std::size_t i = 0; i < own.rows.size(); ++i)
    basis->setArtifStatus(static_cast<int>(i), osi::toCoin(osi::otherBound(own.rows[i])));
  return basis;
}

/// The bound that multipliers `y` prove, at least `objective`, for the problem with one change: a
/// limit may have stopped the primal simplex, or the dual with costs of its own, and the objective
/// of such a point is no bound.
double boundOf(osi_cuda::LinearProgram& lp, VariantChange const& change,
               std::vector<double> const& y, double objective, double tolerance) {
  bool const isUpper = change.what == VariantChange::What::columnUpper;
  double& number = (isUpper ? lp.columnUpper : lp.columnLower)[at(change.index)];
  double const before = std::exchange(number, change.value);
  osi_cuda::BoundProof const proof = osi_cuda::verifyBound(lp, y, objective, tolerance);
  number = before;
  return proof.proved ? proof.bound : objective;
}

OsiCudaSolverInterface::BranchSide sideOf(BatchResults const& results, std::size_t k, double sense,
                                          double objective) {
  using End = OsiCudaSolverInterface::BranchEnd;
  OsiCudaSolverInterface::BranchSide side;
  side.iterations = results.iterations[k];
  BatchStatus const status = results.status[k];
  if (status == BatchStatus::infeasible) {
    side.end = End::infeasible;
    side.degradation = COIN_DBL_MAX;
  } else if (status == BatchStatus::optimal || status == BatchStatus::iterationLimit) {
    side.end = status == BatchStatus::optimal ? End::optimal : End::stopped;
    side.degradation = std::max(0.0, sense * (results.objective[k] - objective));
    side.basis = coinBasis(results.basisOf(k));
  }
  return side;
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

// Strong branching: all branches of the candidates as variants of the present problem, side by
// side.

std::vector<OsiCudaSolverInterface::Branch> OsiCudaSolverInterface::strongBranch(
    std::vector<int> const& columns, int pivotLimit) const {
  auto& s = *state_;
  if (s.status != osi_cuda::Status::optimal)
    osi::refuse("strongBranch", "there is no optimal solution to branch from");
  std::vector<Branch> branches;
  osi_cuda::PackedVariants variants;
  for (int const j : columns) {
    osi::checkIndex(j, s.columns(), "strongBranch");
    double const value = s.columnValue[at(j)];
    bool const isWhole = std::fabs(value - std::round(value)) <= whole;
    double const down = isWhole ? std::round(value) - 1.0 : std::floor(value);
    double const up = isWhole ? std::round(value) + 1.0 : std::ceil(value);
    branches.push_back({j, value, {}, {}});
    using What = VariantChange::What;
    variants.add(std::vector<VariantChange>{{What::columnUpper, j, down}});
    variants.add(std::vector<VariantChange>{{What::columnLower, j, up}});
  }
  if (branches.empty()) return branches;
  osi_cuda::VariantOptions options(optionsOfSolve(false, pivotLimit));
  options.iterationLimit = pivotLimit > 0 ? pivotLimit : std::numeric_limits<std::int64_t>::max();
  BatchResults results;
  double const offset = doubleParam(OsiObjOffset);
  std::optional<osi_cuda::LinearProgram> lp;
  auto const model = [&]() -> osi_cuda::LinearProgram& {
    if (!lp) lp = s.model(offset);
    return *lp;
  };
  osi::orCoinError("strongBranch", [&] {
    bool const taken = s.hotStart && s.hotStart->onDevice;  // by the branches of the mark
    if (!taken && s.tableauFits() && s.variantsBegin(offset)) {
      s.variants->solve(variants.view(), options, results);
    } else {
      results = osi_cuda::solveVariants(model(), s.basis, variants.view(), options);
    }
  });
  double const objective = getObjValue();
  for (std::size_t v = 0; v < results.status.size(); ++v) {
    BranchSide& side = v % 2 == 0 ? branches[v / 2].down : branches[v / 2].up;
    side = sideOf(results, v, s.sense, objective);
    if (side.end != BranchEnd::stopped) continue;
    auto const y = results.yOf(v);
    double const bound = boundOf(model(), variants.view().changes[v], {y.begin(), y.end()},
                                 objective, options.dualTolerance);
    side.degradation = std::max(0.0, s.sense * (bound - objective));
  }
  return branches;
}
