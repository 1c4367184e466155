// SPDX-License-Identifier: EPL-2.0
//
// Re-solves a second under Cbc, OsiCuda beside OsiClp: a table of MIPs.
//
//     osi_resolve_report [--seconds S] [--rounds N] [--threads N] [--option NAME VALUE]...
//                        [--only cuda|clp] [--cuts few] [--gap FRACTION] [--calls] [--processor]
//                        FILE...
//
// A FILE may be the name of a dense MIP instead (dense_mips.hpp).
//
// Each file is searched with the seven cut generators of `resolveMix` for S seconds by one and the
// other in turn, N times. A line of a problem and side has
//
//     whole      re-solves (resolve and solveFromHotStart) a second of the whole search: Cbc, the
//     cut
//                generators and initialSolve take their share
//     resolves   re-solves a second inside these calls; then of resolve alone, and of
//     hot        solveFromHotStart alone: answers found in a launch of branches, too
//     pivots     a re-solve
//     re-solves  how many of both
//     device     per cent of them made on a device
//     cold, s    seconds inside initialSolve, which no rate counts
//
// Seconds are those of the clock on the wall that the searching thread spends inside the call, so
// that a wait for a device counts as much as work, and what another thread does not at all. With
// threads of Cbc's the seconds inside calls are summed over threads. --processor counts the
// processor time of the whole process instead, for a machine that others use: what waits is free
// then, and a device's driver is not. The limit S is by the same clock. Of several rounds the best
// rate of each side counts: what else the machine does can only lower it.
//
// The line after that has what the last search of a side came to; with a gap it ends there. `--cuts
// few` leaves probing and cliques of the seven generators. --calls tells where the seconds of each
// search went: calls of the interface by kind, and the rest, which is Cbc, Cgl, and getters. Fails
// where both searches end with proofs and other optima.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "OsiClpSolverInterface.hpp"
#include "lab/osi/mip_runs.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/support/dense_mips.hpp"

using namespace osi_cuda::testing;

namespace {

struct Settings {
  MipLimits limits{.seconds = 5.0};
  Mix mix = resolveMix();
  int rounds = 1, threads = 0;
  bool cuda = true, clp = true, calls = false, processor = false;
  std::vector<std::pair<std::string, std::string>> options;
  std::vector<std::string> files;
};

/// Re-solves a second.
struct Rates {
  double whole = 0.0, inside = 0.0, resolves = 0.0, hot = 0.0;
};

struct Side {
  Rates rates;
  double nodes = 0.0;   ///< a second
  double pivots = 0.0;  ///< a re-solve
  double cold = 0.0;    ///< seconds
  double device = 0.0;  ///< the share of re-solves made there
  std::int64_t solves = 0;
  int rows = 0, columns = 0;
  MipRun run;
};

/// Seconds by kind of call, of `seconds` in all, and how many calls.
void printCalls(char const* name, SolveCount const& count, double seconds) {
  std::printf("    %-4s %7.3f s:", name, seconds);
  double rest = seconds;
  for (std::size_t k = 0; k < callKinds.size(); ++k) {
    auto const kind = static_cast<CallKind>(k);
    rest -= count.seconds({kind});
    std::printf(" %s %.3f (%lld)", callKinds[k], count.seconds({kind}),
                static_cast<long long>(count.number({kind})));
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
Side search(std::string const& file, Settings const& settings) {
  Counting<Base> solver;
  clockid_t const clock = settings.processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  solver.timeBy(clock);
  solver.messageHandler()->setLogLevel(0);
  if constexpr (std::is_base_of_v<OsiCudaSolverInterface, Counting<Base>>) {
    solver.setSolverOption("engine", "host");
    solver.setSolverOption("threads", "1");
    for (auto const& [name, value] : settings.options) solver.setSolverOption(name, value);
  }
  Side side;
  if (isDenseMip(file)) {
    loadDenseMip(solver, denseMip(file));
  } else if (solver.readMps(file.c_str(), "") != 0) {
    std::fprintf(stderr, "osi_resolve_report: %s cannot be read.\n", file.c_str());
    std::exit(65);
  }
  side.rows = solver.getNumRows();
  side.columns = solver.getNumCols();
  std::int64_t const begin = nanosecondsNow(clock);
  side.run = branchAndCut(solver, settings.mix, settings.threads, settings.limits);
  double const seconds = std::max(1e-6, 1e-9 * static_cast<double>(nanosecondsNow(clock) - begin));
  SolveCount const& count = solver.count();
  if (settings.calls)
    printCalls(std::is_same_v<Base, OsiCudaSolverInterface> ? "cuda" : "clp", count, seconds);
  side.solves = count.number(SolveCount::resolves);
  auto const number = static_cast<double>(side.solves);
  auto const rate = [&](std::initializer_list<CallKind> kinds) {
    return static_cast<double>(count.number(kinds)) / std::max(count.seconds(kinds), 1e-9);
  };
  side.rates = {number / seconds, rate(SolveCount::resolves), rate({CallKind::resolve}),
                rate({CallKind::hot})};
  side.nodes = side.run.nodes / seconds;
  side.pivots = static_cast<double>(count.pivots(SolveCount::resolves)) / std::max(number, 1.0);
  side.cold = count.seconds({CallKind::cold});
  side.device = static_cast<double>(count.onDevice) / std::max(number, 1.0);
  return side;
}

void keepBest(Side& best, Side const& present) {
  if (best.rows == 0) best = present;
  for (double Rates::*const rate : {&Rates::whole, &Rates::inside, &Rates::resolves, &Rates::hot})
    best.rates.*rate = std::max(best.rates.*rate, present.rates.*rate);
  best.nodes = std::max(best.nodes, present.nodes);
  best.run = present.run;
}

bool agree(Side const& a, Side const& b, double allowed) {
  if (!a.run.proved || !b.run.proved) return true;
  double const gap = std::fabs(a.run.objective - b.run.objective);
  return gap <= std::max(1e-6, allowed) * std::max(1.0, std::fabs(b.run.objective));
}

void print(std::string const& problem, char const* name, Side const& side) {
  auto const& [whole, inside, resolves, hot] = side.rates;
  MipRun const& run = side.run;
  std::printf("%-20s %5d x %-5d %-4s %8.1f %9.1f %8.1f %8.1f %7.1f %9lld %6.0f %8.2f %8.1f\n",
              problem.c_str(), side.rows, side.columns, name, whole, inside, resolves, hot,
              side.pivots, static_cast<long long>(side.solves), 100.0 * side.device, side.cold,
              side.nodes);
  std::printf("  %s: objective %.10g, gap %.3g %%, %s, %.2f s of wall time, %d nodes\n", name,
              run.objective, 100.0 * run.gap, run.proved ? "ended" : "out of time", run.seconds,
              run.nodes);
}

std::string baseName(std::string const& file) {
  std::string const name = file.substr(file.find_last_of('/') + 1);
  return isDenseMip(file) ? file : name.substr(0, name.find('.'));
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int k = 1; k < argc; ++k) {
    auto const is = [&](char const* word, int more) {
      return !std::strcmp(argv[k], word) && k + more < argc;
    };
    if (is("--calls", 0)) {
      settings.calls = true;
    } else if (is("--processor", 0)) {
      settings.processor = true;
    } else if (is("--seconds", 1)) {
      settings.limits.seconds = std::atof(argv[++k]);
    } else if (is("--gap", 1)) {
      settings.limits.gap = std::atof(argv[++k]);
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
  settings.limits.wall = !settings.processor;
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

int main(int argc, char** argv) try {
  constexpr double smallCells = 1e5;  // entries of the tableau
  Settings const settings = parse(argc, argv);
  bool good = true;
  Mean small, all, smallInside, allInside;
  std::printf("%-20s %13s %-4s %8s %9s %8s %8s %7s %9s %6s %8s %8s\n", "problem", "size", "side",
              "whole", "resolves", "resolve", "hot", "pivots", "re-solves", "device", "cold, s",
              "nodes/s");
  for (std::string const& file : settings.files) {
    Side cuda, clp;
    for (int round = 0; round < settings.rounds; ++round) {
      if (settings.cuda) keepBest(cuda, search<OsiCudaSolverInterface>(file, settings));
      if (settings.clp) keepBest(clp, search<OsiClpSolverInterface>(file, settings));
    }
    if (settings.cuda) print(baseName(file), "cuda", cuda);
    if (settings.clp) print(baseName(file), "clp", clp);
    if (cuda.solves > 0 && clp.solves > 0) {
      double const whole = cuda.rates.whole / clp.rates.whole,
                   inside = cuda.rates.inside / clp.rates.inside;
      bool const isSmall = static_cast<double>(cuda.rows) * cuda.columns <= smallCells,
                 same = agree(cuda, clp, settings.limits.gap);
      good = good && same;
      all.add(whole);
      allInside.add(inside);
      if (isSmall) small.add(whole);
      if (isSmall) smallInside.add(inside);
      std::printf("  cuda / clp: whole search %.2f, in re-solves %.2f%s%s\n", whole, inside,
                  cuda.run.proved && clp.run.proved ? ", both proved" : "",
                  same ? "" : "  OTHER OPTIMA");
    }
    std::fflush(stdout);
  }
  small.print("up to 100,000 entries");
  all.print("all");
  smallInside.print("up to 100,000 entries, in re-solves");
  allInside.print("all, in re-solves");
  return good ? 0 : 1;
} catch (CoinError const& error) {  // which is no std::exception
  std::fprintf(stderr, "osi_resolve_report: %s: %s\n", error.methodName().c_str(),
               error.message().c_str());
  return 70;
}
