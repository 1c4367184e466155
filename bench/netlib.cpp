// SPDX-License-Identifier: EPL-2.0
// Solves the test problems of OSI_CUDA_DATA with both algorithms, and with other solvers beside
// them: bench_netlib. docs/evidence/netlib_tables.py makes tables of what --results keeps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/dense_model.hpp"
#include "bridges/comparison.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solver.hpp"
#include "osi_cuda/stopwatch.hpp"
#include "readers/read.hpp"
#include "shell/program.hpp"
#include "shell/solver_options.hpp"
#include "tests/support/reference.hpp"

using namespace osi_cuda;
using testing::Instance;

namespace {

/// What bench_netlib was told.
struct Settings {
  Options options;  ///< time limit 120 s, no presolve
  std::vector<AlgorithmChoice> algorithms{AlgorithmChoice::primal, AlgorithmChoice::dual};
  std::vector<Contestant> peers;
  double peerLimit = 60.0;  ///< seconds
  bool peerPresolve = false;

  std::string set = "netlib";  ///< or "kennington", "all"
  std::vector<std::string> only;
  double minCells = 0.0, maxCells = 1e300;
  double memoryLimit = 60e9;  ///< bytes of a tableau with the FP32 copy that exact weights need
  std::string resultsFile;    ///< empty: none
};

/// What another solver's answer may be off by, relative: their tolerances are 1e-7, not scaled
/// back. Ours has to be right to 1e-8, with residuals of 1e-9 or of rounding alone.
constexpr double peerError = 1e-6;

/// One solver's run on one problem.
struct Result {
  std::string problem;
  int rows = 0, columns = 0;
  std::string solver;  ///< "cuda/primal", "clp/dual": who solved, and by what algorithm
  std::string status;  ///< as Status prints it, or a word for what came before a status
  bool ours = true;
  bool right = false;  ///< the known answer, to the accuracy that is asked of this solver
  std::int64_t iterations = 0;
  double seconds = 0.0;
  double error = std::nan("");     ///< of the objective, relative to the known optimum
  double residual = std::nan("");  ///< the largest in the original problem

  double cells() const { return static_cast<double>(rows) * columns; }
};

/// The residual that rounding the numbers of a vertex to doubles alone may give it: half a unit in
/// the last place of the terms of a row (A x) and of a column (A'y), relative to 1 + |bound| and
/// 1 + |cost| as residuals are. At one optimal vertex of greenbea, where rows of zero sum have
/// terms of 3e8, that is 6e-8; dfl001 has multipliers of 4e7.
double roundingOf(LinearProgram const& lp, Solution const& solution) {
  std::vector<double> terms(lp.rowLower.size(), 0.0);
  double largest = 0.0;
  for (int j = 0; j < lp.columns(); ++j) {
    double ofColumn = 0.0;
    for (auto const [i, a] : lp.matrix.column(j)) {
      terms[at(i)] += std::fabs(a * solution.columnValues[at(j)]);
      ofColumn += std::fabs(a * solution.rowDuals[at(i)]);
    }
    largest = std::max(largest, ofColumn / (1.0 + std::fabs(lp.objective[at(j)])));
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    double const bound = std::isfinite(lp.rowLower[i])   ? lp.rowLower[i]
                         : std::isfinite(lp.rowUpper[i]) ? lp.rowUpper[i]
                                                         : 0.0;
    largest = std::max(largest, terms[i] / (1.0 + std::fabs(bound)));
  }
  return 0.5 * std::numeric_limits<double>::epsilon() * largest;
}

/// What is known before the solve.
Result resultOf(Instance const& instance, LinearProgram const& lp, std::string const& solver,
                bool ours) {
  return {instance.name, lp.rows(), lp.columns(), solver, "", ours};
}

Result judged(Result r, Instance const& instance, LinearProgram const& lp, Solution const& solution,
              double seconds) {
  r.status = toString(solution.status);
  r.iterations = solution.iterations;
  r.seconds = seconds;
  if (!instance.optimum) {
    r.right = solution.status == Status::infeasible &&
              (!r.ours || verifyFarkas(lp, solution.farkas, solution.farkasLow).proved);
    return r;
  }
  r.error = std::fabs(solution.objective - *instance.optimum) /
            std::max(1.0, std::fabs(*instance.optimum));
  r.residual = residualsOf(lp, solution).largest();
  r.right = solution.status == Status::optimal && r.error <= (r.ours ? 1e-8 : peerError) &&
            (!r.ours || r.residual <= std::max(1e-9, roundingOf(lp, solution)));
  return r;
}

Result failed(Result r, char const* status, double seconds) {
  r.status = status;
  r.seconds = seconds;
  return r;
}

/// The label of our own runs: engine, algorithm, the pricing where it was asked for, and whether
/// there was a presolve.
std::string ownLabel(Options const& options, AlgorithmChoice algorithm) {
  std::string label = findOption("engine")->get(options);
  label += algorithm == AlgorithmChoice::primal    ? "/primal"
           : algorithm == AlgorithmChoice::barrier ? "/barrier"
                                                   : "/dual";
  if (options.pricing != Pricing::automatic) label += '/' + findOption("pricing")->get(options);
  if (options.presolve != Toggle::off) label += "/presolve";
  return label;
}

class Run {
 public:
  explicit Run(Settings const& settings) : settings_(settings) {
    if (settings.resultsFile.empty()) return;
    file_.open(settings.resultsFile);
    file_ << "problem,rows,columns,solver,status,right,pivots,seconds,error,residual" << std::endl;
    if (!file_)
      throw shell::Failure(shell::ExitStatus::cannotWrite, "can't write " + settings.resultsFile);
  }

  /// From the model in memory to the proved answer; the engine is open.
  void own(Instance const& instance, LinearProgram const& lp, AlgorithmChoice algorithm) {
    Result const known = resultOf(instance, lp, ownLabel(settings_.options, algorithm), true);
    Options options = settings_.options;
    openEngine(options);
    options.algorithm = algorithm;
    LinearProgram copy = lp;
    Stopwatch const watch;
    try {
      solver_.load(std::move(copy));
      Solution const solution = solver_.solve(options);
      add(judged(known, instance, lp, solution, watch.seconds()));
    } catch (std::bad_alloc const&) {
      add(failed(known, "no_memory", watch.seconds()));
      solver_ = Solver();
    } catch (EngineUnavailable const&) {  // a lost device is not there for the next one either
      add(failed(known, "engine_lost", watch.seconds()));
      throw;
    }
  }

  void peer(Instance const& instance, LinearProgram const& lp, Contestant const& peer) {
    Result const known =
        resultOf(instance, lp, peer.label() + (settings_.peerPresolve ? "/presolve" : ""), false);
    BridgeOptions options;
    options.algorithm = peer.algorithm;
    options.timeLimit = settings_.peerLimit;
    options.presolve = settings_.peerPresolve;
    Stopwatch const watch;
    try {
      Solution const solution = peer.bridge->solve(lp, options);
      add(judged(known, instance, lp, solution, solution.seconds));
    } catch (BridgeLimit const&) {
      add(failed(known, "refused", watch.seconds()));
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
    if (file_.is_open())
      file_ << fmt::format("{},{},{},{},{},{:d},{},{:.4f},{:.0e},{:.0e}", r.problem, r.rows,
                           r.columns, r.solver, r.status, r.right, r.iterations, r.seconds, r.error,
                           r.residual)
            << std::endl;
    added_.push_back(r);
  }

  Settings const& settings_;
  std::ofstream file_;
  Solver solver_;
  bool opened_ = false;
  std::vector<Result> added_;
};

/// exp(mean(log(seconds + shift))) - shift, which neither the quickest nor the slowest decide.
double shiftedMean(std::vector<Result> const& results) {
  constexpr double shift = 0.01;  // seconds
  double sum = 0.0;
  for (Result const& r : results) sum += std::log(r.seconds + shift);
  return std::exp(sum / static_cast<double>(results.size())) - shift;
}

/// Means of the seconds by size; what was not solved counts with the time it took.
void printMeans(std::vector<Result> const& all) {
  struct SizeClass {
    char const* name;
    double from, to;  ///< rows x columns
  };
  constexpr SizeClass sizeClasses[] = {{"all", 0.0, 1e300},
                                       {"up to 1e5", 0.0, 1e5},
                                       {"1e5 to 1.5e6", 1e5, 1.5e6},
                                       {"1.5e6 to 1e8", 1.5e6, 1e8},
                                       {"from 1e8", 1e8, 1e300}};
  fmt::print(
      "\n| solver | entries | problems | right | seconds, shifted geometric mean |\n"
      "|---|---|---|---|---|\n");
  std::vector<std::string> seen;
  for (Result const& first : all) {
    if (std::ranges::find(seen, first.solver) != seen.end()) continue;
    seen.push_back(first.solver);
    for (SizeClass const& size : sizeClasses) {
      std::vector<Result> chosen;
      std::ranges::copy_if(all, std::back_inserter(chosen), [&](Result const& r) {
        return r.solver == first.solver && r.cells() >= size.from && r.cells() < size.to;
      });
      if (!chosen.empty())
        fmt::print("| {} | {} | {} | {} | {:.4f} |\n", first.solver, size.name, chosen.size(),
                   std::ranges::count_if(chosen, &Result::right), shiftedMean(chosen));
    }
  }
}

std::vector<Instance> allInstances(std::string const& set) {
  std::vector<Instance> all;
  if (set != "kennington") all = testing::netlibInstances();
  if (set != "netlib")
    for (auto& instance : testing::kenningtonInstances()) all.push_back(std::move(instance));
  std::ranges::stable_sort(all, [](auto const& a, auto const& b) { return a.cells() < b.cells(); });
  return all;
}

/// Bytes of a dense tableau of that many entries with its FP32 copy.
double tableauBytes(Instance const& instance) {
  return instance.cells() * (sizeof(double) + sizeof(float));
}

/// The problems that these settings pick, by size; `left` takes those that the memory limit
/// leaves out.
std::vector<Instance> pickInstances(Settings const& s, std::vector<Instance>& left) {
  std::vector<Instance> fitting;
  for (auto& instance : allInstances(s.set)) {
    if (instance.cells() < s.minCells || instance.cells() > s.maxCells) continue;
    if (!s.only.empty() && std::ranges::find(s.only, instance.name) == s.only.end()) continue;
    (tableauBytes(instance) > s.memoryLimit ? left : fitting).push_back(std::move(instance));
  }
  return fitting;
}

shell::ExitStatus solveAll(Settings const& settings) {
  std::vector<Instance> left;
  std::vector<Instance> instances = pickInstances(settings, left);
  for (Instance const& instance : left)
    fmt::print(stderr, "left out: {}, whose tableau takes {:.0f} GB\n", instance.name,
               tableauBytes(instance) / 1e9);
  if (instances.empty())
    throw shell::Failure(shell::ExitStatus::noInput, "no such problems in OSI_CUDA_DATA");
  Run run(settings);
  for (Instance const& instance : instances) {
    LinearProgram const lp = readers::read(instance.file).lp;
    for (auto const algorithm : settings.algorithms) run.own(instance, lp, algorithm);
    for (Contestant const& peer : settings.peers) run.peer(instance, lp, peer);
  }
  printMeans(run.added());
  bool const right =
      std::ranges::all_of(run.added(), [](Result const& r) { return r.right || !r.ours; });
  return right ? shell::ExitStatus::optimal : shell::ExitStatus::noOptimum;
}

/// What is parsed once all has been read.
struct Texts {
  Settings settings;
  std::string algorithm;
  std::vector<std::string> peers, options;
  double memoryGigabytes = 60.0;
};

Settings settingsOf(Texts const& texts) {
  Settings s = texts.settings;
  s.options.timeLimit = 120.0;
  s.options.presolve = Toggle::off;  // as the peers, unless it is asked for
  s.options = shell::solverOptions(texts.options, s.options);
  s.memoryLimit = 1e9 * texts.memoryGigabytes;
  if (texts.algorithm == "primal") s.algorithms = {AlgorithmChoice::primal};
  if (texts.algorithm == "dual") s.algorithms = {AlgorithmChoice::dual};
  if (texts.algorithm == "barrier") s.algorithms = {AlgorithmChoice::barrier};
  if (texts.algorithm == "none") s.algorithms.clear();
  for (std::string const& text : texts.peers) try {
      for (Contestant& peer : parseContestants(text, bridges())) s.peers.push_back(std::move(peer));
    } catch (std::invalid_argument const& fault) {
      throw shell::Failure(shell::ExitStatus::usage, fault.what());
    }
  return s;
}

shell::Run setUp(CLI::App& app) {
  auto const texts = std::make_shared<Texts>();
  Settings& s = texts->settings;
  shell::addSolverOptions(app, texts->options);
  app.remove_option(app.get_option("--algorithm"));
  app.add_option("--set", s.set, "netlib, kennington or all [netlib]")
      ->check(CLI::IsMember({"netlib", "kennington", "all"}));
  app.add_option("--only", s.only, "problems by name")->allow_extra_args(false);
  app.add_option("--min-cells", s.minCells, "problems of that many rows x columns");
  app.add_option("--max-cells", s.maxCells, "problems of no more than that many");
  app.add_option("--memory-limit", texts->memoryGigabytes,
                 "GB: problems whose tableau with its FP32 copy takes more are left out [60]");
  app.add_option("--algorithm", texts->algorithm,
                 "primal, dual, barrier or none (only peers) [primal and dual]")
      ->check(CLI::IsMember({"primal", "dual", "barrier", "none"}));
  app.add_option("--peer", texts->peers, "clp, highs, clp/primal, ...")->allow_extra_args(false);
  app.add_option("--peer-limit", s.peerLimit, "seconds of another solver [60]");
  app.add_flag("--peer-presolve", s.peerPresolve, "the others may use their presolve");
  app.add_option("--results", s.resultsFile,
                 "a CSV file: a line for each problem and solver as it is finished");
  return [texts] { return solveAll(settingsOf(*texts)); };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool({"bench_netlib", "Solves test problems, beside other solvers.", setUp},
                        count, words);
}
