// SPDX-License-Identifier: EPL-2.0
// What each cut generator costs and gains under Cbc on OsiCuda: osi_cuts_report.
//
//     osi_cuts_report [--seconds S] [--only MIX]... NAME...
//
// A NAME is a file, or a dense MIP (dense_mips.hpp). Each is searched by seven generators, by all
// but one, by one alone and by none, on one thread of the host engine, for S processor seconds. It
// prints CSV: a line for each search (`generator` empty), and one for each generator of a search.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "CbcModel.hpp"  // what the next two need

#include "CbcCutGenerator.hpp"
#include "CbcHeuristic.hpp"
#include "lab/osi/mip_runs.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/support/dense_mips.hpp"

using namespace osi_cuda::testing;

namespace {

constexpr std::pair<char const*, unsigned> generators[] = {
    {"Probing", probing}, {"Gomory", gomory},  {"Knapsack", knapsack}, {"Clique", clique},
    {"MIR", mir},         {"FlowCover", flow}, {"TwoMIR", twoMir}};

std::vector<std::pair<std::string, unsigned>> cutMixes() {
  unsigned all = 0;
  for (auto const& [name, bit] : generators) all |= bit;
  std::vector<std::pair<std::string, unsigned>> mixes{{"all", all}, {"none", 0u}};
  for (auto const& [name, bit] : generators) {
    mixes.emplace_back(std::string("no ") + name, all & ~bit);
    mixes.emplace_back(std::string("only ") + name, bit);
  }
  mixes.emplace_back("Probing + Clique", probing | clique);
  mixes.emplace_back("Probing + Clique + Gomory", probing | clique | gomory);
  return mixes;
}

void load(OsiSolverInterface& solver, std::string const& name) {
  if (!isDenseMip(name)) {
    if (solver.readMps(name.c_str(), "") == 0) return;
    std::fprintf(stderr, "osi_cuts_report: %s cannot be read.\n", name.c_str());
    std::exit(65);
  }
  osi_cuda::LinearProgram const lp = denseMip(name);
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  solver.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                     lp.matrix.values.data(), lp.columnLower.data(), lp.columnUpper.data(),
                     lp.objective.data(), lp.rowLower.data(), lp.rowUpper.data());
  for (int j = 0; j < lp.columns(); ++j) solver.setInteger(j);
}

void report(std::string const& name, std::string const& mix, unsigned cuts, double limit) {
  Counting<OsiCudaSolverInterface> solver;
  solver.messageHandler()->setLogLevel(0);
  solver.setSolverOption("engine", "host");
  solver.setSolverOption("threads", "1");
  load(solver, name);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  addCuts(model, cuts);
  for (int k = 0; k < model.numberCutGenerators(); ++k) model.cutGenerator(k)->setTiming(true);
  CbcRounding rounding(model);
  model.addHeuristic(&rounding);
  model.setNumberStrong(5);
  model.setNumberBeforeTrust(5);
  model.setMaximumSeconds(limit);
  std::int64_t const begin = nanosecondsNow(CLOCK_THREAD_CPUTIME_ID);
  model.initialSolve();
  double const relaxed = model.solver()->getObjValue();
  model.branchAndBound();
  double const seconds =
      1e-9 * static_cast<double>(nanosecondsNow(CLOCK_THREAD_CPUTIME_ID) - begin);
  auto const& count = solver.count();
  double const best = model.getObjValue(), bound = model.getBestPossibleObjValue();
  std::printf("%s,%s,,%.3f,%.3f,%lld,%d,%d,%.9g,%.9g,%.9g,%.9g,,,\n", name.c_str(), mix.c_str(),
              seconds, count.seconds(SolveCount::solves),
              static_cast<long long>(count.number(SolveCount::solves)), model.getNodeCount(),
              model.isProvenOptimal() ? 1 : 0, relaxed, model.getContinuousObjective(), bound,
              best);
  for (int k = 0; k < model.numberCutGenerators(); ++k) {
    CbcCutGenerator const& generator = *model.cutGenerator(k);
    std::printf("%s,%s,%s,,,,,,,,,,%d,%d,%.3f\n", name.c_str(), mix.c_str(),
                generator.cutGeneratorName(), generator.numberTimesEntered(),
                generator.numberCutsInTotal(), generator.timeInCutGenerator());
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 20.0;
  std::vector<std::string> names, only;
  for (int k = 1; k < argc; ++k) {
    if (!std::strcmp(argv[k], "--seconds") && k + 1 < argc)
      seconds = std::atof(argv[++k]);
    else if (!std::strcmp(argv[k], "--only") && k + 1 < argc)
      only.emplace_back(argv[++k]);
    else
      names.emplace_back(argv[k]);
  }
  std::printf(
      "problem,mix,generator,seconds,lp_seconds,lps,nodes,proved,relaxation,root_bound,bound,best,"
      "calls,cuts,generator_seconds\n");
  for (std::string const& name : names)
    for (auto const& [mix, cuts] : cutMixes())
      if (only.empty() || std::find(only.begin(), only.end(), mix) != only.end())
        report(name, mix, cuts, seconds);
  return 0;
}
