// SPDX-License-Identifier: EPL-2.0
// Times another solver on the dense problems of bench_dense, from the model in memory:
//     bench_peers --solver clp/dual|clp/primal|highs/dual|highs/primal|highs/ipm
//     bench_cupdlpx --solver cupdlpx
// One line a size; with --results also one in that file, for bench_netlib --print; what is there
// already is not run again. A solver that does not end by itself 15 s after its limit is ended with
// the process, exit status 75.
#include "bench/dense_peers.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "bench/dense_arguments.hpp"
#include "bench/watchdog.hpp"
#include "osi_cuda/stopwatch.hpp"
#include "shell/program.hpp"

using namespace osi_cuda;
using bench::DenseSize;
using bench::Result;

namespace {

constexpr double grace = 15.0;  ///< seconds beyond the limit

struct Arguments {
  bench::PeerSettings peer;
  bench::DenseArguments problems;
  std::uint64_t seed = 1;
};

void print(Result const& r, double objective) {
  fmt::print("| {} | {} | {} | {} | {:.4f} | {:.10g} | {:.0e} |\n", r.problem, r.solver, r.status,
             r.iterations, r.seconds, objective, r.residual);
  std::fflush(stdout);
}

void measure(Arguments const& a, DenseSize size, bench::ResultsFile& results) {
  bool const firstOrder = a.peer.solver == "cupdlpx";
  Result r = resultOn(a.problems.family(), size);
  // "cupdlpx/1e-08": to another tolerance it is another solver.
  r.solver = firstOrder ? fmt::format("cupdlpx/{:.0e}", a.peer.tolerance) : a.peer.solver;
  if (results.has(r.problem, r.solver)) return;
  LinearProgram const lp = bench::denseModel(a.problems.family(), size.rows, size.columns, a.seed);
  Stopwatch const watch;
  bench::Watchdog const watchdog(a.peer.limit + grace, [&] {
    r.status = toString(Status::timeLimit);
    r.seconds = watch.seconds();
    results.append(r);
    print(r, 0.0);
  });
  Solution const solution = bench::solveByPeer(lp, a.peer);
  r.seconds = watch.seconds();
  r.status = toString(solution.status);
  r.residual = solution.residuals.largest();
  r.iterations = solution.iterations;
  // A first-order method is verified by its own criterion, the others as everywhere else.
  r.right = solution.status == Status::optimal && (firstOrder || r.residual <= 1e-6);
  results.append(r);
  print(r, solution.objective);
}

shell::ExitStatus run(Arguments const& a) {
  bench::ResultsFile results(a.problems.resultsFile);
  std::vector<DenseSize> const sizes = a.problems.sizes();
  try {  // opens whatever has to be opened
    bench::solveByPeer(bench::denseModel(a.problems.family(), 100, 50, a.seed), a.peer);
  } catch (std::invalid_argument const& fault) {
    throw shell::Failure(shell::ExitStatus::usage, fault.what());
  }
  for (DenseSize const size : sizes) measure(a, size, results);
  return shell::ExitStatus::optimal;
}

shell::Run setUp(CLI::App& app) {
  auto const a = std::make_shared<Arguments>();
  app.add_option("--solver", a->peer.solver, "SOLVER/ALGORITHM, or cupdlpx")->required();
  a->problems.addTo(app);
  app.add_option("--limit", a->peer.limit, "seconds [60]");
  app.add_option("--tolerance", a->peer.tolerance, "of cuPDLPx, relative [1e-8]");
  app.add_option("--threads", a->peer.threads, "of the solver [1]");
  app.add_option("--seed", a->seed, "of the problems [1]");
  return [a] { return run(*a); };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool(
      {"bench_peers", "Times another solver on the dense problems of bench_dense.", setUp}, count,
      words);
}
