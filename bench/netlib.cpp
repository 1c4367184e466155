// SPDX-License-Identifier: EPL-2.0
// Solves the test problems of OSI_CUDA_DATA with both algorithms and prints a table in Markdown:
//     bench_netlib [--engine host|cuda] [--min-cells N] [--max-cells N] [--time-limit S]
//     [--pricing P] [--kennington]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "osi_cuda/model/residuals.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/solver.hpp"
#include "readers/read.hpp"
#include "tests/support/reference.hpp"

using namespace osi_cuda;

namespace {

struct Outcome {
  Solution solution;
  double error = 0.0;  ///< of the objective, relative
  double residual = 0.0;
  bool right = false;
};

Outcome solve(LinearProgram const& lp, testing::Instance const& instance, Options options,
              AlgorithmChoice algorithm) {
  options.algorithm = algorithm;
  Outcome r;
  r.solution = Solver(lp).solve(options);
  if (instance.optimum) {
    r.error = std::fabs(r.solution.objective - *instance.optimum) /
              std::max(1.0, std::fabs(*instance.optimum));
    r.residual = residualsOf(lp, r.solution).largest();
    r.right = r.solution.status == Status::optimal && r.error <= 1e-8 && r.residual <= 1e-9;
  } else {
    r.right = r.solution.status == Status::infeasible && verifyFarkas(lp, r.solution.farkas).proved;
  }
  return r;
}

void printOutcome(Outcome const& r, bool optimal) {
  std::printf(" %s | %lld | %.3f |", r.right ? "" : toString(r.solution.status),
              static_cast<long long>(r.solution.iterations), r.solution.seconds);
  if (optimal)
    std::printf(" %.0e | %.0e |", r.error, r.residual);
  else
    std::printf(" | |");
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  double minCells = 0.0, maxCells = 4e6;
  bool kennington = false;
  for (int i = 1; i < argc; ++i) {
    std::string const name = argv[i];
    if (name == "--kennington") {
      kennington = true;
    } else if (name == "--max-cells" && i + 1 < argc) {
      maxCells = std::atof(argv[++i]);
    } else if (name == "--min-cells" && i + 1 < argc) {
      minCells = std::atof(argv[++i]);
    } else if (name.rfind("--", 0) == 0 && i + 1 < argc) {
      std::string const fault = setOption(options, name.substr(2), argv[++i]);
      if (!fault.empty()) return std::fprintf(stderr, "%s\n", fault.c_str()), 64;
    } else {
      return std::fprintf(stderr, "unknown argument %s\n", argv[i]), 64;
    }
  }
  std::printf(
      "| problem | rows | columns | primal | pivots | seconds | error | residual | dual | pivots | "
      "seconds | error | residual |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  int wrong = 0, count = 0;
  double logSum[2] = {};
  for (auto const& instance :
       kennington ? testing::kenningtonInstances() : testing::netlibInstances()) {
    if (instance.cells() < minCells || instance.cells() > maxCells) continue;
    LinearProgram const lp = readers::read(instance.file).lp;
    std::printf("| %s | %d | %d |", instance.name.c_str(), lp.rows(), lp.columns());
    int side = 0;
    for (auto const algorithm : {AlgorithmChoice::primal, AlgorithmChoice::dual}) {
      Outcome const outcome = solve(lp, instance, options, algorithm);
      printOutcome(outcome, instance.optimum.has_value());
      wrong += outcome.right ? 0 : 1;
      logSum[side++] += std::log(outcome.solution.seconds + 0.01);
    }
    ++count;
    std::printf("\n");
    std::fflush(stdout);
  }
  if (count == 0) return std::fprintf(stderr, "no such problems in OSI_CUDA_DATA\n"), 66;
  std::printf(
      "\n%d problems, %d wrong or unfinished; shifted geometric mean (10 ms): primal %.4f s, dual "
      "%.4f s\n",
      count, wrong, std::exp(logSum[0] / count) - 0.01, std::exp(logSum[1] / count) - 0.01);
  return wrong == 0 ? 0 : 1;
}
