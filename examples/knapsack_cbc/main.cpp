// SPDX-License-Identifier: EPL-2.0
//
// A multidimensional knapsack by branch and cut: Cbc's tree, Cgl's cuts, and osi_cuda's simplex
// below them. What a program that used OsiClp has to change is the line that makes the solver.
//
//     knapsack_cbc [ITEMS [RESOURCES [SEED [ENGINE]]]]      defaults: 30 5 1 auto
//
//     max sum p_j x_j   subject to   sum_j w_ij x_j <= half of sum_j w_ij for each resource i,
//                                    x_j 0 or 1
#include <CbcModel.hpp>
#include <CglGMI.hpp>
#include <CglKnapsackCover.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <CglProbing.hpp>
#include <CoinError.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "osi/OsiCudaSolverInterface.hpp"

namespace {

struct Knapsack {
  std::vector<double> profit;               ///< by item
  std::vector<std::vector<double>> weight;  ///< by resource, then item
  std::vector<double> capacity;             ///< by resource
};

/// Profits that go with the weights, as in the usual test problems: those are the hard ones.
Knapsack randomKnapsack(int items, int resources, unsigned seed) {
  std::mt19937 random(seed);
  auto const number = [&](unsigned limit) { return static_cast<double>(1 + random() % limit); };
  Knapsack problem;
  problem.profit.assign(static_cast<std::size_t>(items), 0.0);
  for (int i = 0; i < resources; ++i) {
    std::vector<double> row;
    for (double& profit : problem.profit) {
      row.push_back(number(1000));
      profit += row.back() / resources;
    }
    problem.capacity.push_back(std::floor(0.5 * std::accumulate(row.begin(), row.end(), 0.0)));
    problem.weight.push_back(std::move(row));
  }
  for (double& profit : problem.profit) profit = std::floor(profit + number(500));
  return problem;
}

void load(OsiSolverInterface& solver, Knapsack const& problem) {
  int const items = static_cast<int>(problem.profit.size());
  std::vector<int> all(problem.profit.size());
  std::iota(all.begin(), all.end(), 0);
  CoinPackedMatrix matrix(false, 0.0, 0.0);
  matrix.setDimensions(0, items);
  for (auto const& row : problem.weight) matrix.appendRow(items, all.data(), row.data());
  std::vector<double> const ones(problem.profit.size(), 1.0);
  solver.loadProblem(matrix, nullptr, ones.data(), problem.profit.data(), nullptr,
                     problem.capacity.data());
  solver.setObjSense(-1.0);
  solver.setInteger(all.data(), items);
}

int solve(int items, int resources, unsigned seed, std::string const& engine) {
  Knapsack const problem = randomKnapsack(items, resources, seed);
  OsiCudaSolverInterface solver;  // OsiClpSolverInterface solver;
  solver.setSolverOption("engine", engine);
  solver.messageHandler()->setLogLevel(0);
  load(solver, problem);
  solver.initialSolve();
  double const relaxed = solver.getObjValue();

  CbcModel model(solver);
  model.setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  CglProbing probing;
  probing.setUsingObjective(true);
  CglKnapsackCover covers;
  CglMixedIntegerRounding2 rounding;
  CglGMI gmi;
  model.addCutGenerator(&probing, -1, "Probing");
  model.addCutGenerator(&covers, -1, "Knapsack covers");
  model.addCutGenerator(&rounding, -1, "Mixed integer rounding");
  model.addCutGenerator(&gmi, -1, "Gomory mixed integer");
  model.branchAndBound();
  if (!model.isProvenOptimal()) {
    std::fprintf(stderr, "knapsack_cbc: no optimum was proved\n");
    return 3;
  }

  // The answer is judged by the problem alone.
  double profit = 0.0;
  int taken = 0;
  for (int j = 0; j < items; ++j) {
    bool const take = model.bestSolution()[j] > 0.5;
    taken += take ? 1 : 0;
    profit += take ? problem.profit[static_cast<std::size_t>(j)] : 0.0;
  }
  for (std::size_t i = 0; i < problem.weight.size(); ++i) {
    double used = 0.0;
    for (int j = 0; j < items; ++j)
      if (model.bestSolution()[j] > 0.5) used += problem.weight[i][static_cast<std::size_t>(j)];
    std::printf("resource %zu  %.0f of %.0f used\n", i + 1, used, problem.capacity[i]);
    if (used > problem.capacity[i]) {
      std::fprintf(stderr, "knapsack_cbc: the solution needs more than there is\n");
      return 3;
    }
  }
  std::printf("relaxation  %.4f (engine %s)\n", relaxed, solver.getEngineName().c_str());
  std::printf("items       %d of %d\n", taken, items);
  std::printf("profit      %.0f, proved in %d nodes and %d iterations\n", profit,
              model.getNodeCount(), model.getIterationCount());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const number = [&](int k, int otherwise) {
    return argc > k ? std::atoi(argv[k]) : otherwise;
  };
  int const items = number(1, 30), resources = number(2, 5), seed = number(3, 1);
  if (items < 1 || resources < 1 || seed < 0 || argc > 5) {
    std::fprintf(stderr, "usage: knapsack_cbc [ITEMS [RESOURCES [SEED [ENGINE]]]]\n");
    return 64;
  }
  try {
    return solve(items, resources, static_cast<unsigned>(seed), argc > 4 ? argv[4] : "auto");
  } catch (CoinError const& error) {
    std::fprintf(stderr, "knapsack_cbc: %s\n", error.message().c_str());
    return 69;
  }
}
