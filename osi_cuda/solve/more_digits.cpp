// SPDX-License-Identifier: EPL-2.0
// What a solve leaves to the engine with more digits.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {

Solution finishPrecisely(Session& s, Solution&& before, Call const& call) {
  call.notice("double precision is not enough: continuing in double-double arithmetic");
  Spent spent;
  spent.add(before);
  Callbacks const later = callbacksAfter(spent, call.callbacks);
  std::unique_ptr<Engine> const engine = s.makers.precise({});
  engine->load(*s.form);
  Simplex simplex(s.lp, *s.form, *engine, call.options, later, call.budget);
  Solution solution = simplex.solve(before.basis);
  // What was good enough within tolerances is given up only for what is better.
  bool const better = solution.status == Status::optimal
                          ? !simplex.quality().twoParts && simplex.quality().residual < s.unrounded
                          : solution.margin > Verifier::target;
  if (before.status == Status::optimal && !better) {
    before.iterations += solution.iterations;
    before.seconds += solution.seconds;
    return std::move(before);
  }
  spent.addTo(solution);
  s.unrounded = simplex.quality().residual;
  solution.engine = before.engine;
  solution.device = before.device;
  solution.algorithm = before.algorithm;
  solution.pricing = before.pricing;
  return solution;
}

std::optional<Solution> confirmStart(Session& s, Call const& call) {
  bool const slacks = std::ranges::none_of(
      s.basis.columns, [](auto status) { return status == VariableStatus::basic; });
  if (slacks || call.budget.reached() != Limit::none) return std::nullopt;
  Budget noPivot(call.budget, 0);  // whether there is a first one is what is asked
  Options settings = call.options;
  settings.algorithm = AlgorithmChoice::automatic;
  std::vector<TraceEvent> events;  // worth telling where this is the end of the solve
  Callbacks quiet;
  if (call.callbacks.trace) quiet.trace = [&](TraceEvent const& event) { events.push_back(event); };
  std::unique_ptr<Engine> const engine = s.makers.precise({});
  engine->load(*s.form);
  Simplex simplex(s.lp, *s.form, *engine, settings, quiet, noPivot, Effort::confirm);
  Solution solution = simplex.solve(s.basis);
  if (solution.status != Status::optimal) return std::nullopt;
  s.unrounded = simplex.quality().residual;
  for (TraceEvent const& event : events) call.callbacks.trace(event);
  return solution;
}

}  // namespace osi_cuda
