// SPDX-License-Identifier: EPL-2.0
// Batches of small dense problems, problems a second: bench_batch. Other solvers: lab/suite.
// One line a size and count. `device` counts the kernels alone, `seconds` everything from the
// caller's arrays to the caller's arrays, proofs included: the best of the repeats, after a first
// one that is not counted, in which buffers are made.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bridges/bridge.hpp"
#include "lab/bench/batch_problems.hpp"
#include "lab/bench/dense_arguments.hpp"
#include "lab/bench/dense_model.hpp"
#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "shell/command.hpp"

using namespace osi_cuda;
using Size = bench::DenseSize;

namespace {

struct Settings {
  bench::DenseArguments problems;
  bench::DenseFamily family = bench::DenseFamily::uniform;
  std::vector<std::size_t> counts{0};
  std::vector<std::string> solver;  ///< its options
  BatchOptions options;
  int repeats = 3;
  bool check = false;
  std::size_t agree = 0, distinct = 20000, mixed = 0;
  int most = 50;
};

/// As many as take about a second on a fast machine, and fit into 12 GB.
std::size_t usualCount(Size size) {
  double const cells = static_cast<double>(size.rows) * size.columns;
  double const most = 1.5e9 / (cells + size.rows + size.columns);
  return static_cast<std::size_t>(std::min({1e6, most, 2.5e9 / cells}));
}

using Items = std::vector<bench::BatchItem>;

/// Statuses and optima of the first problems beside Clp's, and where they differ the residuals of
/// both as the verifier (proof/residuals.hpp) has them.
void compareAnswers(Settings const& s, Items const& items, BatchResults const& results,
                    int threads) {
  auto const clp = findBridge(bridges(), "clp");
  if (!clp) return;
  std::size_t const count = std::min(s.agree, items.size());
  std::vector<std::string> differences(count);
  batch::runWorkers(threads, count, [&](std::size_t k, int) {
    LinearProgram const lp = bench::modelOf(items[k]);
    Solution const other = clp->solve(lp);
    std::string const own = toString(results.status[k]), theirs = toString(other.status);
    bool const optimum = other.status == Status::optimal;
    if (own == theirs && (!optimum || std::fabs(other.objective - results.objective[k]) <=
                                          1e-7 * (1.0 + std::fabs(other.objective))))
      return;
    std::array<char, 300> text{};
    std::snprintf(text.data(), text.size(),
                  "|   problem %zu, %s %d x %d: here %s %.12g, residual %.0e; Clp %s %.12g, "
                  "residual %.0e | | | | | | | | |",
                  k, bench::nameOf(items[k].family).c_str(), lp.rows(), lp.columns(), own.c_str(),
                  results.objective[k], results.residual[k], theirs.c_str(), other.objective,
                  optimum ? other.residuals.largest() : 0.0);
    differences[k] = text.data();
  });
  std::size_t different = 0;
  constexpr std::size_t most = 20;
  for (std::string const& difference : differences)
    if (!difference.empty() && ++different <= most) std::printf("%s\n", difference.c_str());
  std::printf("|   of %zu answers Clp has %zu others | | | | | | | | |\n", count, different);
}

/// Solves the problems once more, and then in another order; counts answers that differ in a bit.
void checkBits(Settings const& s, BatchSolver& solver, Items const& items,
               bench::BatchArrays const& arrays, BatchResults& results) {
  std::vector<std::uint64_t> const prints = bench::fingerprintsOf(results);
  std::uint64_t all = 0;
  for (std::uint64_t const print : prints) all ^= print;  // whatever their order is
  auto const differing = [&](std::vector<std::size_t> const& order) {
    std::vector<std::uint64_t> const others = bench::fingerprintsOf(results);
    std::size_t different = 0;
    for (std::size_t k = 0; k < others.size(); ++k)
      different += others[k] != prints[order.empty() ? k : order[k]];
    return different;
  };
  solver.solve(arrays.view(), s.options, results);
  std::size_t const again = differing({});
  std::vector<std::size_t> const order = bench::shuffledOrder(prints.size(), s.options.seed);
  Items shuffled;
  for (std::size_t const k : order) shuffled.push_back(items[k]);
  solver.solve(bench::BatchArrays(shuffled).view(), s.options, results);
  std::printf(
      "|   fingerprint %016llx; answers with other bits: %zu in another run, %zu in another order "
      "| | | | | | | | |\n",
      static_cast<unsigned long long>(all), again, differing(order));
  std::fflush(stdout);
}

void measure(Settings const& s, BatchSolver& solver, std::string const& name, Items const& items) {
  std::size_t const count = items.size();
  bench::BatchArrays const arrays(items);
  BatchResults results;
  double best = infinity, device = infinity;
  for (int repeat = 0; repeat <= s.repeats; ++repeat) {
    solver.solve(arrays.view(), s.options, results);
    if (repeat == 0 && s.repeats > 0) continue;
    best = std::min(best, results.seconds);
    device = std::min(device, results.deviceSeconds);
  }
  std::size_t proved = 0;
  std::array<std::size_t, 3> ends{};  // optimal, infeasible, unbounded
  double pivots = 0.0, residual = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    auto const end = static_cast<std::size_t>(results.status[k]);
    if (end < ends.size()) ++ends[end];
    proved += results.proof[k] != ProofGrade::none;
    pivots += results.iterations[k];
    residual = std::max(residual, results.residual[k]);
  }
  double const perSecond = static_cast<double>(count) / best;
  std::printf(
      "| %s | %s | %zu | %zu proved, %zu optimal, %zu infeasible, %zu unbounded, %zu by the "
      "ordinary solver | %.1f | %.0e | %.0f | %.0f |\n",
      name.c_str(), results.device.c_str(), count, proved, ends[0], ends[1], ends[2], results.again,
      pivots / static_cast<double>(count), residual,
      results.deviceSeconds > 0.0 ? static_cast<double>(count) / device : 0.0, perSecond);
  std::fflush(stdout);
  int const threads = s.options.threads > 0 ? s.options.threads : batch::allThreads();
  if (s.agree > 0) compareAnswers(s, items, results, threads);
  if (s.check) checkBits(s, solver, items, arrays, results);
}

shell::ExitStatus run(Settings const& s) {
  std::vector<Size> const sizes = s.problems.sizes();
  BatchSolver solver;
  std::printf(
      "| problems | solved on | count | answers | pivots each | residual | device, a second | a "
      "second |\n|---|---|---|---|---|---|---|---|\n");
  if (s.mixed > 0) {
    measure(s, solver, "mixed, 1 to " + std::to_string(s.most) + " rows and columns",
            bench::mixedItems(s.mixed, s.most, s.options.seed));
    return shell::ExitStatus::optimal;
  }
  for (Size const size : sizes)
    for (std::size_t const count : s.counts)
      measure(s, solver, bench::problemName(s.family, size.rows, size.columns),
              bench::familyItems(s.family, size, count > 0 ? count : usualCount(size), s.distinct,
                                 s.options.seed));
  return shell::ExitStatus::optimal;
}

shell::Run setUp(CLI::App& app) {
  auto const s = std::make_shared<Settings>();
  s->problems.familyName = "uniform";
  s->problems.sizeTexts = {"10x10", "28x32", "50x50", "100x100", "200x200"};
  s->problems.addTo(app);
  app.add_option("--count", s->counts,
                 "problems of a size, any number of times; 0: as many as take some seconds [0]")
      ->allow_extra_args(false);
  app.add_option("--block-threads", s->options.blockThreads,
                 "threads of a block on the device; 0: by size [0]")
      ->check(CLI::Range(0, 512));
  app.add_option("--repeats", s->repeats, "calls that are counted [3]")->check(CLI::Range(0, 1000));
  app.add_option("--agree", s->agree, "compare the first N answers with Clp's [0]");
  app.add_option("--distinct", s->distinct, "problems that differ; the others repeat them [20000]")
      ->check(CLI::PositiveNumber);
  app.add_option("--mixed", s->mixed,
                 "instead of sizes, so many problems of all families and free ones, optimal, "
                 "infeasible and unbounded, all different");
  app.add_option("--most", s->most, "rows and columns of one of these at most [50]")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--check-bits", s->check,
               "solve once more, and in another order, and compare all bits of the answers");
  shell::addSolverOptions(app, s->solver);
  return [s] {
    s->family = s->problems.family();
    static_cast<Options&>(s->options) = shell::solverOptions(s->solver, s->options);
    return run(*s);
  };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool(
      {"bench_batch", "Times batches of small dense problems, here and by other solvers.", setUp},
      count, words);
}
