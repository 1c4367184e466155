// SPDX-License-Identifier: EPL-2.0
// Solves the test problems of OSI_CUDA_DATA with both algorithms, and with other solvers beside
// them, and prints tables in Markdown: bench_netlib.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "bench/dense_model.hpp"
#include "bench/netlib_settings.hpp"
#include "bench/result_table.hpp"
#include "bench/results.hpp"
#include "bench/watchdog.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solver.hpp"
#include "osi_cuda/stopwatch.hpp"
#include "readers/read.hpp"
#include "shell/program.hpp"

using namespace osi_cuda;
using bench::NetlibSettings;
using bench::Result;
using testing::Instance;

namespace {

/// What another solver's answer may be off by, relative: their tolerances are 1e-7, not scaled
/// back. Ours has to be right to 1e-8, with residuals of 1e-9 or of rounding alone.
constexpr double peerError = 1e-6;

/// Seconds beyond its time limit after which a solve is ended with the process, exit status 75; a
/// restart goes on behind it.
constexpr double grace = 30.0;

/// The residual that rounding the numbers of a vertex to doubles alone may give it: half a unit in
/// the last place of the terms of a row (A x) and of a column (A'y), relative to 1 + |bound| and
/// 1 + |cost| as residuals are. At one optimal vertex of greenbea, where rows of zero sum have
/// terms of 3e8, that is 6e-8; dfl001 has multipliers of 4e7.
double roundingOf(LinearProgram const& lp, Solution const& solution) {
  std::vector<double> terms(lp.rowLower.size(), 0.0);
  double largest = 0.0;
  for (int j = 0; j < lp.columns(); ++j) {
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    auto const column = static_cast<std::size_t>(j);
    double ofColumn = 0.0;
    for (std::size_t e = 0; e < indices.size(); ++e) {
      auto const row = static_cast<std::size_t>(indices[e]);
      terms[row] += std::fabs(values[e] * solution.columnValues[column]);
      ofColumn += std::fabs(values[e] * solution.rowDuals[row]);
    }
    largest = std::max(largest, ofColumn / (1.0 + std::fabs(lp.objective[column])));
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    double const bound = std::isfinite(lp.rowLower[i])   ? lp.rowLower[i]
                         : std::isfinite(lp.rowUpper[i]) ? lp.rowUpper[i]
                                                         : 0.0;
    largest = std::max(largest, terms[i] / (1.0 + std::fabs(bound)));
  }
  return 0.5 * std::numeric_limits<double>::epsilon() * largest;
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
            (!ours || r.residual <= std::max(1e-9, roundingOf(lp, solution)));
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
    Stopwatch const watch;
    bench::Watchdog const watchdog(options.timeLimit + grace, [&] {
      add(failed(instance, lp, label, "hung", watch.seconds()));
    });
    try {
      solver_.load(std::move(copy));
      Solution const solution = solver_.solve(options);
      add(judged(instance, lp, label, solution, watch.seconds()));
    } catch (std::bad_alloc const&) {
      add(failed(instance, lp, label, "no_memory", watch.seconds()));
      solver_ = Solver();
    } catch (EngineUnavailable const&) {  // a lost device is not there for the next one either
      add(failed(instance, lp, label, "engine_lost", watch.seconds()));
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
    Stopwatch const watch;
    bench::Watchdog const watchdog(settings_.peerLimit + grace, [&] {
      add(failed(instance, lp, label, toString(Status::timeLimit), watch.seconds()));
    });
    try {
      Solution const solution = peer.bridge->solve(lp, options);
      add(judged(instance, lp, label, solution, solution.seconds));
    } catch (BridgeLimit const&) {
      add(failed(instance, lp, label, "refused", watch.seconds()));
    }
  }

  std::vector<Result> const& added() const { return added_; }

 private:
  void openEngine(Options options) {
    if (opened_) return;
    opened_ = true;
    Stopwatch const watch;
    LinearProgram const lp = bench::denseModel(bench::DenseFamily::origin, 1000, 500, 1);
    solver_.load(lp);
    options.algorithm = AlgorithmChoice::dual;
    Solution const solution = solver_.solve(options);
    // From its basis again: a refactorisation is the first use of more libraries of a device.
    solver_.load(lp);
    solver_.setBasis(solution.basis);
    solver_.solve(options);
    fmt::print("opening the engine {} ({}) and two solves of 1000 x 500: {:.3f} s\n\n",
               solution.engine, solution.device, watch.seconds());
  }

  void add(Result const& r) {
    fmt::print("{}, {} x {}, {}: {}{}, {} pivots, {:.3f} s\n", r.problem, r.rows, r.columns,
               r.solver, r.right ? "" : "NOT RIGHT: ", r.status, r.iterations, r.seconds);
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
    fmt::print("{}", bench::ratioTable(results, solvers));
  else
    fmt::print("{}\n{}", bench::problemTable(results, solvers), bench::summary(results, solvers));
}

shell::ExitStatus solveAll(NetlibSettings const& settings) {
  std::vector<Instance> left;
  std::vector<Instance> instances = bench::pickInstances(settings, left);
  for (Instance const& instance : left)
    fmt::print(stderr, "left out: {}, whose tableau takes {:.0f} GB\n", instance.name,
               bench::tableauBytes(instance) / 1e9);
  if (settings.list) {
    for (auto i = instances.rbegin(); i != instances.rend(); ++i)
      fmt::print("{} {:.0f}\n", i->name, i->cells());
    return shell::ExitStatus::optimal;
  }
  if (instances.empty())
    throw shell::Failure(shell::ExitStatus::noInput, "no such problems in OSI_CUDA_DATA");
  Run run(settings);
  for (Instance const& instance : instances) {
    LinearProgram const lp = readers::read(instance.file).lp;
    for (auto const algorithm : settings.algorithms) run.own(instance, lp, algorithm);
    for (Contestant const& peer : settings.peers) run.peer(instance, lp, peer);
  }
  if (settings.whole()) {
    fmt::print("\n");
    print(settings,
          settings.resultsFile.empty() ? run.added() : bench::readResults({settings.resultsFile}));
  }
  bool const right = std::all_of(run.added().begin(), run.added().end(), [](Result const& r) {
    return r.right || !bench::isOurs(r.solver);
  });
  return right ? shell::ExitStatus::optimal : shell::ExitStatus::noOptimum;
}

shell::Run setUp(CLI::App& app) {
  return [settingsOf = bench::addNetlibSettings(app)] {
    NetlibSettings const settings = settingsOf();
    if (settings.print.empty()) return solveAll(settings);
    print(settings, bench::readResults(settings.print));
    return shell::ExitStatus::optimal;
  };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool(
      {"bench_netlib", "Solves test problems beside other solvers and prints tables.", setUp},
      count, words);
}
