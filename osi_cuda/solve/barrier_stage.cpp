// SPDX-License-Identifier: EPL-2.0
// The interior point method as a stage before pivots.
#include <algorithm>
#include <string>
#include <utility>

#include "osi_cuda/barrier/crossover.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {
namespace {

/// What a pivot after the interior point method takes, in seconds.
double pivotSeconds(StandardForm const& form, bool onDevice) {
  Shape const shape{form.rows(), form.columns(), form.nonzeros()};
  Machine const& machine = machineFor(shape.cells());
  return onDevice ? devicePivotSeconds(machine, shape.rows, shape.columns)
                  : hostPivotSeconds(machine, shape);
}

/// The interior point as a solution of the problem.
Solution solutionOf(LinearProgram const& lp, StandardForm const& form, BarrierPoint const& point) {
  auto const n = at(form.columns()), m = at(form.rows());
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
    for (auto const [i, a] : read.column(static_cast<int>(j))) {
      s.rowActivity[at(i)] += a * s.columnValues[j];
      s.reducedCosts[j] -= a * s.rowDuals[at(i)];
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

Progress progressOf(BarrierState const& state, double seconds, LinearProgram const& lp,
                    StandardForm const& form) {
  Progress progress;
  progress.seconds = seconds;
  progress.iterations = state.iteration;
  progress.objective = state.primalObjective / form.costScale + lp.objectiveOffset;
  progress.infeasibility = std::max(state.primalResidual, state.dualResidual);
  progress.stage = Stage::barrier;
  progress.mu = state.mu;
  progress.gap = state.gap;
  progress.primalResidual = state.primalResidual;
  progress.dualResidual = state.dualResidual;
  return progress;
}

/// Whether there are equations, and bounds that do not cross: those are a proof by themselves.
bool hasInterior(StandardForm const& form) {
  if (form.rows() == 0 || form.columns() == 0) return false;
  for (std::size_t v = 0; v < form.lower.size(); ++v)
    if (form.lower[v] > form.upper[v] || form.lower[v] == infinity || form.upper[v] == -infinity)
      return false;
  return true;
}

/// Pivots from the present basis until `enough` of the work is spent on them; nothing where it
/// ended them, and `spent` tells of them: the slack basis is the present one then.
std::optional<Solution> pivotUntil(Session& s, Call const& call, InteriorStart const& inside,
                                   std::function<bool(Budget const&)> const& enough, Spent& spent) {
  bool givenUp = false;
  Budget part(call.budget, [&] { return givenUp = enough(part); });
  Callbacks callbacks = call.callbacks;
  if (callbacks.checkpoint)
    callbacks.checkpoint = [&, tell = callbacks.checkpoint](Checkpoint checkpoint) {
      if (givenUp && std::string_view(checkpoint.status) == toString(Status::iterationLimit))
        checkpoint.status = "running";
      tell(checkpoint);
    };
  Solution solution = pivot(s, {call.options, callbacks, part}, inside);
  if (!givenUp || solution.status != Status::iterationLimit) return solution;
  spent.add(solution);
  s.basis = {};
  s.placed = s.solvedBefore = false;
  return std::nullopt;
}

/// Opens the method and loads the problem, on fewer devices where memory is short; false where
/// there is too little of it, or where a limit is reached, which pivots report.
bool loadBarrier(Session& s, Call const& call, std::function<bool()> const& stop) {
  Options const& options = call.options;
  std::vector<int> const devices = s.onDevice() ? s.devices(options) : std::vector<int>();
  if (!s.barrier || s.barrierDevices != devices) {
    s.barrier.reset();
    s.barrier =
        (s.onDevice() ? s.makers.deviceBarrier : s.makers.hostBarrier)({options.threads, devices});
    s.barrierDevices = devices;
  }
  try {
    s.barrier->load(*s.form, s.engine.get(), stop);
    return true;
  } catch (NotEnoughMemory const& e) {
    if (devices.size() > 1) {
      s.keepDevices({devices.front()}, e.what(), call);
      return loadBarrier(s, call, stop);
    }
    if (options.algorithm == AlgorithmChoice::barrier) throw;
    call.notice(std::string(e.what()) + "; continuing without it");
  } catch (Interrupted const&) {
  }
  return false;
}

/// Pivots as long as they are expected to take less than the method; nothing where it is to go on.
std::optional<Solution> pivotsFirst(Session& s, Call const& call, std::function<bool()> const& stop,
                                    Spent& spent) {
  Shape const shape = shapeOf(s.lp);
  double const unknown = workBeforeCounting(shape);
  bool const network = likeNetwork(s.lp.matrix);
  double const gain = unknown > 0.0 ? 2.0 : 1.0;  // pivots that are given up late are lost
  bool counted = false;
  std::optional<PivotTrial> trial;
  auto const count = [&] {
    counted = true;
    if (loadBarrier(s, call, stop))
      trial.emplace(shape, gain * s.barrier->iterationSeconds(), network);
  };
  if (unknown == 0.0) count();
  if (trial && !network && barrierPays(shape, s.barrier->iterationSeconds())) return std::nullopt;
  auto const enough = [&](Budget const& part) {
    if (!counted && part.work() > unknown) count();
    return trial && trial->over(part.iterationsSpent(), part.work());
  };
  std::optional<Solution> solution = pivotUntil(s, call, {}, enough, spent);
  if (!solution) call.notice("pivots are expected to take longer than the interior point method");
  if (solution && s.barrier) s.barrier->unload();
  return solution;
}

}  // namespace

// The interior point is the answer where a limit was reached, or where it was asked for and stands
// up to the verifier; else pivots go on from it.
std::optional<Solution> attemptWithBarrier(Session& s, Call const& call) {
  constexpr std::int64_t mostIterations = 400;  // no problem was seen to take a quarter of it
  Options const& options = call.options;
  Plan const next = s.plan(options);
  if (!(next.barrier || next.weighBarrier) || !hasInterior(*s.form)) return std::nullopt;
  Stopwatch const watch;
  BarrierRequest request;
  request.handover = options.crossover;
  request.tolerance = options.crossover ? 1e-8 : 1e-9;
  request.pivotSeconds = pivotSeconds(*s.form, s.onDevice());
  request.stop = [&] { return call.budget.interrupted(); };
  double told = 0.0;
  request.report = [&](BarrierState const& state) {
    call.budget.addWork(state.work - std::exchange(told, state.work));
    if (call.callbacks.trace) call.callbacks.trace(traceOf(state, watch.seconds()));
    if (call.callbacks.progress)
      call.callbacks.progress(progressOf(state, watch.seconds(), s.lp, *s.form));
  };
  Spent before;  // iterations of the method are no pivots
  if (next.barrier) {
    if (!loadBarrier(s, call, request.stop)) return std::nullopt;
  } else if (auto solution = pivotsFirst(s, call, request.stop, before)) {
    return solution;
  }
  double const tried = before.seconds;
  request.iterationLimit =
      static_cast<int>(std::min<std::int64_t>(call.budget.iterationsLeft(), mostIterations));
  call.budget.enter(algorithmOf(Stage::barrier));
  BarrierPoint const point = s.barrier->run(request);
  call.budget.spend(point.state.iteration);
  CrossoverStart const start = startOf(*s.form, point, options.threads, request.stop);
  Limit const limit = call.budget.reached();
  std::optional<Solution> solution;
  if (limit != Limit::none || !options.crossover) {
    Solution inside = solutionOf(s.lp, *s.form, point);
    inside.basis = start.basis;
    Verifier const verifier(s.lp, options);
    if (limit != Limit::none) verifier.stopAt(statusOf(limit), inside);
    if (limit != Limit::none || verifier.claimInterior(inside)) {
      inside.engine = s.barrier->name();
      inside.device = s.barrier->device();
      solution = std::move(inside);
    }
  }
  call.notice("interior point method: " + std::string(toString(point.end)) + " after " +
              std::to_string(point.state.iteration) + " iterations" +
              (s.barrierDevices.size() > 1 ? " on " + s.barrier->device() : "") + ", gap " +
              brief(point.state.gap) + ", " + std::to_string(start.between) +
              " nonbasic variables between their bounds");
  before.seconds = watch.seconds();
  double const inside = before.seconds - tried;
  s.barrier->unload();
  s.basis = start.basis;
  s.placed = false;
  if (!solution) {
    Options rest = options;
    rest.algorithm = AlgorithmChoice::automatic;
    double const most = next.barrier ? infinity : mostSecondsBehindBarrier(shapeOf(s.lp));
    auto const enough = [&](Budget const& part) { return part.work() > most; };
    solution = pivotUntil(s, {rest, callbacksAfter(before, call.callbacks), call.budget},
                          start.inside, enough, before);
    if (!solution) {
      call.notice("pivots from the interior point stall; beginning at the slack basis");
      solution = pivot(s, {rest, callbacksAfter(before, call.callbacks), call.budget}, {});
    }
  }
  before.addTo(*solution);
  solution->algorithm = "barrier";
  solution->barrierIterations = point.state.iteration;
  solution->barrierSeconds = inside;
  if (limit != Limit::none && call.callbacks.checkpoint)
    call.callbacks.checkpoint({solution->basis, solution->iterations, solution->seconds, "barrier",
                               toString(solution->status)});
  return solution;
}

}  // namespace osi_cuda
