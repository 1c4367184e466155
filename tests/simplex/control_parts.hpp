// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <utility>

#include "osi_cuda/simplex/algorithms.hpp"
#include "osi_cuda/simplex/prover.hpp"

namespace osi_cuda::testing {

/// The parts of the control of one solve on the host's engine, without the control itself; the
/// problem is not scaled, and the engine has its slack basis with all at their bounds.
struct ControlParts {
  LinearProgram lp;
  StandardForm form;
  std::unique_ptr<Engine> engine;
  Options options;
  Callbacks callbacks;
  Budget budget;
  Run run;
  Task task;
  Counts counts;
  Tracer tracer;
  Limits limits;
  Tolerances tolerances;
  WorkingProblem problem;
  KeptPoint kept;
  RoundWatch rounds;
  SharedParts parts;
  PivotRuns runs;
  Algorithms algorithms;
  Prover prover;

  explicit ControlParts(LinearProgram given, Options const& wanted = {}, Callbacks told = {},
                        Effort effort = Effort::whole)
      : lp(std::move(given)),
        form(makeStandardForm(lp, false)),
        engine(loaded(form)),
        options(wanted),
        callbacks(std::move(told)),
        budget(options.timeLimit, options.iterationLimit, callbacks.interrupted),
        run(callbacks, budget),
        task{lp, form, *engine, options, run, effort},
        tracer(run),
        limits(task),
        tolerances(task),
        problem(task, tolerances, tracer),
        kept(task, counts, limits, tracer),
        rounds(task, counts),
        parts{task, counts, tracer, limits, tolerances, problem, kept, rounds},
        runs(parts),
        algorithms(parts, runs),
        prover(parts, runs) {
    problem.send();
    problem.snapToBounds();
  }
  ControlParts(ControlParts const&) = delete;

  Measure measure() { return engine->measure(tolerances.primal(), tolerances.dual()); }

 private:
  static std::unique_ptr<Engine> loaded(StandardForm const& form) {
    auto engine = makeHostEngine(EngineOptions{});
    engine->load(form);
    return engine;
  }
};

}  // namespace osi_cuda::testing
