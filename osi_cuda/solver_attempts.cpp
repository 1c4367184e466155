// SPDX-License-Identifier: EPL-2.0
// What a solve tries where no status can be proved, and the limits that all of it shares.
#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "osi_cuda/simplex/judge.hpp"
#include "osi_cuda/solver_exact.hpp"
#include "osi_cuda/solver_parts.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda {
namespace {

constexpr int mostAttempts = 4;

/// Up to so many entries of the tableau the host is a place for a last attempt; beyond, a solve
/// there can take a thousand times as long as the device needed (docs/performance.md).
constexpr double hostCells = 4e6;

/// The settings of an attempt, counted from 0, which is what was asked for; `factored`: what the
/// host kept of the basis before.
Options settingsOf(int attempt, Options const& asked, LinearProgram const& lp, bool factored) {
  Options settings = asked;
  if (attempt >= 1 && settings.algorithm == AlgorithmChoice::barrier)
    settings.algorithm = AlgorithmChoice::automatic;  // it has had its turn
  if (attempt >= 2) settings.perturbation = Toggle::on;
  if (attempt == 2) settings.scaling = !asked.scaling;
  if (attempt == 3) {
    settings.algorithm = AlgorithmChoice::primal;
    settings.pricing = Pricing::steepest;
    if (asked.representation == Representation::automatic)
      settings.representation = factored ? Representation::tableau : Representation::factors;
    double const cells = static_cast<double>(lp.rows()) * lp.columns();
    if (asked.engine == EngineChoice::automatic && cells <= hostCells)
      settings.engine = EngineChoice::host;
  }
  return settings;
}

/// The one that a solve did not begin with.
AlgorithmChoice otherThan(std::string const& algorithm) {
  return algorithm == "primal" ? AlgorithmChoice::dual : AlgorithmChoice::primal;
}

char const* describe(int attempt, bool otherAlgorithm) {
  switch (attempt) {
    case 1:
      if (otherAlgorithm) return "no status could be proved; solving again by the other algorithm";
      return "no status could be proved; solving again from the slack basis";
    case 2:
      return "no status could be proved; solving again with other scaling and with perturbation";
    default:
      return "no status could be proved; solving again by the primal simplex with steepest edge";
  }
}

/// What the attempts of one solve take together: each gets what the ones before left of the
/// limits, and reports its progress as a part of the whole.
class Spending {
 public:
  Spending(Options const& limits, Callbacks const& callbacks)
      : limits_(limits), callbacks_(callbacks), forAttempts_(callbacks) {
    forAttempts_.progress = [this](Progress const& progress) { report(progress); };
  }
  Spending(Spending const&) = delete;  // the callbacks refer to it
  Spending& operator=(Spending const&) = delete;

  Callbacks const& callbacks() const { return forAttempts_; }

  /// The engine has the problem, and pivots begin. An attempt that was not ended was cut off by the
  /// loss of its device: its pivots were made all the same.
  void beginAttempt() {
    count(present_.iterations, present_.phase1);
    double const now = secondsSinceCall();
    if (!firstBegin_) firstBegin_ = now;
    attemptBegin_ = now - *firstBegin_;
  }

  /// What is left of the limits.
  Options limited(Options settings) const {
    settings.timeLimit = std::max(0.0, limits_.timeLimit - secondsSinceCall());
    settings.iterationLimit =
        std::max<std::int64_t>(0, limits_.iterationLimit - before_.iterations);
    return settings;
  }

  /// The limit that leaves nothing for a further attempt.
  std::optional<Status> limitReached() const {
    if (callbacks_.interrupted && callbacks_.interrupted()) return Status::interrupted;
    if (secondsSinceCall() > limits_.timeLimit) return Status::timeLimit;
    if (before_.iterations >= limits_.iterationLimit) return Status::iterationLimit;
    return std::nullopt;
  }

  void endAttempt(Solution const& solution) {
    count(solution.iterations, solution.phase1Iterations);
  }

  /// Makes a solution tell of all attempts, the last of which has just ended.
  void total(Solution& solution) const {
    solution.iterations = before_.iterations;
    solution.phase1Iterations = before_.phase1;
    solution.seconds = secondsSinceCall() - firstBegin_.value_or(0.0);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Pivots {
    std::int64_t iterations = 0, phase1 = 0;
  };

  double secondsSinceCall() const {
    return std::chrono::duration<double>(Clock::now() - call_).count();
  }

  void count(std::int64_t iterations, std::int64_t phase1) {
    before_.iterations += iterations;
    before_.phase1 += phase1;
    present_ = {};
  }

  void report(Progress progress) {
    bool const pivots = progress.stage != Stage::barrier;  // whose are no pivots
    if (isFirst(progress.stage)) present_.phase1 += progress.iterations - present_.iterations;
    if (pivots) present_.iterations = progress.iterations;
    if (!callbacks_.progress) return;
    progress.iterations += before_.iterations;
    progress.seconds += attemptBegin_;
    callbacks_.progress(progress);
  }

  Options const& limits_;
  Callbacks const& callbacks_;
  Callbacks forAttempts_;
  Clock::time_point const call_ = Clock::now();
  std::optional<double> firstBegin_;  ///< since the call
  double attemptBegin_ = 0.0;         ///< since firstBegin_
  Pivots before_;                     ///< of the attempts that are over
  Pivots present_;
};

/// Of a point in two parts the control wants more than the tolerances, so that another attempt can
/// find one of doubles. Where none did, the tolerances are what was asked for.
void claimWithinTolerances(LinearProgram const& lp, Options const& options, Solution& solution) {
  Judge const judge(lp, options);
  if (solution.status != Status::numerical || !judge.claimOptimal(solution)) return;
  solution.message.clear();
  if (solution.columnValuesLow.empty() && solution.rowDualsLow.empty()) return;
  Solution rounded = solution;
  rounded.columnValuesLow.clear();
  rounded.rowDualsLow.clear();
  judge.assess(rounded);
  solution.message =
      "the point is the sum of two parts: the first alone, rounded to doubles, has residuals of " +
      Judge::text(rounded.residuals.largest());
}

/// Whether a limit ended the solve, so that its point is one of several without a proof.
bool stoppedByLimit(Status status) {
  return status == Status::timeLimit || status == Status::iterationLimit ||
         status == Status::interrupted;
}

/// Whether the problem has no optimum by so little that another way may lead to a point that is one
/// within the tolerances. From the slack basis without a pivot there is no other way; from another
/// one, as presolve gives it, there is.
bool restsOnRounding(Solution const& solution, Basis const& start) {
  bool const without =
      solution.status == Status::infeasible || solution.status == Status::unbounded;
  bool const otherWays = solution.iterations > 0 || !isSlackBasis(start);
  return without && otherWays && solution.margin < Judge::target;
}

}  // namespace

// The proof in rational arithmetic may have found another basis, which the engine has to hold as
// after every optimum. It stays the engine that it is, whatever attempt made it.
void Solver::State::takeBasis(Solution const& solution, Callbacks const& callbacks) {
  if (solution.basis == basis) return;
  basis = solution.basis;
  placed = false;
  if (solution.status == Status::optimal) place(Options(engineOptions), callbacks);
}

// No status proved is the worst answer: branch and bound drops the node. So before it is given, the
// problem is loaded anew and solved from slacks (by the other algorithm, if slacks were the start),
// then with other settings.
Solution Solver::State::solveDirectly(Options const& options, Callbacks const& callbacks) {
  Basis const start = basis;
  // A fresh engine that began at slacks would make the same pivots again.
  bool const secondWouldRepeat = !engineFits(options) && isSlackBasis(basis);
  Spending spending(options, callbacks);
  std::optional<Solution> best;   // of those without a proof
  std::optional<Solution> faint;  // a proof that hardly more than rounding carries
  std::optional<Status> limit;
  auto const proved = [&](Solution solution) {
    basis = solution.basis;
    spending.total(solution);
    solution.deviceLost = deviceLost;
    proveExactly(lp, options, callbacks, solution);
    takeBasis(solution, callbacks);
    return solution;
  };
  try {
    for (int number = 0; number < mostAttempts && !limit; ++number) {
      Options settings = settingsOf(number, options, lp, factored);
      if (number > 0) {
        if ((limit = spending.limitReached())) break;
        if (callbacks.notice)
          callbacks.notice(faint ? "that rests on less than rounding; looking for a point that is "
                                   "optimal within the tolerances"
                                 : describe(number, secondWouldRepeat));
        if (number == 1 && secondWouldRepeat)
          settings.algorithm = otherThan(faint ? faint->algorithm : best->algorithm);
        basis = {};
        if (number == 1 && !faint) forgetEngine();
      }
      Solution solution = withEngine(settings, callbacks, [&] {
        spending.beginAttempt();
        return attempt(spending.limited(settings), spending.callbacks());
      });
      spending.endAttempt(solution);
      if (number == 0 && restsOnRounding(solution, start)) {
        faint = std::move(solution);
        continue;
      }
      if (faint) return proved(std::move(solution.status == Status::optimal ? solution : *faint));
      if (stoppedByLimit(solution.status))
        limit = solution.status;
      else if (solution.status != Status::numerical)
        return proved(std::move(solution));
      if (!best || solution.residuals.largest() < best->residuals.largest())
        best = std::move(solution);
    }
    if (faint) return proved(std::move(*faint));
  } catch (std::bad_alloc const&) {
    basis = start;
    if (!faint) throw;
    if (callbacks.notice) callbacks.notice("not enough memory to look further; the proof stands");
    return proved(std::move(*faint));
  } catch (...) {
    basis = start;
    throw;
  }
  if (limit) {
    best->status = *limit;
    best->message.clear();
  }
  if (!limit) claimWithinTolerances(lp, options, *best);
  return proved(std::move(*best));
}

}  // namespace osi_cuda
