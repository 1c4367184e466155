// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_precise.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "osi_cuda/simplex/judge.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {

Solution finishPrecisely(EngineMakers const& makers, LinearProgram const& lp,
                         StandardForm const& form, Solution&& before, double residualBefore,
                         Options const& options, Callbacks const& callbacks) {
  if (callbacks.notice)
    callbacks.notice("double precision is not enough: going on in double-double arithmetic");
  Options rest = options;
  rest.timeLimit = std::max(0.0, options.timeLimit - before.seconds);
  if (rest.iterationLimit != std::numeric_limits<std::int64_t>::max())
    rest.iterationLimit = std::max<std::int64_t>(0, rest.iterationLimit - before.iterations);
  Callbacks later = callbacks;
  if (callbacks.progress)
    later.progress = [&](Progress progress) {
      progress.iterations += before.iterations;
      progress.seconds += before.seconds;
      callbacks.progress(progress);
    };
  if (callbacks.trace)
    later.trace = [&](TraceEvent event) {
      event.iterations += before.iterations;
      event.seconds += before.seconds;
      callbacks.trace(event);
    };
  if (callbacks.checkpoint)
    later.checkpoint = [&](Checkpoint checkpoint) {
      checkpoint.iterations += before.iterations;
      checkpoint.seconds += before.seconds;
      callbacks.checkpoint(checkpoint);
    };
  std::unique_ptr<Engine> const engine = makers.precise({});
  engine->load(form);
  Simplex simplex(lp, form, *engine, rest, later);
  Solution solution = simplex.solve(before.basis);
  // What was good enough within tolerances is given up only for what is better.
  bool const better = solution.status == Status::optimal
                          ? !simplex.twoParts() && simplex.bestResidual() < residualBefore
                          : solution.margin > Judge::target;
  if (before.status == Status::optimal && !better) {
    before.iterations += solution.iterations;
    before.seconds += solution.seconds;
    return std::move(before);
  }
  solution.iterations += before.iterations;
  solution.phase1Iterations += before.phase1Iterations;
  solution.seconds += before.seconds;
  solution.engine = before.engine;
  solution.device = before.device;
  solution.algorithm = before.algorithm;
  solution.pricing = before.pricing;
  return solution;
}

std::optional<Solution> confirmStart(EngineMakers const& makers, LinearProgram const& lp,
                                     StandardForm const& form, Basis const& start,
                                     Options const& options, Callbacks const& callbacks) {
  constexpr std::int64_t mostNonzeros = 200'000;
  bool const slacks = std::none_of(start.columns.begin(), start.columns.end(),
                                   [](auto status) { return status == VariableStatus::basic; });
  if (slacks || form.matrix().nonzeros() > mostNonzeros) return std::nullopt;
  bool const limited = options.iterationLimit < 1 || options.timeLimit <= 0.0 ||
                       (callbacks.interrupted && callbacks.interrupted());
  if (limited) return std::nullopt;
  Options onePivot = options;  // the first launch says whether there is anything to do
  onePivot.iterationLimit = 1;
  onePivot.algorithm = AlgorithmChoice::primal;
  Callbacks quiet;
  quiet.interrupted = callbacks.interrupted;
  std::unique_ptr<Engine> const engine = makers.precise({});
  engine->load(form);
  Simplex simplex(lp, form, *engine, onePivot, quiet);
  simplex.place(start);
  Measure const measure = engine->measure(options.primalTolerance, options.dualTolerance);
  if (measure.primalCount > 0 || measure.dualCount > 0) return std::nullopt;
  Solution solution = simplex.solve(start);
  if (solution.status != Status::optimal || solution.iterations > 0) return std::nullopt;
  return solution;
}

}  // namespace osi_cuda
