// SPDX-License-Identifier: EPL-2.0
// Times whole solves of dense problems, from the model in memory to the proved answer: bench_dense.
// One line a size: medians of the repeats; below it the phases of the first, if several. A first
// solve of a small problem, not timed here but printed, opens the engine: the context and the
// handles of its libraries. The seed is that of the problem and of the solver.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "lab/bench/dense_arguments.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "shell/command.hpp"

using namespace osi_cuda;
using bench::DenseSize;

namespace {

/// One solve: seconds of each part, and what came out.
struct Run {
  double total = 0.0;     ///< all of it
  double prepare = 0.0;   ///< standard form, upload, first tableau
  double pivoting = 0.0;  ///< until the last launch of pivots was accounted for
  double proof = 0.0;     ///< the rest
  struct Part {
    Stage stage = Stage::primal2;
    std::int64_t pivots = 0;
    double seconds = 0.0;
  };
  std::vector<Part> parts;  ///< in their order
  Solution solution;
};

Run solveOnce(Solver& solver, LinearProgram lp, Options const& options) {
  Run run;
  double lastProgress = 0.0;
  Callbacks callbacks;
  std::int64_t lastPivots = 0;
  callbacks.progress = [&](Progress const& p) {
    if (run.parts.empty() || run.parts.back().stage != p.stage) run.parts.push_back({p.stage});
    bool const pivots = p.stage != Stage::barrier;  // whose iterations are no pivots
    run.parts.back().pivots += p.iterations - (pivots ? lastPivots : run.parts.back().pivots);
    run.parts.back().seconds += p.seconds - lastProgress;
    if (pivots) lastPivots = p.iterations;
    lastProgress = p.seconds;
  };
  solver.load({});  // to give back the model before is no part of this solve
  Stopwatch const watch;
  solver.load(std::move(lp));
  run.solution = solver.solve(options, callbacks);
  run.total = watch.seconds();
  run.prepare = run.total - run.solution.seconds;
  run.pivoting = lastProgress;
  run.proof = run.solution.seconds - lastProgress;
  return run;
}

double median(std::vector<Run> const& runs, double Run::*part) {
  std::vector<double> values;
  for (Run const& run : runs) values.push_back(run.*part);
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

double microsecondsEach(double seconds, std::int64_t pivots) {
  return 1e6 * seconds / static_cast<double>(std::max<std::int64_t>(1, pivots));
}

void measure(Solver& solver, LinearProgram const& lp, DenseSize size, int repeats,
             Options const& options) {
  std::vector<Run> runs;
  for (int repeat = 0; repeat < repeats; ++repeat) runs.push_back(solveOnce(solver, lp, options));
  Solution const& s = runs.front().solution;
  double const pivoting = median(runs, &Run::pivoting);
  fmt::print(
      "| {} x {} | {} | {} | {} | {} | {} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.2f} | {:.10g} | "
      "{:.0e} |\n",
      size.rows, size.columns, toString(s.engine), toString(s.algorithm), s.pricing,
      toString(s.status), s.iterations, median(runs, &Run::total), median(runs, &Run::prepare),
      pivoting, median(runs, &Run::proof), microsecondsEach(pivoting, s.iterations), s.objective,
      s.residuals.largest());
  for (auto const& part : runs.front().parts)
    if (runs.front().parts.size() > 1)
      fmt::print("|  {}: {} pivots, {:.4f} s, {:.2f} us each\n", toString(part.stage), part.pivots,
                 part.seconds, microsecondsEach(part.seconds, part.pivots));
  std::fflush(stdout);
}

struct Arguments {
  bench::DenseArguments problems;
  std::vector<std::string> solver;  ///< its options
  int repeats = 5;
  double box = infinity;
  bool check = false;
};

shell::ExitStatus run(Arguments const& arguments) {
  Options const options = shell::solverOptions(arguments.solver);
  bench::DenseFamily const family = arguments.problems.family();
  std::vector<DenseSize> const sizes = arguments.problems.sizes();
  auto const modelOf = [&](DenseSize size) {
    return bench::denseModel(family, size.rows, size.columns, options.seed, !arguments.check);
  };
  if (arguments.check) {
    for (DenseSize const size : sizes) {
      auto const [a, b, c] = bench::checkSums(modelOf(size));
      fmt::print("{} x {} A {:016x} b {:016x} c {:016x}\n", size.rows, size.columns, a, b, c);
    }
    return shell::ExitStatus::optimal;
  }
  Solver solver;
  Run const first = solveOnce(solver, modelOf({100, 50}), options);
  fmt::print(
      "opening the engine {} ({}) and a solve of 100 x 50: {:.3f} s\n\n"
      "| rows x columns | engine | algorithm | pricing | status | pivots | seconds | form and "
      "upload | pivoting | proof | us a pivot | objective | residual |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      toString(first.solution.engine), first.solution.device, first.total);
  for (DenseSize const size : sizes) {
    LinearProgram lp = modelOf(size);
    lp.columnUpper.assign(lp.columnUpper.size(), arguments.box);
    measure(solver, lp, size, arguments.repeats, options);
  }
  return shell::ExitStatus::optimal;
}

shell::Run setUp(CLI::App& app) {
  auto const a = std::make_shared<Arguments>();
  a->problems.addTo(app);
  app.add_option("--repeats", a->repeats, "solves of each problem [5]")->check(CLI::Range(1, 1000));
  app.add_option("--box", a->box,
                 "an upper bound on every column, so that the dual has long steps [none]");
  app.add_flag("--check", a->check, "print sums over the problems instead");
  shell::addSolverOptions(app, a->solver);
  return [a] { return run(*a); };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool({"bench_dense", "Times whole solves of dense problems.", setUp}, count,
                        words);
}
