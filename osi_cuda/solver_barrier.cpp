// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_barrier.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

#include "osi_cuda/engine/pivot_seconds.hpp"
#include "osi_cuda/errors.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/judge.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/solver_parts.hpp"
#include "osi_cuda/solver_state.hpp"

namespace osi_cuda {
namespace {

/// What a pivot after the interior point method takes, in seconds.
double pivotSeconds(StandardForm const& form, bool onDevice) {
  if (onDevice) return devicePivotSeconds(form);
  return std::min(tableauPivotSeconds(form), factoredPivotSeconds(form));
}

/// The interior point as a solution of the problem.
Solution solutionOf(LinearProgram const& lp, StandardForm const& form, BarrierPoint const& point) {
  auto const n = static_cast<std::size_t>(form.columns()),
             m = static_cast<std::size_t>(form.rows());
  Solution s;
  s.columnValues.resize(n);
  s.rowDuals.resize(m);
  s.reducedCosts = lp.objective;
  s.rowActivity.assign(m, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    s.rowDuals[i] = point.multiplier[i] * form.rowScale[i] / form.costScale;
  ColumnReader read(lp.matrix);
  for (std::size_t j = 0; j < n; ++j) {
    s.columnValues[j] = point.value[j] * form.columnScale[j];
    auto const indices = lp.matrix.columnIndices(static_cast<int>(j));
    auto const values = read(static_cast<int>(j));
    for (std::size_t e = 0; e < indices.size(); ++e) {
      auto const i = static_cast<std::size_t>(indices[e]);
      s.rowActivity[i] += values[e] * s.columnValues[j];
      s.reducedCosts[j] -= values[e] * s.rowDuals[i];
    }
  }
  s.objective = objectiveOf(lp, s.columnValues);
  return s;
}

TraceEvent traceOf(BarrierState const& state, double seconds) {
  TraceEvent event;
  event.kind = "barrier";
  event.seconds = seconds;
  event.fields = {{"iteration", static_cast<std::int64_t>(state.iteration)},
                  {"mu", state.mu},
                  {"primal_residual", state.primalResidual},
                  {"dual_residual", state.dualResidual},
                  {"gap", state.gap},
                  {"primal_objective", state.primalObjective},
                  {"dual_objective", state.dualObjective},
                  {"primal_step", state.primalStep},
                  {"dual_step", state.dualStep},
                  {"sigma", state.sigma},
                  {"solve_residual", state.solveResidual},
                  {"undecided", static_cast<std::int64_t>(state.undecided)}};
  return event;
}

/// One run and what it tells its caller.
class BarrierRun {
 public:
  BarrierRun(LinearProgram const& lp, StandardForm const& form, Options const& options,
             Callbacks const& callbacks, Budget& budget, double pivotSeconds)
      : lp_(lp),
        form_(form),
        options_(options),
        callbacks_(callbacks),
        budget_(budget),
        pivotSeconds_(pivotSeconds) {}

  BarrierOutcome run(Barrier& barrier) {
    BarrierRequest request;
    request.handover = options_.crossover;
    request.tolerance = options_.crossover ? 1e-8 : 1e-9;
    request.iterationLimit =
        static_cast<int>(std::min<std::int64_t>(budget_.iterationsLeft(), mostIterations));
    request.pivotSeconds = pivotSeconds_;
    request.stop = [this] { return budget_.interrupted(); };
    request.report = [this](BarrierState const& state) { tell(state); };
    BarrierPoint const point = barrier.run(request);
    BarrierOutcome outcome;
    outcome.iterations = point.state.iteration;
    budget_.spend(point.state.iteration);
    outcome.start = startOf(form_, point, options_.threads, request.stop);
    Limit const limit = budget_.reached();
    bool const limited = limit != Limit::none;
    if (limited || !options_.crossover) {
      Solution solution = solutionOf(lp_, form_, point);
      solution.basis = outcome.start.basis;
      Judge const judge(lp_, options_);
      if (limited) judge.stopAt(statusOf(limit), solution);
      if (limited || judge.claimInterior(solution)) {
        solution.engine = barrier.name();
        solution.device = barrier.device();
        outcome.last = std::move(solution);
      }
    }
    notice("interior point method: " + std::string(toString(point.end)) + " after " +
           std::to_string(point.state.iteration) + " iterations, gap " +
           Judge::text(point.state.gap) + ", " + std::to_string(outcome.start.between) +
           " nonbasic variables between their bounds");
    outcome.seconds = seconds();
    return outcome;
  }

 private:
  /// No problem was seen to take a quarter of it.
  static constexpr std::int64_t mostIterations = 400;

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  void notice(std::string const& sentence) const {
    if (callbacks_.notice) callbacks_.notice(sentence);
  }

  void tell(BarrierState const& state) const {
    if (callbacks_.trace) callbacks_.trace(traceOf(state, seconds()));
    if (!callbacks_.progress) return;
    Progress progress;
    progress.seconds = seconds();
    progress.iterations = state.iteration;
    progress.objective = state.primalObjective / form_.costScale + lp_.objectiveOffset;
    progress.infeasibility = std::max(state.primalResidual, state.dualResidual);
    progress.stage = Stage::barrier;
    progress.mu = state.mu;
    progress.gap = state.gap;
    progress.primalResidual = state.primalResidual;
    progress.dualResidual = state.dualResidual;
    callbacks_.progress(progress);
  }

  LinearProgram const& lp_;
  StandardForm const& form_;
  Options const& options_;
  Callbacks const& callbacks_;
  Budget& budget_;
  double const pivotSeconds_;
  std::chrono::steady_clock::time_point const begin_ = std::chrono::steady_clock::now();
};

}  // namespace

BarrierOutcome runBarrier(Barrier& barrier, LinearProgram const& lp, StandardForm const& form,
                          Options const& options, Callbacks const& callbacks, Budget& budget,
                          double pivotSeconds) {
  return BarrierRun(lp, form, options, callbacks, budget, pivotSeconds).run(barrier);
}

bool Solver::State::wantsBarrier(Options const& options) const {
  if (form.rows() == 0 || form.columns() == 0) return false;  // no equations
  for (std::size_t v = 0; v < form.lower.size(); ++v)
    if (form.lower[v] > form.upper[v] || form.lower[v] == infinity || form.upper[v] == -infinity)
      return false;  // crossed bounds are a proof by themselves
  return plan(options).barrier;
}

Solution Solver::State::attemptWithBarrier(Options const& options, Callbacks const& callbacks,
                                           Budget& budget) {
  if (!barrier || barrierOnDevice != onDevice()) {
    BarrierOptions wanted;
    wanted.threads = options.threads;
    wanted.device = options.device;
    barrierOnDevice = onDevice();
    barrier = barrierOnDevice ? makers.deviceBarrier(wanted) : makers.hostBarrier(wanted);
  }
  try {
    barrier->load(form);
  } catch (NotEnoughMemory const& e) {
    if (options.algorithm == AlgorithmChoice::barrier) throw;
    if (callbacks.notice) callbacks.notice(std::string(e.what()) + "; going on without it");
    return pivot(options, callbacks, budget, {});
  }
  BarrierOutcome outcome = runBarrier(*barrier, lp, form, options, callbacks, budget,
                                      pivotSeconds(form, barrierOnDevice));
  barrier->unload();
  Solution solution;
  if (outcome.last) {
    solution = std::move(*outcome.last);
    solution.seconds = outcome.seconds;
    basis = solution.basis;
    placed = false;
  } else {
    basis = outcome.start.basis;
    Options rest = options;
    rest.algorithm = AlgorithmChoice::automatic;
    Spent const before{outcome.seconds};  // its iterations are no pivots
    solution = pivot(rest, callbacksAfter(before, callbacks), budget, outcome.start.inside);
    solution.seconds += outcome.seconds;
  }
  solution.algorithm = "barrier";
  solution.barrierIterations = outcome.iterations;
  solution.barrierSeconds = outcome.seconds;
  return solution;
}

}  // namespace osi_cuda
