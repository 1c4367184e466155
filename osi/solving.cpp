// SPDX-License-Identifier: EPL-2.0
// From Osi's parameters to a solve and back.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "osi/state.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::AlgorithmChoice;
using osi_cuda::at;
using osi_cuda::concat;
using osi_cuda::Solution;
using osi_cuda::Status;

namespace {

std::string outcome(Solution const& solution) {
  std::string const seconds = std::to_string(solution.seconds);
  return concat(osi_cuda::toString(solution.status), ", objective ", solution.objective, ", ",
                solution.iterations, " iterations, ", seconds, " seconds, engine ",
                osi_cuda::toString(solution.engine),
                ", proof: ", osi_cuda::toString(solution.proof));
}

/// A limit in the user's sense as the solver takes it: infinite where it was never meant as one.
double limitOf(double limit) {
  return std::fabs(limit) > 1e30 ? std::numeric_limits<double>::infinity() : limit;
}

}  // namespace

/// What the setters take without asking, as they are called too often for that.
bool OsiCudaSolverInterface::State::checkNumbers() const {
  bool possible = true;
  auto const check = [](bool good, char const* what) {
    if (!good) osi::refuse("solve", what);
  };
  auto const checkBounds = [&](double lower, double upper) {
    check(!std::isnan(lower) && !std::isnan(upper), "a bound is not a number");
    possible = possible && lower < COIN_DBL_MAX && upper > -COIN_DBL_MAX;
  };
  auto const checkRow = [&](int i) { checkBounds(rowLower[at(i)], rowUpper[at(i)]); };
  for (std::size_t j = 0; costsChanged && j < objective.size(); ++j)
    check(std::isfinite(objective[j]), "a cost is not a number");
  changedColumns.each(columns(),
                      [&](int j) { checkBounds(columnLower[at(j)], columnUpper[at(j)]); });
  changedRows.each(rows(), checkRow);
  for (int i = rows() - rowEdits.fresh.columns; i < rows(); ++i) checkRow(i);
  return possible;
}

double OsiCudaSolverInterface::State::take(Solution&& solution) {
  settled.reset();
  bool const inTwoParts = !solution.columnValuesLow.empty() || !solution.rowDualsLow.empty();
  // Copied, not moved: who holds a pointer to the present solution goes on with the next.
  auto const put = [](std::vector<double>& to, std::vector<double> const& from) {
    if (from.size() == to.size()) std::ranges::copy(from, to.begin());
  };
  put(columnValue, solution.columnValues);
  put(rowDual, solution.rowDuals);
  put(reducedCost, solution.reducedCosts);
  put(rowActivity, solution.rowActivity);
  if (solution.basis.columns.size() == basis.columns.size() &&
      solution.basis.rows.size() == basis.rows.size())
    basis = std::move(solution.basis);
  double const moved = removeRounding();
  status = solution.status;
  enclosure = solution.objectiveEnclosure;
  farkas = std::move(solution.farkas);
  ray = std::move(solution.ray);
  iterations = static_cast<int>(
      std::min<std::int64_t>(solution.iterations, std::numeric_limits<int>::max()));
  seconds = solution.seconds;
  engine = solution.engine;
  deviceLost = deviceLost || solution.deviceLost;
  return inTwoParts ? std::numeric_limits<double>::infinity() : moved;
}

// The options may differ in what only ends a solve early, or is the way to its start: this one is
// over.
bool OsiCudaSolverInterface::State::isSettled(osi_cuda::Options const& present) const {
  if (!settled || (status && status != Status::optimal)) return false;
  osi_cuda::Options wanted = present;
  wanted.iterationLimit = settled->options.iterationLimit;
  wanted.timeLimit = settled->options.timeLimit;
  wanted.presolve = settled->options.presolve;
  wanted.oneOfMany = settled->options.oneOfMany;
  return wanted == settled->options && basis == settled->basis;
}

// A hint that is not ignored decides the algorithm; otherwise the solver does, by what is feasible.
osi_cuda::Options OsiCudaSolverInterface::optionsOfSolve(bool initial, int iterationLimit) const {
  osi_cuda::Options options = state_->options;
  if (state_->deviceLost) options.engine = osi_cuda::EngineChoice::host;
  options.crossover = true;  // Osi's solutions are vertices
  // Who solves on threads of his own, as Cbc does, has no cores to spare.
  options.oneOfMany = !initial;
  if (!initial && forStarts(options.algorithm))
    options.algorithm = AlgorithmChoice::automatic;  // a re-solve goes on from its basis
  options.iterationLimit = std::min<std::int64_t>(options.iterationLimit, iterationLimit);
  options.primalTolerance = doubleParam(OsiPrimalTolerance);
  options.dualTolerance = doubleParam(OsiDualTolerance);
  options.objectiveLimit = limitOf(doubleParam(OsiDualObjectiveLimit));
  bool yes = false;
  OsiHintStrength strength = OsiHintIgnore;
  getHintParam(initial ? OsiDoDualInInitial : OsiDoDualInResolve, yes, strength);
  if (strength != OsiHintIgnore)
    options.algorithm = yes ? AlgorithmChoice::dual : AlgorithmChoice::primal;
  getHintParam(initial ? OsiDoPresolveInInitial : OsiDoPresolveInResolve, yes, strength);
  if (strength != OsiHintIgnore)
    options.presolve = yes ? osi_cuda::Toggle::on : osi_cuda::Toggle::off;
  else if (!initial && options.presolve == osi_cuda::Toggle::on)
    options.presolve = osi_cuda::Toggle::automatic;  // a re-solve goes on from its basis
  getHintParam(OsiDoScale, yes, strength);
  if (strength != OsiHintIgnore) options.scaling = yes;
  return options;
}

void OsiCudaSolverInterface::initialSolve() {
  int limit = 0;
  getIntParam(OsiMaxNumIteration, limit);
  solve(true, limit);
}

void OsiCudaSolverInterface::resolve() {
  int limit = 0;
  getIntParam(OsiMaxNumIteration, limit);
  solve(false, limit);
}

/// What the hint to print less takes off the log level while solving.
int OsiCudaSolverInterface::printReduction() const {
  bool quieter = false;
  OsiHintStrength strength = OsiHintIgnore;
  getHintParam(OsiDoReducePrint, quieter, strength);
  return quieter && strength != OsiHintIgnore ? 1 : 0;
}

void OsiCudaSolverInterface::solve(bool initial, int iterationLimit) {
  auto& s = *state_;
  int const reduction = printReduction();
  auto const tell = [&](int number, int detail, std::string const& sentence, char severity = 'I') {
    osi::say(*handler_, number, detail + reduction, sentence, severity);
  };
  if (!initial && s.isSettled(optionsOfSolve(false, iterationLimit))) {
    s.status = Status::optimal;
    s.iterations = 0;
    s.seconds = 0.0;
    return tell(1, 1, "optimal as it was, 0 iterations");
  }
  s.status.reset();
  s.forgetProofs();
  s.iterations = 0;
  s.primalLimitReached = false;
  s.tableauReady = false;
  if (!s.checkNumbers()) {
    s.farkas.assign(at(s.rows()), 0.0);
    s.status = Status::infeasible;
    return;
  }
  double const offset = doubleParam(OsiObjOffset);
  double const primalLimit = doubleParam(OsiPrimalObjectiveLimit);
  bool const limited = std::fabs(primalLimit) <= 1e30;
  osi_cuda::Options options = optionsOfSolve(initial, iterationLimit);
  osi_cuda::Callbacks callbacks;
  callbacks.notice = [&](std::string const& sentence) { tell(2, 2, sentence); };
  callbacks.plan = [&](osi_cuda::PlanChoice const& choice) { tell(2, 2, sentenceOf(choice)); };
  bool const speaks = handler_->logLevel() >= 2 + reduction;
  auto const watch = [&](osi_cuda::Progress const& progress) {
    bool const improving = progress.stage == osi_cuda::Stage::primal2;
    if (improving && limited && s.sense * progress.objective < s.sense * primalLimit)
      s.primalLimitReached = true;
    if (speaks)
      tell(3, 2,
           concat(osi_cuda::toString(progress.stage), ", ", progress.iterations,
                  " iterations, objective ", progress.objective, ", infeasibility ",
                  progress.infeasibility));
  };
  if (limited || speaks) callbacks.progress = watch;  // who watches has the point measured
  callbacks.interrupted = [&] {
    return s.primalLimitReached || (s.interrupted && s.interrupted());
  };
  takeAnswer(runSolver(options, callbacks, offset), options);
  s.tableauReady = s.solver && s.status == Status::optimal;
}

void OsiCudaSolverInterface::takeAnswer(Solution&& solution, osi_cuda::Options const& options) {
  auto& s = *state_;
  int const reduction = printReduction();
  if (handler_->logLevel() >= 1 + reduction)
    osi::say(*handler_, 1, 1 + reduction, outcome(solution));
  if (solution.deviceLost && !s.deviceLost)
    osi::say(*handler_, 4, reduction, "the CUDA device was lost; continuing with engine host", 'W');
  if (solution.status == Status::numerical)
    osi::say(*handler_, 5, reduction, solution.message, 'W');
  double const residual = solution.residuals.primal;
  auto const isNumber = [](double low) { return low != 0.0; };
  bool const inTwoParts = std::ranges::any_of(solution.farkasLow, isNumber) ||
                          std::ranges::any_of(solution.rayLow, isNumber);
  double const moved = s.take(std::move(solution));
  if (inTwoParts) {  // callers get a certificate only where its doubles alone are one
    constexpr double anyPoint = osi_cuda::infinity;
    osi_cuda::LinearProgram const& lp = s.upToDateSolver(doubleParam(OsiObjOffset)).problem();
    if (!verifyFarkas(lp, s.farkas).proved) s.farkas.clear();
    if (!verifyRay(lp, s.columnValue, s.ray, anyPoint).proved) s.ray.clear();
  }
  if (s.status == Status::optimal && !s.pointsInTwoParts &&
      residual + moved > options.primalTolerance)
    verifyDoubles(options);
  s.basics.clear();
  if (s.status == Status::optimal) s.settled = State::Settled{options, s.basis};
}

void OsiCudaSolverInterface::takePointsInTwoParts() {
  state_->pointsInTwoParts = true;
}

/// An optimum that was verified as the sum of two doubles for each number is one to Osi's callers
/// only where the doubles that they get are within the tolerances.
void OsiCudaSolverInterface::verifyDoubles(osi_cuda::Options const& options) {
  auto& s = *state_;
  Solution handedOut;
  handedOut.columnValues = s.columnValue;
  handedOut.rowDuals = s.rowDual;
  osi_cuda::Residuals const residuals =
      osi_cuda::residualsOf(s.upToDateSolver(doubleParam(OsiObjOffset)).problem(), handedOut);
  bool const within =
      residuals.primal <= options.primalTolerance && residuals.dual <= options.dualTolerance &&
      residuals.complementarity <= std::max(options.primalTolerance, options.dualTolerance);
  if (within) return;
  s.status = Status::numerical;
  std::ostringstream sentence;
  sentence << "the optimum takes more than double precision: of the doubles themselves the "
              "residuals are "
           << residuals.primal << " (primal), " << residuals.dual << " (dual) and "
           << residuals.complementarity << " (complementarity)";
  osi::say(*handler_, 6, printReduction(), sentence.str(), 'W');
}

osi_cuda::Solution OsiCudaSolverInterface::runSolver(osi_cuda::Options const& options,
                                                     osi_cuda::Callbacks const& callbacks,
                                                     double offset) {
  auto& s = *state_;
  try {
    return osi::orCoinError("solve", [&] {
      try {
        osi_cuda::Solver& solver = s.upToDateSolver(offset);
        if (s.rowsBack > 0)
          osi::say(*handler_, 7, 2 + printReduction(),
                   concat(s.rowsBack, " rows came back and keep their part of the basis"));
        return solver.solve(options, callbacks);
      } catch (osi_cuda::EngineUnavailable const& e) {
        if (s.engine != osi_cuda::SolveEngine::cuda) throw;
        // A device has served this interface, or the one that it is a copy of.
        osi::say(*handler_, 4, printReduction(),
                 std::string(e.what()) + "; continuing with engine host", 'W');
        s.deviceLost = true;
        osi_cuda::Options host = options;
        host.engine = osi_cuda::EngineChoice::host;
        return s.upToDateSolver(offset).solve(host, callbacks);
      }
    });
  } catch (CoinError const&) {
    s.forgetSolver();
    throw;
  }
}
