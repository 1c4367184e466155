// SPDX-License-Identifier: EPL-2.0
// What a solve leaves to the engine with more digits.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {

Solution finishPrecisely(Attempt const& now, Solution&& before) {
  Session& s = now.session;
  Run::Scope const scope(now.run, SolveStage::digits);
  now.run.notice("double precision is not enough: continuing in double-double arithmetic");
  std::unique_ptr<Engine> const engine = s.makers.precise({});
  engine->load(*s.form);
  Simplex simplex(s.lp, *s.form, *engine, now.options, now.run);
  Solution solution = simplex.solve(before.basis);
  // What was good enough within tolerances is given up only for what is better.
  bool const better = solution.status == Status::optimal
                          ? !simplex.quality().twoParts && solution.unrounded < before.unrounded
                          : Verifier(s.lp, now.options).isCertain(solution);
  if (before.status == Status::optimal && !better) return std::move(before);
  solution.engine = before.engine;
  solution.device = before.device;
  solution.algorithm = before.algorithm;
  solution.pricing = before.pricing;
  return solution;
}

std::optional<Solution> confirmStart(Attempt const& now) {
  Session& s = now.session;
  bool const slacks = std::ranges::none_of(
      s.basis.columns, [](auto status) { return status == VariableStatus::basic; });
  if (slacks || now.run.budget().reached() != Limit::none) return std::nullopt;
  Run::Scope const scope(now.run, SolveStage::digits);
  Budget noPivot(now.run.budget(), 0);  // whether there is a first one is what is asked
  Options settings = now.options;
  settings.algorithm = AlgorithmChoice::automatic;
  std::vector<TraceEvent> events;  // worth telling where this is the end of the solve
  Callbacks told;
  if (now.run.traces()) told.trace = [&](TraceEvent const& event) { events.push_back(event); };
  Run quiet(told, noPivot);
  quiet.goOnFrom(now.run);
  std::unique_ptr<Engine> const engine = s.makers.precise({});
  engine->load(*s.form);
  Simplex simplex(s.lp, *s.form, *engine, settings, quiet, Effort::confirm);
  Solution solution = simplex.solve(s.basis);
  if (solution.status != Status::optimal) return std::nullopt;
  for (TraceEvent const& event : events) now.run.callbacks().trace(event);
  return solution;
}

}  // namespace osi_cuda
