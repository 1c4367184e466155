// SPDX-License-Identifier: EPL-2.0
// Times another solver on the dense problems of bench_dense, from the model in memory:
//     bench_peers --solver clp/dual|clp/primal|highs/dual|highs/primal|highs/ipm
//     bench_cupdlpx --solver cupdlpx
// One line a size. What doesn't look at the clock is ended by `timeout`.
#include "bench/dense_peers.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "bench/dense_arguments.hpp"
#include "osi_cuda/stopwatch.hpp"
#include "shell/program.hpp"

using namespace osi_cuda;
using bench::DenseSize;

namespace {

struct Arguments {
  bench::PeerSettings peer;
  bench::DenseArguments problems;
  std::uint64_t seed = 1;
};

void measure(Arguments const& a, DenseSize size) {
  LinearProgram const lp = bench::denseModel(a.problems.family(), size.rows, size.columns, a.seed);
  Stopwatch const watch;
  Solution const solution = bench::solveByPeer(lp, a.peer);
  fmt::print("| {} | {} | {} | {} | {:.4f} | {:.10g} | {:.0e} |\n",
             bench::problemName(a.problems.family(), size.rows, size.columns), a.peer.solver,
             toString(solution.status), solution.iterations, watch.seconds(), solution.objective,
             solution.residuals.largest());
  std::fflush(stdout);
}

shell::ExitStatus run(Arguments const& a) {
  std::vector<DenseSize> const sizes = a.problems.sizes();
  try {  // opens whatever has to be opened
    bench::solveByPeer(bench::denseModel(a.problems.family(), 100, 50, a.seed), a.peer);
  } catch (std::invalid_argument const& fault) {
    throw shell::Failure(shell::ExitStatus::usage, fault.what());
  }
  for (DenseSize const size : sizes) measure(a, size);
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
