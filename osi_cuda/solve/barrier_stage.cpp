// SPDX-License-Identifier: EPL-2.0
// The interior point method as a stage before pivots.
#include <algorithm>
#include <string>
#include <utility>

#include "osi_cuda/barrier/crossover.hpp"
#include "osi_cuda/barrier/reports.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {
namespace {

/// What a pivot after the interior point method takes, in seconds.
double pivotSeconds(StandardForm const& form, bool onDevice) {
  Shape const shape{form.rows(), form.columns(), form.nonzeros()};
  Machine const& machine = machineFor(shape.cells());
  return onDevice ? devicePivotSeconds(machine, shape.rows, shape.columns)
                  : hostPivotSeconds(machine, shape);
}

/// Pivots from the present basis until `enough` of the work is spent on them; nothing where it
/// ended them: the slack basis is the present one then.
std::optional<Solution> pivotUntil(Attempt const& now, InteriorStart const& inside,
                                   std::function<bool(Budget const&)> const& enough) {
  bool givenUp = false;
  Budget part(now.run.budget(), [&] { return givenUp = enough(part); });
  Run::Within const within(now.run, part);
  Solution solution = pivot(now, inside);
  if (!givenUp || solution.status != Status::iterationLimit) return solution;
  now.session.basis = {};
  now.session.placed = now.session.solvedBefore = false;
  return std::nullopt;
}

/// Opens the method and loads the problem, on fewer devices where memory is short; false where
/// there is too little of it, or where a limit is reached, which pivots report.
bool loadBarrier(Attempt const& now, std::function<bool()> const& stop) {
  Session& s = now.session;
  Options const& options = now.options;
  Run::Scope const scope(now.run, SolveStage::barrier);
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
      s.keepDevices({devices.front()}, e.what(), now.run);
      return loadBarrier(now, stop);
    }
    if (options.algorithm == AlgorithmChoice::barrier) throw;
    now.run.notice(std::string(e.what()) + "; continuing without it");
  } catch (Interrupted const&) {
  }
  return false;
}

/// Pivots as long as they are expected to take less than the method; nothing where it is to go on.
std::optional<Solution> pivotsFirst(Attempt const& now, std::function<bool()> const& stop) {
  Session& s = now.session;
  Shape const shape = shapeOf(s.lp);
  double const unknown = workBeforeCounting(shape);
  bool const network = likeNetwork(s.lp.matrix);
  bool counted = false, known = false;
  InsideCost inside = 0.0;  // once known: a limit in pivots drops the method with the engine
  auto const count = [&] {
    counted = true;
    known = loadBarrier(now, stop);
    if (known) inside = {s.barrier->iterationSeconds(), s.barrier->openingSeconds()};
  };
  if (unknown == 0.0) count();
  bool const first = known && !network && barrierPays(inside);
  auto const tell = [&](bool barrier) {
    if (known) now.run.plan(barrierChoice(inside, barrier));
  };
  if (first) {
    tell(true);
    return std::nullopt;
  }
  auto const enough = [&](Budget const& part) {
    if (!counted && part.work() > unknown) count();
    return known && givesPivotsUp(shape, inside, part.iterationsSpent(), part.work());
  };
  std::optional<Solution> solution = pivotUntil(now, {}, enough);
  tell(!solution);
  if (!solution)
    now.run.notice("pivots are expected to take longer than the interior point method");
  if (solution && s.barrier) s.barrier->unload();
  return solution;
}

/// The method's point and the start of the crossover from it.
struct Inside {
  BarrierPoint point;
  CrossoverStart start;
  Limit limit = Limit::none;  ///< that was reached by then
};

Inside runBarrier(Attempt const& now, std::function<bool()> const& stop) {
  constexpr std::int64_t mostIterations = 400;  // no problem was seen to take a quarter of it
  Session& s = now.session;
  Options const& options = now.options;
  Run& run = now.run;
  Run::Scope const scope(run, SolveStage::barrier);
  BarrierRequest request;
  request.handover = options.crossover;
  request.tolerance = options.crossover ? 1e-8 : 1e-9;
  request.pivotSeconds = pivotSeconds(*s.form, s.onDevice());
  request.stop = stop;
  double told = 0.0;
  request.report = [&](BarrierState const& state) {
    run.budget().addWork(state.work - std::exchange(told, state.work));
    if (run.traces()) run.trace("barrier", fieldsOf(state));
    if (run.reports()) run.progress(progressOf(state, s.lp, *s.form));
  };
  request.iterationLimit =
      static_cast<int>(std::min<std::int64_t>(run.budget().iterationsLeft(), mostIterations));
  run.budget().enter(SolveAlgorithm::barrier);
  Inside inside{s.barrier->run(request), {}};
  run.spendBarrier(inside.point.state.iteration);
  inside.start = startOf(*s.form, inside.point, options.threads, stop);
  inside.limit = run.budget().reached();
  return inside;
}

}  // namespace

// The interior point is the answer where a limit was reached, or where it was asked for and stands
// up to the verifier; else pivots go on from it.
std::optional<Solution> solveByBarrier(Attempt const& now) {
  Session& s = now.session;
  Options const& options = now.options;
  Run& run = now.run;
  Method const& method = now.method;
  if (!(method.barrier || method.weighBarrier) || !hasInterior(*s.form)) return std::nullopt;
  auto const stop = [&run] { return run.budget().interrupted(); };
  if (method.barrier) {
    if (!loadBarrier(now, stop)) return std::nullopt;
    run.expect(insideByThreads(s.barrier->iterationSeconds()));
  } else if (auto solution = pivotsFirst(now, stop)) {
    return solution;
  }
  Inside const from = runBarrier(now, stop);
  BarrierPoint const& point = from.point;
  CrossoverStart const& start = from.start;
  Limit const limit = from.limit;
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
  run.notice("interior point method: " + std::string(toString(point.end)) + " after " +
             std::to_string(point.state.iteration) + " iterations" +
             (s.barrierDevices.size() > 1 ? " on " + s.barrier->device() : "") + ", gap " +
             brief(point.state.gap) + ", " + std::to_string(start.between) +
             " nonbasic variables between their bounds");
  s.barrier->unload();
  s.basis = start.basis;
  s.placed = false;
  if (!solution) {
    Options rest = options;
    rest.algorithm = AlgorithmChoice::automatic;
    Attempt const behind = now.with(rest);
    double const most = method.barrier ? infinity : mostSecondsBehindBarrier(shapeOf(s.lp));
    auto const enough = [&](Budget const& part) { return part.work() > most; };
    solution = pivotUntil(behind, start.inside, enough);
    if (!solution) {
      run.notice("pivots from the interior point stall; beginning at the slack basis");
      solution = pivot(behind, {});
    }
  }
  solution->algorithm = SolveAlgorithm::barrier;
  if (limit != Limit::none)
    run.checkpoint(solution->basis, SolveAlgorithm::barrier, solution->status);
  return solution;
}

}  // namespace osi_cuda
