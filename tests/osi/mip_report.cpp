// SPDX-License-Identifier: EPL-2.0
//
// Cbc on OsiCuda and on OsiClp: optima, nodes, milliseconds per LP.
//
//     osi_mip_report [--engine NAME] [--pricing NAME] [--clp] [--repeats N] [--threads N] [--mix
//     NUMBER] [problem...]
//
// Fails when an optimum is not the known one or two repeats of a run differ.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "OsiClpSolverInterface.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/osi/mip_runs.hpp"

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
};

template <class Base>
bool report(char const* solverName, Problem const& problem, double sense, Mix mix,
            Settings const& settings) {
  double const known = sense > 0 ? problem.minimum : problem.maximum;
  if (std::isnan(known)) return true;
  if (problem.name == "lseu") mix.cuts &= ~static_cast<unsigned>(knapsack);
  bool good = true;
  MipRun first;
  for (int k = 0; k < settings.repeats; ++k) {
    Counting<Base> solver;
    solver.messageHandler()->setLogLevel(0);
    if constexpr (std::is_base_of_v<OsiCudaSolverInterface, Counting<Base>>) {
      solver.setSolverOption("engine", settings.engine);
      solver.setSolverOption("pricing", settings.pricing);
    }
    solver.readMps((std::string(OSI_CUDA_SAMPLE_FOLDER) + "/" + problem.name).c_str(), "mps");
    solver.setObjSense(sense);
    MipRun const run = branchAndCut(solver, mix, settings.threads);
    auto const& count = solver.count();
    auto const solves = static_cast<double>(count.number(SolveCount::solves));
    bool const right = run.proved && std::fabs(run.objective - known) < 1e-6 * std::fabs(known);
    if (k == 0) first = run;
    bool const same = settings.threads > 0 || run.nodes == first.nodes;
    good = good && right && same && count.abandoned == 0;
    std::printf(
        "%-5s %-6s %s %-32s %8.1f %s nodes %6d solves %6lld pivots %7lld ms/LP %6.3f total %6.2f s"
        " abandoned %lld%s\n",
        solverName, problem.name.c_str(), sense > 0 ? "min" : "max", mix.name, run.objective,
        right ? "ok   " : "WRONG", run.nodes, static_cast<long long>(solves),
        static_cast<long long>(count.pivots(SolveCount::solves)),
        1e3 * count.seconds(SolveCount::solves) / std::max(1.0, solves), run.seconds,
        static_cast<long long>(count.abandoned.load()), same ? "" : " NOT REPEATED");
    std::fflush(stdout);
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> chosen;
  bool clp = false;
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
    else if (!std::strcmp(argv[k], "--clp"))
      clp = true;
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
        good &= report<OsiCudaSolverInterface>("cuda", problem, sense, mixes()[k], settings);
        if (clp) report<OsiClpSolverInterface>("clp", problem, sense, mixes()[k], settings);
      }
    }
  }
  return good ? 0 : 1;
}
