// SPDX-License-Identifier: EPL-2.0
//
// Re-solves a second under Cbc, OsiCuda beside OsiClp: a table of MIPs.
//
//     osi_resolve_report [--seconds S] [--rounds N] [--threads N] [--option NAME VALUE]...
//                        [--only cuda|clp] [--cuts few] [--gap FRACTION] [--calls] FILE...
//
// A FILE may be the name of a dense MIP instead (dense_mips.hpp).
//
// Each file is searched with the seven cut generators of `resolveMix` for S processor seconds by
// one and the other in turn, N times. A rate is the number of solves (initialSolve, resolve and
// solveFromHotStart) over the processor seconds of the whole search; "in solves" counts the seconds
// inside these calls only. Of several rounds the best rate of each side counts: what else the
// machine does can only lower it. With threads of Cbc's the seconds are those of a clock on the
// wall, and so is the limit with a gap, at which a search ends. The second line of a problem has
// what the last search of each side came to. `--cuts few` leaves probing and cliques of the seven
// generators. --calls tells where the seconds of each search went: calls of the interface by kind,
// and the rest, which is Cbc, Cgl, and getters. Fails where both searches end with proofs and other
// optima.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "OsiClpSolverInterface.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/osi/dense_mips.hpp"
#include "tests/osi/mip_runs.hpp"

using namespace osi_cuda::testing;

namespace {

struct Settings {
  MipLimits limits{.seconds = 5.0};
  Mix mix = resolveMix();
  int rounds = 1, threads = 0;
  bool cuda = true, clp = true, calls = false;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::string> files;
};

double processorSeconds() {
  return 1e-9 * static_cast<double>(processorNanoseconds(true));
}

struct Rate {
  double whole = 0.0, inSolves = 0.0;  ///< solves a second
  double nodes = 0.0;                  ///< a second
  double pivots = 0.0;                 ///< a solve
  long long solves = 0;
  int rows = 0, columns = 0;
  MipRun run;
};

/// Seconds by kind of call, of `seconds` in all, and how many calls.
void printCalls(char const* name, SolveCount const& count, double seconds) {
  std::printf("    %-4s %7.3f s:", name, seconds);
  double rest = seconds;
  for (std::size_t k = 0; k < callKinds.size(); ++k) {
    double const part = 1e-9 * static_cast<double>(count.nanosecondsOf[k]);
    rest -= part;
    std::printf(" %s %.3f (%lld)", callKinds[k], part,
                static_cast<long long>(count.calls[k].load()));
  }
  std::printf(" rest %.3f\n", rest);
}

void loadDenseMip(OsiSolverInterface& solver, osi_cuda::LinearProgram const& lp) {
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  solver.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                     lp.matrix.values.data(), lp.columnLower.data(), lp.columnUpper.data(),
                     lp.objective.data(), lp.rowLower.data(), lp.rowUpper.data());
  for (int j = 0; j < lp.columns(); ++j) solver.setInteger(j);
}

template <class Base>
Rate rateOf(std::string const& file, Settings const& settings) {
  Counting<Base> solver;
  if (settings.threads == 0) solver.timeProcess();
  solver.messageHandler()->setLogLevel(0);
  if constexpr (std::is_base_of_v<OsiCudaSolverInterface, Counting<Base>>) {
    solver.setSolverOption("engine", "host");
    solver.setSolverOption("threads", "1");
    for (auto const& [name, value] : settings.options) solver.setSolverOption(name, value);
  }
  Rate rate;
  if (isDenseMip(file)) {
    loadDenseMip(solver, denseMip(file));
  } else if (solver.readMps(file.c_str(), "") != 0) {
    std::fprintf(stderr, "osi_resolve_report: %s cannot be read.\n", file.c_str());
    std::exit(65);
  }
  rate.rows = solver.getNumRows();
  rate.columns = solver.getNumCols();
  double const begin = processorSeconds();
  rate.run = branchAndCut(solver, settings.mix, settings.threads, settings.limits);
  double const seconds = settings.threads > 0 ? rate.run.seconds : processorSeconds() - begin;
  auto const& count = solver.count();
  if (settings.calls)
    printCalls(std::is_same_v<Base, OsiCudaSolverInterface> ? "cuda" : "clp", count, seconds);
  rate.solves = count.solves;
  auto const solves = static_cast<double>(rate.solves);
  rate.whole = solves / std::max(seconds, 1e-6);
  rate.nodes = rate.run.nodes / std::max(seconds, 1e-6);
  rate.inSolves = 1e3 / std::max(count.millisecondsPerSolve(), 1e-9);
  rate.pivots = static_cast<double>(count.iterations) / std::max(solves, 1.0);
  return rate;
}

void keepBest(Rate& best, Rate const& present) {
  if (best.solves == 0) best = present;
  best.whole = std::max(best.whole, present.whole);
  best.inSolves = std::max(best.inSolves, present.inSolves);
  best.nodes = std::max(best.nodes, present.nodes);
  best.run = present.run;
}

bool agree(Rate const& a, Rate const& b, double allowed) {
  if (!a.run.proved || !b.run.proved) return true;
  double const gap = std::fabs(a.run.objective - b.run.objective);
  return gap <= std::max(1e-6, allowed) * std::max(1.0, std::fabs(b.run.objective));
}

void printEnd(char const* side, Rate const& rate) {
  MipRun const& run = rate.run;
  std::printf("  %s: objective %.10g, gap %.3g %%, %s, %.2f s of wall time, %d nodes\n", side,
              run.objective, 100.0 * run.gap, run.proved ? "ended" : "out of time", run.seconds,
              run.nodes);
}

std::string baseName(std::string const& file) {
  std::string const name = file.substr(file.find_last_of('/') + 1);
  return name.substr(0, name.find('.'));
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int k = 1; k < argc; ++k) {
    auto const is = [&](char const* word, int more) {
      return !std::strcmp(argv[k], word) && k + more < argc;
    };
    if (is("--calls", 0)) {
      settings.calls = true;
    } else if (is("--seconds", 1)) {
      settings.limits.seconds = std::atof(argv[++k]);
    } else if (is("--gap", 1)) {
      settings.limits.gap = std::atof(argv[++k]);
      settings.limits.wall = true;
    } else if (is("--cuts", 1)) {
      if (!std::strcmp(argv[++k], "few")) settings.mix = fewCutsMix();
    } else if (is("--rounds", 1)) {
      settings.rounds = std::atoi(argv[++k]);
    } else if (is("--threads", 1)) {
      settings.threads = std::atoi(argv[++k]);
    } else if (is("--only", 1)) {
      settings.clp = !std::strcmp(argv[++k], "clp");
      settings.cuda = !settings.clp;
    } else if (is("--option", 2)) {
      settings.options.emplace_back(argv[k + 1], argv[k + 2]);
      k += 2;
    } else {
      settings.files.emplace_back(argv[k]);
    }
  }
  return settings;
}

/// The geometric mean of some ratios, and how many they are.
class Mean {
 public:
  void add(double ratio) {
    sum_ += std::log(ratio);
    ++count_;
    least_ = std::min(least_, ratio);
  }
  void print(char const* what) const {
    if (count_ > 0)
      std::printf("%s: geometric mean %.2f of %d ratios, the least %.2f\n", what,
                  std::exp(sum_ / count_), count_, least_);
  }

 private:
  double sum_ = 0.0, least_ = 1e300;
  int count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  constexpr double smallCells = 1e5;  // entries of the tableau
  Settings const settings = parse(argc, argv);
  bool good = true;
  Mean small, all, smallInSolves, allInSolves;
  std::printf("%-12s %13s | %8s %8s %7s %8s %8s | %8s %8s %7s %8s %8s | %6s %9s\n", "problem",
              "size", "cuda", "in solve", "pivots", "solves", "nodes/s", "clp", "in solve",
              "pivots", "solves", "nodes/s", "ratio", "in solves");
  for (std::string const& file : settings.files) {
    Rate cuda, clp;
    for (int round = 0; round < settings.rounds; ++round) {
      if (settings.cuda) keepBest(cuda, rateOf<OsiCudaSolverInterface>(file, settings));
      if (settings.clp) keepBest(clp, rateOf<OsiClpSolverInterface>(file, settings));
    }
    Rate const& known = settings.cuda ? cuda : clp;
    bool const same = !(settings.cuda && settings.clp) || agree(cuda, clp, settings.limits.gap);
    good = good && same;
    bool const compared = cuda.whole > 0.0 && clp.whole > 0.0;
    double const ratio = compared ? cuda.whole / clp.whole : NAN,
                 inSolves = compared ? cuda.inSolves / clp.inSolves : NAN;
    if (compared) {
      bool const isSmall = static_cast<double>(known.rows) * known.columns <= smallCells;
      all.add(ratio);
      allInSolves.add(inSolves);
      if (isSmall) small.add(ratio);
      if (isSmall) smallInSolves.add(inSolves);
    }
    std::printf(
        "%-12s %5d x %5d | %8.1f %8.1f %7.1f %8lld %8.1f | %8.1f %8.1f %7.1f %8lld %8.1f | %6.2f "
        "%9.2f%s%s\n",
        baseName(file).c_str(), known.rows, known.columns, cuda.whole, cuda.inSolves, cuda.pivots,
        cuda.solves, cuda.nodes, clp.whole, clp.inSolves, clp.pivots, clp.solves, clp.nodes, ratio,
        inSolves, cuda.run.proved && clp.run.proved ? "  both proved" : "",
        same ? "" : "  OTHER OPTIMA");
    if (settings.cuda) printEnd("cuda", cuda);
    if (settings.clp) printEnd("clp", clp);
    std::fflush(stdout);
  }
  small.print("up to 100,000 entries");
  all.print("all");
  smallInSolves.print("up to 100,000 entries, in solves");
  allInSolves.print("all, in solves");
  return good ? 0 : 1;
}
