// SPDX-License-Identifier: EPL-2.0
// Solves the test problems of OSI_CUDA_DATA with both algorithms, and with other solvers beside
// them, and prints tables in Markdown:
//     bench_netlib [--set netlib|kennington|all] [--only NAME]... [--min-cells N] [--max-cells N]
//                  [--memory-limit GB] [--part I/N] [--algorithm primal|dual|barrier|none]
//                  [--peer clp|highs|clp/primal|...]... [--peer-limit S] [--peer-presolve]
//                  [--results FILE] [--list] [solver options]    --presolve is off unless given
//     bench_netlib --print FILE... [--solvers LABEL,...] [--ratios]
// --results: a line is added for each problem and solver as it is finished; what has its line
// already is not run again. --part I/N: the I-th of N shares of about the same work, for several
// devices side by side. --memory-limit (60): problems whose tableau with its FP32 copy takes more
// are left out. --print: the tables of one or several results files.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/dense_model.hpp"
#include "bench/netlib_settings.hpp"
#include "bench/result_table.hpp"
#include "bench/results.hpp"
#include "bench/watchdog.hpp"
#include "osi_cuda/model/residuals.hpp"
#include "osi_cuda/solver.hpp"
#include "readers/read.hpp"

using namespace osi_cuda;
using bench::NetlibSettings;
using bench::Result;
using testing::Instance;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What another solver's answer may be off by, relative: their tolerances are 1e-7, not scaled
/// back. Ours has to be right to 1e-8, with residuals of 1e-9 or of rounding alone.
constexpr double peerError = 1e-6;

/// Seconds beyond its time limit after which a solve is ended with the process, exit status 75; a
/// restart goes on behind it.
constexpr double grace = 30.0;

/// The residual that rounding its values to doubles alone may give a vertex: half a unit in the
/// last place of the terms of a row, relative to 1 + |bound| as residuals are. At one optimal
/// vertex of greenbea, where rows of zero sum have terms of 3e8, that is 6e-8.
double roundingOf(LinearProgram const& lp, std::vector<double> const& x) {
  std::vector<double> terms(lp.rowLower.size(), 0.0);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e)
      terms[static_cast<std::size_t>(indices[e])] +=
          std::fabs(values[e] * x[static_cast<std::size_t>(j)]);
  }
  constexpr double half = 0.5 * std::numeric_limits<double>::epsilon();
  double largest = 0.0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    double const bound = std::isfinite(lp.rowLower[i])   ? lp.rowLower[i]
                         : std::isfinite(lp.rowUpper[i]) ? lp.rowUpper[i]
                                                         : 0.0;
    largest = std::max(largest, half * terms[i] / (1.0 + std::fabs(bound)));
  }
  return largest;
}

Result judged(Instance const& instance, LinearProgram const& lp, std::string const& solver,
              Solution const& solution, double seconds) {
  Result r{instance.name, lp.rows(), lp.columns(), solver, toString(solution.status)};
  r.iterations = solution.iterations;
  r.seconds = seconds;
  r.error = r.residual = std::numeric_limits<double>::quiet_NaN();
  bool const ours = bench::isOurs(solver);
  if (!instance.optimum) {
    r.right = solution.status == Status::infeasible &&
              (!ours || verifyFarkas(lp, solution.farkas, solution.farkasLow).proved);
    return r;
  }
  r.error = std::fabs(solution.objective - *instance.optimum) /
            std::max(1.0, std::fabs(*instance.optimum));
  r.residual = residualsOf(lp, solution).largest();
  r.right = solution.status == Status::optimal && r.error <= (ours ? 1e-8 : peerError) &&
            (!ours || r.residual <= std::max(1e-9, roundingOf(lp, solution.columnValues)));
  return r;
}

Result failed(Instance const& instance, LinearProgram const& lp, std::string const& solver,
              char const* status, double seconds) {
  Result r{instance.name, lp.rows(), lp.columns(), solver, status};
  r.seconds = seconds;
  r.error = r.residual = std::numeric_limits<double>::quiet_NaN();
  return r;
}

class Run {
 public:
  explicit Run(NetlibSettings const& settings) : settings_(settings), file_(settings.resultsFile) {}

  /// From the model in memory to the proved answer; the engine is open.
  void own(Instance const& instance, LinearProgram const& lp, AlgorithmChoice algorithm) {
    std::string const label = bench::ownLabel(settings_.options, algorithm);
    if (file_.has(instance.name, label)) return;
    Options options = settings_.options;
    openEngine(options);
    options.algorithm = algorithm;
    LinearProgram copy = lp;
    double const begin = now();
    bench::Watchdog const watchdog(options.timeLimit + grace, [&] {
      add(failed(instance, lp, label, "hung", now() - begin));
    });
    try {
      solver_.load(std::move(copy));
      Solution const solution = solver_.solve(options);
      add(judged(instance, lp, label, solution, now() - begin));
    } catch (std::bad_alloc const&) {
      add(failed(instance, lp, label, "no_memory", now() - begin));
      solver_ = Solver();
    } catch (EngineUnavailable const&) {  // a lost device is not there for the next one either
      add(failed(instance, lp, label, "engine_lost", now() - begin));
      throw;
    }
  }

  void peer(Instance const& instance, LinearProgram const& lp, Contestant const& peer) {
    std::string const label = peer.label() + (settings_.peerPresolve ? "/presolve" : "");
    if (file_.has(instance.name, label)) return;
    BridgeOptions options;
    options.algorithm = peer.algorithm;
    options.timeLimit = settings_.peerLimit;
    options.presolve = settings_.peerPresolve;
    double const begin = now();
    bench::Watchdog const watchdog(settings_.peerLimit + grace, [&] {
      add(failed(instance, lp, label, toString(Status::timeLimit), now() - begin));
    });
    try {
      Solution const solution = peer.bridge->solve(lp, options);
      add(judged(instance, lp, label, solution, solution.seconds));
    } catch (BridgeLimit const&) {
      add(failed(instance, lp, label, "refused", now() - begin));
    }
  }

  std::vector<Result> const& added() const { return added_; }

 private:
  void openEngine(Options const& options) {
    if (opened_) return;
    opened_ = true;
    double const begin = now();
    solver_.load(bench::denseModel(bench::DenseFamily::origin, 100, 50, 1));
    Solution const solution = solver_.solve(options);
    std::printf("opening the engine %s (%s) and a solve of 100 x 50: %.3f s\n\n",
                solution.engine.c_str(), solution.device.c_str(), now() - begin);
  }

  void add(Result const& r) {
    std::printf("%s, %d x %d, %s: %s%s, %lld pivots, %.3f s\n", r.problem.c_str(), r.rows,
                r.columns, r.solver.c_str(), r.right ? "" : "NOT RIGHT: ", r.status.c_str(),
                static_cast<long long>(r.iterations), r.seconds);
    std::fflush(stdout);
    file_.append(r);
    added_.push_back(r);
  }

  NetlibSettings const& settings_;
  bench::ResultsFile file_;
  Solver solver_;
  bool opened_ = false;
  std::vector<Result> added_;
};

void print(NetlibSettings const& settings, std::vector<Result> const& results) {
  auto const solvers = settings.solvers.empty() ? bench::solversOf(results) : settings.solvers;
  if (settings.ratios)
    std::printf("%s", bench::ratioTable(results, solvers).c_str());
  else
    std::printf("%s\n%s", bench::problemTable(results, solvers).c_str(),
                bench::summary(results, solvers).c_str());
}

int solveAll(NetlibSettings const& settings) {
  std::vector<Instance> left;
  std::vector<Instance> instances = bench::pickInstances(settings, left);
  for (Instance const& instance : left)
    std::fprintf(stderr, "left out: %s, whose tableau takes %.0f GB\n", instance.name.c_str(),
                 bench::tableauBytes(instance) / 1e9);
  if (settings.list) {
    for (auto i = instances.rbegin(); i != instances.rend(); ++i)
      std::printf("%s %.0f\n", i->name.c_str(), i->cells());
    return 0;
  }
  if (instances.empty()) {
    std::fprintf(stderr, "no such problems in OSI_CUDA_DATA\n");
    return 66;
  }
  Run run(settings);
  for (Instance const& instance : instances) {
    LinearProgram const lp = readers::read(instance.file).lp;
    for (auto const algorithm : settings.algorithms) run.own(instance, lp, algorithm);
    for (Contestant const& peer : settings.peers) run.peer(instance, lp, peer);
  }
  if (settings.whole()) {
    std::printf("\n");
    print(settings,
          settings.resultsFile.empty() ? run.added() : bench::readResults({settings.resultsFile}));
  }
  return std::all_of(run.added().begin(), run.added().end(),
                     [](Result const& r) { return r.right || !bench::isOurs(r.solver); })
             ? 0
             : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    NetlibSettings const settings = bench::parseNetlibSettings({argv + 1, argv + argc});
    if (settings.print.empty()) return solveAll(settings);
    print(settings, bench::readResults(settings.print));
    return 0;
  } catch (std::invalid_argument const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 64;
  } catch (EngineUnavailable const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 69;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 74;
  }
}
