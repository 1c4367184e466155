// SPDX-License-Identifier: EPL-2.0
// Times whole solves of dense problems, from the model in memory to the proved answer:
//     bench_dense [--family origin|signed|uniform] [--size ROWSxCOLUMNS]... [--seed N] [--repeats
//     N]
//                 [--box U] [--results FILE] [--check] [solver options]
// --box adds the upper bound U to every column, so that the dual's long steps have something to do.
// One line a size: medians of the repeats; below it the phases of the first, if several. A first
// solve of a small problem, not timed here but printed, opens the engine: the context and the
// handles of its libraries. --results: a line for each size goes to that file too, for
// bench_netlib --print.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "bench/dense_model.hpp"
#include "bench/results.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/solver.hpp"

using namespace osi_cuda;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One solve: seconds of each part, and what came out.
struct Run {
  double total = 0.0;     ///< all of it
  double prepare = 0.0;   ///< standard form, upload, first tableau
  double pivoting = 0.0;  ///< until the last launch of pivots was accounted for
  double proof = 0.0;     ///< the rest
  struct Part {
    std::string name;
    std::int64_t pivots = 0;
    double seconds = 0.0;
  };
  std::vector<Part> phases;  ///< in their order
  Solution solution;
};

Run solveOnce(Solver& solver, LinearProgram lp, Options const& options) {
  Run run;
  double lastProgress = 0.0;
  Callbacks callbacks;
  std::int64_t lastPivots = 0;
  callbacks.progress = [&](Progress const& p) {
    if (run.phases.empty() || run.phases.back().name != p.phase) run.phases.push_back({p.phase});
    bool const pivots = std::string(p.phase) != "barrier";  // whose iterations are no pivots
    run.phases.back().pivots += p.iterations - (pivots ? lastPivots : run.phases.back().pivots);
    run.phases.back().seconds += p.seconds - lastProgress;
    if (pivots) lastPivots = p.iterations;
    lastProgress = p.seconds;
  };
  solver.load({});  // to give back the model before is no part of this solve
  double const begin = now();
  solver.load(std::move(lp));
  run.solution = solver.solve(options, callbacks);
  run.total = now() - begin;
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

struct Size {
  int rows, columns;
};

/// The line of a results file: "origin 1000 x 500", solved by "cuda/primal".
bench::Result resultOf(bench::DenseFamily family, Size size, Solution const& s,
                       Options const& options, double seconds) {
  bench::Result r;
  r.problem = bench::problemName(family, size.rows, size.columns);
  r.rows = size.rows;
  r.columns = size.columns;
  r.solver = s.engine + '/' + s.algorithm;
  if (options.pricing != PricingChoice::automatic) r.solver += '/' + s.pricing;
  if (options.threads > 0) r.solver += "/threads=" + std::to_string(options.threads);
  r.status = toString(s.status);
  r.residual = s.residuals.largest();
  r.right = s.status == Status::optimal && r.residual <= 1e-9;
  r.iterations = s.iterations;
  r.seconds = seconds;
  r.error = std::numeric_limits<double>::quiet_NaN();
  return r;
}

void measure(Solver& solver, LinearProgram const& lp, bench::DenseFamily family, Size size,
             int repeats, Options const& options, bench::ResultsFile& results) {
  std::vector<Run> runs;
  for (int repeat = 0; repeat < repeats; ++repeat) runs.push_back(solveOnce(solver, lp, options));
  Solution const& s = runs.front().solution;
  results.append(resultOf(family, size, s, options, median(runs, &Run::total)));
  double const pivoting = median(runs, &Run::pivoting);
  std::printf(
      "| %d x %d | %s | %s | %s | %s | %lld | %.4f | %.4f | %.4f | %.4f | %.2f | %.10g | %.0e |\n",
      size.rows, size.columns, s.engine.c_str(), s.algorithm.c_str(), s.pricing.c_str(),
      toString(s.status), static_cast<long long>(s.iterations), median(runs, &Run::total),
      median(runs, &Run::prepare), pivoting, median(runs, &Run::proof),
      1e6 * pivoting / static_cast<double>(std::max<std::int64_t>(1, s.iterations)), s.objective,
      s.residuals.largest());
  for (auto const& part : runs.front().phases)
    if (runs.front().phases.size() > 1)
      std::printf("|  %s: %lld pivots, %.4f s, %.2f us each\n", part.name.c_str(),
                  static_cast<long long>(part.pivots), part.seconds,
                  1e6 * part.seconds / static_cast<double>(std::max<std::int64_t>(1, part.pivots)));
  std::fflush(stdout);
}

void printCheck(bench::DenseFamily family, Size size, std::uint64_t seed) {
  auto const sums = bench::checkSums(bench::denseModel(family, size.rows, size.columns, seed));
  std::printf("%d x %d A %016llx b %016llx c %016llx\n", size.rows, size.columns,
              static_cast<unsigned long long>(sums.a), static_cast<unsigned long long>(sums.b),
              static_cast<unsigned long long>(sums.c));
}

int usage(std::string const& fault) {
  std::fprintf(stderr, "%s\n", fault.c_str());
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  auto family = bench::DenseFamily::origin;
  std::vector<Size> sizes;
  std::uint64_t seed = 1;
  int repeats = 5;
  double box = infinity;
  bool check = false;
  std::string resultsFile;
  for (int i = 1; i < argc; ++i) {
    std::string const name = argv[i];
    if (name == "--check") {
      check = true;
      continue;
    }
    if (i + 1 == argc || name.rfind("--", 0) != 0) return usage("what is " + name + "?");
    std::string const value = argv[++i];
    Size size{};
    if (name == "--family") {
      auto const known = bench::familyOf(value);
      if (!known) return usage("there is no family " + value);
      family = *known;
    } else if (name == "--size") {
      if (std::sscanf(value.c_str(), "%dx%d", &size.rows, &size.columns) != 2)
        return usage("a size looks like 1000x500");
      sizes.push_back(size);
    } else if (name == "--results") {
      resultsFile = value;
    } else if (name == "--seed") {
      seed = std::strtoull(value.c_str(), nullptr, 10);
      options.seed = seed;
    } else if (name == "--box") {
      box = std::atof(value.c_str());
    } else if (name == "--repeats") {
      repeats = std::max(1, std::atoi(value.c_str()));
    } else if (std::string const fault = setOption(options, name.substr(2), value);
               !fault.empty()) {
      return usage(fault);
    }
  }
  if (sizes.empty()) sizes = {{1000, 500}, {2000, 1000}};
  if (check) {
    for (Size const size : sizes) printCheck(family, size, seed);
    return 0;
  }
  try {
    bench::ResultsFile results(resultsFile);
    Solver solver;
    Run const first = solveOnce(solver, bench::denseModel(family, 100, 50, seed), options);
    std::printf("opening the engine %s (%s) and a solve of 100 x 50: %.3f s\n\n",
                first.solution.engine.c_str(), first.solution.device.c_str(), first.total);
    std::printf(
        "| rows x columns | engine | algorithm | pricing | status | pivots | seconds | form and "
        "upload | pivoting | proof | us a pivot | objective | residual |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (Size const size : sizes) {
      LinearProgram lp = bench::denseModel(family, size.rows, size.columns, seed);
      lp.columnUpper.assign(lp.columnUpper.size(), box);
      measure(solver, lp, family, size, repeats, options, results);
    }
  } catch (EngineUnavailable const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 69;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 74;
  }
  return 0;
}
