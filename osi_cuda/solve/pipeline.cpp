// SPDX-License-Identifier: EPL-2.0
// What a solve tries where no status can be proved.
#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/enclosure.hpp"
#include "osi_cuda/solve/exact_stage.hpp"
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {
namespace {

constexpr int mostAttempts = 4;

/// The settings of an attempt, counted from 0, which is what was asked for; `before`: the engine of
/// the attempt before.
Options settingsOf(int attempt, Options const& asked, Plan const& plan, EngineKind before) {
  Options settings = asked;
  if (attempt >= 1 && forStarts(settings.algorithm))
    settings.algorithm = AlgorithmChoice::automatic;  // it has had its turn
  if (attempt >= 2) settings.perturbation = Toggle::on;
  if (attempt == 2) settings.scaling = !asked.scaling;
  if (attempt == 3) {
    settings.algorithm = AlgorithmChoice::primal;
    settings.pricing = Pricing::steepest;
    if (asked.representation == Representation::automatic)
      settings.representation =
          before == EngineKind::factors ? Representation::tableau : Representation::factors;
    if (plan.lastOnHost) settings.engine = EngineChoice::host;
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

/// What the attempts of one solve come to together: each reports its progress as a part of the
/// whole.
class Attempts {
 public:
  explicit Attempts(Callbacks const& callbacks) : callbacks_(callbacks), forAttempts_(callbacks) {
    forAttempts_.progress = [this](Progress const& progress) { report(progress); };
  }
  Attempts(Attempts const&) = delete;  // the callbacks refer to it
  Attempts& operator=(Attempts const&) = delete;

  Callbacks const& callbacks() const { return forAttempts_; }

  /// The engine has the problem, and pivots begin. An attempt that was not ended was cut off by the
  /// loss of its device: its pivots were made all the same.
  void beginAttempt() {
    count(present_.iterations, present_.phase1);
    double const now = sinceCall_.seconds();
    if (!firstBegin_) firstBegin_ = now;
    attemptBegin_ = now - *firstBegin_;
  }

  void endAttempt(Solution const& solution) {
    count(solution.iterations, solution.phase1Iterations);
  }

  /// Makes a solution tell of all attempts, the last of which has just ended.
  void total(Solution& solution) const {
    solution.iterations = before_.iterations;
    solution.phase1Iterations = before_.phase1;
    solution.seconds = sinceCall_.seconds() - firstBegin_.value_or(0.0);
  }

 private:
  struct Pivots {
    std::int64_t iterations = 0, phase1 = 0;
  };

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

  Callbacks const& callbacks_;
  Callbacks forAttempts_;
  Stopwatch const sinceCall_;
  std::optional<double> firstBegin_;  ///< since the call
  double attemptBegin_ = 0.0;         ///< since firstBegin_
  Pivots before_;                     ///< of the attempts that are over
  Pivots present_;
};

/// Of a point in two parts the control wants more than the tolerances, so that another attempt can
/// find one of doubles. Where none did, the tolerances are what was asked for.
void claimWithinTolerances(LinearProgram const& lp, Options const& options, Solution& solution) {
  Verifier const verifier(lp, options);
  if (solution.status == Status::numerical && verifier.claimOptimal(solution))
    solution.message = verifier.rounded(solution).message;
}

/// Whether a limit ended the solve, so that its point is one of several without a proof.
bool stoppedByLimit(Status status) {
  return status == Status::timeLimit || status == Status::iterationLimit ||
         status == Status::interrupted;
}

/// Whether the problem has no optimum by so little that another way may lead to a point that is one
/// within the tolerances. From the slack basis without a pivot there is no other way; from another
/// one, as presolve or the barrier gives it, there is.
bool restsOnRounding(Solution const& solution, Basis const& start) {
  bool const without =
      solution.status == Status::infeasible || solution.status == Status::unbounded;
  bool const otherWays =
      solution.iterations > 0 || solution.algorithm == "barrier" || !isSlackBasis(start);
  return without && otherWays && solution.margin < Verifier::target;
}

/// From so many entries on that an engine has to be given, nothing is begun after the end of the
/// budget; each takes some 20 ns, of a tableau one.
constexpr double largeLoad = 1e6, largeTableau = 2e7;

bool takesAMoment(LinearProgram const& lp, Plan const& plan) {
  double const cells = static_cast<double>(lp.rows()) * lp.columns();
  return static_cast<double>(lp.matrix.nonzeros()) >= largeLoad ||
         (!plan.factors && cells >= largeTableau);
}

/// The point of the bounds that are nearest to zero, with `basis` or that of the slacks.
Solution pointOfBounds(LinearProgram const& lp, Basis const& basis) {
  Solution solution;
  solution.basis.rows.assign(lp.rowLower.size(), VariableStatus::basic);
  for (std::size_t j = 0; j < lp.columnLower.size(); ++j) {
    double const lower = lp.columnLower[j], upper = lp.columnUpper[j];
    double const x = std::max(lower, std::min(0.0, upper));
    solution.columnValues.push_back(std::isfinite(x) ? x : 0.0);
    solution.basis.columns.push_back(std::isinf(lower) && std::isinf(upper) ? VariableStatus::free
                                     : x == lower        ? VariableStatus::atLower
                                     : x == upper        ? VariableStatus::atUpper
                                     : std::isinf(lower) ? VariableStatus::atUpper
                                                         : VariableStatus::atLower);
  }
  if (!basis.empty()) solution.basis = basis;
  solution.rowDuals.assign(lp.rowLower.size(), 0.0);
  solution.objective = objectiveOf(lp, solution.columnValues);
  return solution;
}

/// The proof in rational arithmetic may have found another basis, which the engine has to hold as
/// after every optimum. It stays the engine that it is, whatever attempt made it.
void takeBasis(Session& s, Solution const& solution, Call const& call) {
  if (solution.basis != s.basis) {
    s.basis = solution.basis;
    s.placed = false;
  }
  if (solution.status == Status::optimal && !s.placed)
    place(s, {Options(s.engineOptions), call.callbacks, call.budget});
}

}  // namespace

void close(Session& s, Budget const& budget, Solution& solution) {
  if (solution.status != Status::optimal && solution.status != Status::interior) return;
  // A device that is lost here would be lost after its answer.
  bool const solves = s.placed && s.engine && !s.onDevice() && s.basis == solution.basis;
  closeEnclosure(s.lp, *s.form, solves ? s.engine.get() : nullptr, budget, solution);
}

// No status proved is the worst answer: branch and bound drops the node. So before it is given, the
// problem is loaded anew and solved from slacks (by the other algorithm, if slacks were the start),
// then with other settings.
Solution solveDirectly(Session& s, Call const& call) {
  auto const& [options, callbacks, budget] = call;
  LinearProgram const& lp = s.lp;
  Basis const start = s.basis;
  // A fresh engine that began at slacks would make the same pivots again.
  bool const secondWouldRepeat = !s.engineFits(options) && isSlackBasis(s.basis);
  Attempts attempts(callbacks);
  std::optional<Solution> best;   // of those without a proof
  std::optional<Solution> faint;  // a proof that hardly more than rounding carries
  std::optional<Status> limit;
  std::optional<Solution> answer;  // with a proof
  auto const proved = [&](Solution solution) {
    s.basis = solution.basis;
    attempts.total(solution);
    solution.deviceLost = s.deviceLost;
    if (s.cold && enclosingIsQuick(lp, solution)) close(s, budget, solution);
    double const unrounded = options.oneOfMany ? 0.0 : s.unrounded;  // the tolerances are enough
    proveExactly(lp, options, callbacks, budget, {s.cold, unrounded}, solution);
    takeBasis(s, solution, call);
    return solution;
  };
  // To scale a large problem and to load it takes a moment.
  if (!s.loaded && takesAMoment(lp, s.plan(options))) {
    if (Limit const ended = budget.interruption(); ended != Limit::none) {
      Solution solution = pointOfBounds(lp, s.basis);
      Verifier(lp, options).stopAt(statusOf(ended), solution);
      solution.deviceLost = s.deviceLost;
      return solution;
    }
  }
  try {
    for (int number = 0; number < mostAttempts && !limit; ++number) {
      Options settings = settingsOf(number, options, s.plan(options), s.kind);
      if (number > 0) {
        if (Limit const reached = budget.reached(); reached != Limit::none) {
          limit = statusOf(reached);
          break;
        }
        if (callbacks.notice)
          callbacks.notice(faint ? "that rests on less than rounding; looking for a point that is "
                                   "optimal within the tolerances"
                                 : describe(number, secondWouldRepeat));
        if (number == 1 && secondWouldRepeat)
          settings.algorithm = otherThan(faint ? faint->algorithm : best->algorithm);
        s.basis = {};
        if (number == 1) s.forgetEngine();
      }
      Solution solution = s.withEngine({settings, callbacks, call.budget}, [&] {
        attempts.beginAttempt();
        return attempt(s, {settings, attempts.callbacks(), call.budget});
      });
      attempts.endAttempt(solution);
      if (number == 0 && restsOnRounding(solution, start)) {
        faint = std::move(solution);
        continue;
      }
      if (faint) {
        answer = std::move(solution.status == Status::optimal ? solution : *faint);
        break;
      }
      if (stoppedByLimit(solution.status))
        limit = solution.status;
      else if (solution.status != Status::numerical) {
        answer = std::move(solution);
        break;
      }
      if (!best || solution.residuals.largest() < best->residuals.largest())
        best = std::move(solution);
    }
    if (faint && !answer) answer = std::move(*faint);
  } catch (std::bad_alloc const&) {
    s.basis = start;
    s.placed = false;
    if (!faint) throw;
    if (callbacks.notice) callbacks.notice("not enough memory to look further; the proof stands");
    answer = std::move(*faint);
  } catch (...) {
    s.basis = start;
    s.placed = false;
    throw;
  }
  if (answer) return proved(std::move(*answer));
  if (limit) {
    best->status = *limit;
    best->message.clear();
  }
  if (!limit) claimWithinTolerances(lp, options, *best);
  return proved(std::move(*best));
}

}  // namespace osi_cuda
