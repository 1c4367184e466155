// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_precise.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "osi_cuda/simplex/judge.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solver_parts.hpp"

namespace osi_cuda {

Solution finishPrecisely(EngineMakers const& makers, LinearProgram const& lp,
                         StandardForm const& form, Solution&& before, double residualBefore,
                         Options const& options, Callbacks const& callbacks, Budget& budget) {
  if (callbacks.notice)
    callbacks.notice("double precision is not enough: going on in double-double arithmetic");
  Spent const spent{before.seconds, before.iterations};
  Callbacks const later = callbacksAfter(spent, callbacks);
  std::unique_ptr<Engine> const engine = makers.precise({});
  engine->load(form);
  Simplex simplex(lp, form, *engine, options, later, budget);
  Solution solution = simplex.solve(before.basis);
  // What was good enough within tolerances is given up only for what is better.
  bool const better =
      solution.status == Status::optimal
          ? !simplex.quality().twoParts && simplex.quality().residual < residualBefore
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
                                     Options const& options, Callbacks const& callbacks,
                                     Budget& budget) {
  bool const slacks = std::none_of(start.columns.begin(), start.columns.end(),
                                   [](auto status) { return status == VariableStatus::basic; });
  if (slacks) return std::nullopt;
  if (budget.reached() != Limit::none) return std::nullopt;
  Budget onePivot(budget, 1);  // whether there is a first one is what is asked
  Options settings = options;
  settings.algorithm = AlgorithmChoice::automatic;
  std::vector<TraceEvent> events;  // worth telling where this is the end of the solve
  Callbacks quiet;
  if (callbacks.trace) quiet.trace = [&](TraceEvent const& event) { events.push_back(event); };
  std::unique_ptr<Engine> const engine = makers.precise({});
  engine->load(form);
  Simplex simplex(lp, form, *engine, settings, quiet, onePivot, Effort::confirm);
  Solution solution = simplex.solve(start);
  if (solution.status != Status::optimal || solution.iterations > 0) return std::nullopt;
  for (TraceEvent const& event : events) callbacks.trace(event);
  return solution;
}

}  // namespace osi_cuda
