// SPDX-License-Identifier: EPL-2.0
//
// Cbc on OsiCuda and on OsiClp: optima, nodes, milliseconds per LP.
//
//     osi_mip_report [--engine NAME] [--pricing NAME] [--clp | --only-clp] [--repeats N]
//     [--threads N] [--seconds N] [--mix NUMBER] [--check-cuts] [problem...]
//
// --check-cuts holds each cut against the optimal point of a search without cuts, in nodes that
// contain it. The last line counts runs. Fails when an optimum is not the known one or two repeats
// of a run differ.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "OsiClpSolverInterface.hpp"
#include "lab/osi/mip_runs.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

using namespace osi_cuda::testing;

namespace {

struct Problem {
  std::string name;
  double minimum, maximum;
};
std::vector<Problem> const problems{
    {"p0033", 3089, 5201}, {"p0201", 7615, 15300}, {"p0548", 8691, NAN}, {"lseu", 1120, NAN}};

struct Settings {
  std::string engine = "auto", pricing = "auto";
  int repeats = 1, threads = 0, mix = -1;
  double seconds = 0.0;
  bool checkCuts = false;
};

/// Runs of all problems.
int runs = 0, wrong = 0, unfinished = 0;

template <class Base>
bool report(char const* solverName, Problem const& problem, double sense, Mix mix,
            Settings const& settings) {
  double const known = sense > 0 ? problem.minimum : problem.maximum;
  if (std::isnan(known)) return true;
  if (problem.name == "lseu") mix.cuts &= ~static_cast<unsigned>(knapsack);
  bool good = true;
  MipRun first;
  CutCheck check;
  for (int k = 0; k < settings.repeats; ++k) {
    Counting<Base> solver;
    solver.messageHandler()->setLogLevel(0);
    if constexpr (std::is_base_of_v<OsiCudaSolverInterface, Counting<Base>>) {
      solver.setSolverOption("engine", settings.engine);
      solver.setSolverOption("pricing", settings.pricing);
    }
    solver.readMps((std::string(OSI_CUDA_SAMPLE_FOLDER) + "/" + problem.name).c_str(), "mps");
    solver.setObjSense(sense);
    if (settings.checkCuts && check.optimum.empty())
      check.optimum = branchAndCut(solver, mixes().front()).point;
    std::int64_t const before = check.wrong();
    MipRun const run = branchAndCut(solver, mix, settings.threads, {settings.seconds, 0.0, true},
                                    settings.checkCuts ? &check : nullptr);
    auto const& count = solver.count();
    auto const solves = static_cast<double>(count.number(SolveCount::solves));
    bool const right = run.proved && std::fabs(run.objective - known) < 1e-6 * std::fabs(known);
    bool const timedOut = !run.proved && settings.seconds > 0.0 && run.seconds >= settings.seconds;
    ++runs;
    unfinished += timedOut;
    wrong += !right && !timedOut;
    if (k == 0) first = run;
    bool const same = settings.threads > 0 || run.nodes == first.nodes;
    good = good && (right || timedOut) && same && count.abandoned == 0;
    std::printf(
        "%-5s %-6s %s %-32s %8.1f %s nodes %6d solves %6lld pivots %7lld ms/LP %6.3f total %6.2f s"
        " abandoned %lld%s%s\n",
        solverName, problem.name.c_str(), sense > 0 ? "min" : "max", mix.name, run.objective,
        right      ? "ok   "
        : timedOut ? "TIME "
                   : "WRONG",
        run.nodes, static_cast<long long>(solves),
        static_cast<long long>(count.pivots(SolveCount::solves)),
        1e3 * count.seconds(SolveCount::solves) / std::max(1.0, solves), run.seconds,
        static_cast<long long>(count.abandoned.load()), same ? "" : " NOT REPEATED",
        check.wrong() > before ? " CUT OFF" : "");
    std::fflush(stdout);
  }
  if (settings.checkCuts)
    for (auto const& [name, cut] : check.generators)
      std::printf("%s %s: %lld cuts, %lld cut off the optimum, by at most %.3g\n", solverName,
                  name.c_str(), static_cast<long long>(cut->cuts.load()),
                  static_cast<long long>(cut->wrong.load()), cut->worst.load());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> chosen;
  bool clp = false, cuda = true;
  for (int k = 1; k < argc; ++k) {
    bool const more = k + 1 < argc;
    if (!std::strcmp(argv[k], "--engine") && more)
      settings.engine = argv[++k];
    else if (!std::strcmp(argv[k], "--pricing") && more)
      settings.pricing = argv[++k];
    else if (!std::strcmp(argv[k], "--repeats") && more)
      settings.repeats = std::atoi(argv[++k]);
    else if (!std::strcmp(argv[k], "--threads") && more)
      settings.threads = std::atoi(argv[++k]);
    else if (!std::strcmp(argv[k], "--mix") && more)
      settings.mix = std::atoi(argv[++k]);
    else if (!std::strcmp(argv[k], "--seconds") && more)
      settings.seconds = std::atof(argv[++k]);
    else if (!std::strcmp(argv[k], "--check-cuts"))
      settings.checkCuts = true;
    else if (!std::strcmp(argv[k], "--clp"))
      clp = true;
    else if (!std::strcmp(argv[k], "--only-clp"))
      clp = !(cuda = false);
    else
      chosen.emplace_back(argv[k]);
  }
  bool good = true;
  for (Problem const& problem : problems) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), problem.name) == chosen.end())
      continue;
    for (double const sense : {1.0, -1.0}) {
      for (std::size_t k = 0; k < mixes().size(); ++k) {
        if (settings.mix >= 0 && static_cast<int>(k) != settings.mix) continue;
        if (cuda)
          good &= report<OsiCudaSolverInterface>("cuda", problem, sense, mixes()[k], settings);
        if (clp) report<OsiClpSolverInterface>("clp", problem, sense, mixes()[k], settings);
      }
    }
  }
  std::printf("%d runs, %d wrong, %d at the time limit\n", runs, wrong, unfinished);
  return good ? 0 : 1;
}
