// SPDX-License-Identifier: EPL-2.0
//
// One program, two solvers: cutting stock by column generation (Gilmore and Gomory 1961) over
// OsiSolverInterface, with OsiClp or OsiCuda below it, chosen by one argument.
//
//     swap_clp clp|cuda [ORDERS [SEED]]      defaults: 25 1
//
// Rolls of width 1000 are cut into orders of width w_i, d_i pieces each. A column is a pattern, how
// many pieces of each order one roll gives; the least number of rolls is
//
//     min sum x_p   subject to   sum_p a_ip x_p >= d_i,   x >= 0
//
// and a pattern is worth adding when its pieces, at the prices of the row duals, fetch more than 1.
#include <CoinError.hpp>
#include <CoinPackedVector.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "osi/OsiCudaSolverInterface.hpp"

namespace {

constexpr int rollWidth = 1000;

/// Here, and only here, the solver is chosen.
std::unique_ptr<OsiSolverInterface> makeSolver(std::string const& name) {
  if (name == "clp") return std::make_unique<OsiClpSolverInterface>();
  if (name == "cuda") return std::make_unique<OsiCudaSolverInterface>();
  return nullptr;
}

struct Orders {
  std::vector<int> width;
  std::vector<double> demand;
};

Orders randomOrders(int count, unsigned seed) {
  std::mt19937 random(seed);
  Orders orders;
  for (int i = 0; i < count; ++i) {
    orders.width.push_back(80 + static_cast<int>(random() % 400u));
    orders.demand.push_back(1.0 + static_cast<double>(random() % 100u));
  }
  return orders;
}

struct Pattern {
  double value = 0.0;
  CoinPackedVector pieces;
};

/// The pattern that fetches most at the prices: an unbounded knapsack, by dynamic programming over
/// the width.
Pattern bestPattern(Orders const& orders, double const* price) {
  std::vector<double> value(rollWidth + 1, 0.0);
  std::vector<int> last(rollWidth + 1, -1);
  for (int w = 1; w <= rollWidth; ++w) {
    auto const at = static_cast<std::size_t>(w);
    value[at] = value[at - 1];
    for (std::size_t i = 0; i < orders.width.size(); ++i) {
      if (orders.width[i] > w) continue;
      double const v = value[static_cast<std::size_t>(w - orders.width[i])] + price[i];
      if (v > value[at] + 1e-12) {
        value[at] = v;
        last[at] = static_cast<int>(i);
      }
    }
  }
  std::vector<double> count(orders.width.size(), 0.0);
  for (int w = rollWidth; w > 0;) {
    int const i = last[static_cast<std::size_t>(w)];
    if (i < 0) {
      --w;
      continue;
    }
    count[static_cast<std::size_t>(i)] += 1.0;
    w -= orders.width[static_cast<std::size_t>(i)];
  }
  Pattern pattern;
  pattern.value = value[rollWidth];
  pattern.pieces.setFullNonZero(static_cast<int>(count.size()), count.data());
  return pattern;
}

int generate(OsiSolverInterface& solver, Orders const& orders) {
  solver.messageHandler()->setLogLevel(0);
  int const m = static_cast<int>(orders.width.size());
  CoinPackedMatrix patterns(true, 0.0, 0.0);
  patterns.setDimensions(m, 0);
  for (int i = 0; i < m; ++i) {  // to begin with, rolls of one order only
    double const pieces = rollWidth / orders.width[static_cast<std::size_t>(i)];
    patterns.appendCol(1, &i, &pieces);
  }
  std::vector<double> const ones(orders.width.size(), 1.0);
  solver.loadProblem(patterns, nullptr, nullptr, ones.data(), orders.demand.data(), nullptr);
  solver.initialSolve();
  int rounds = 0, iterations = solver.getIterationCount();
  while (solver.isProvenOptimal()) {
    Pattern const pattern = bestPattern(orders, solver.getRowPrice());
    if (pattern.value <= 1.0 + 1e-9) break;
    solver.addCol(pattern.pieces, 0.0, solver.getInfinity(), 1.0);
    solver.resolve();  // the old basis is primal feasible still
    iterations += solver.getIterationCount();
    ++rounds;
  }
  if (!solver.isProvenOptimal()) {
    std::fprintf(stderr, "swap_clp: a linear program was not solved\n");
    return 3;
  }
  double rounded = 0.0;
  for (int p = 0; p < solver.getNumCols(); ++p)
    rounded += std::ceil(solver.getColSolution()[p] - 1e-9);
  std::string name;
  solver.getStrParam(OsiSolverName, name);
  std::printf("solver      %s\n", name.c_str());
  std::printf("patterns    %d, of which %d were generated\n", solver.getNumCols(), rounds);
  std::printf("iterations  %d\n", iterations);
  std::printf("bound       %.6f rolls\n", solver.getObjValue());
  std::printf("rounded up  %.0f rolls\n", rounded);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const solver = argc > 1 ? makeSolver(argv[1]) : nullptr;
  int const count = argc > 2 ? std::atoi(argv[2]) : 25, seed = argc > 3 ? std::atoi(argv[3]) : 1;
  if (!solver || count < 1 || seed < 0 || argc > 4) {
    std::fprintf(stderr, "usage: swap_clp clp|cuda [ORDERS [SEED]]\n");
    return 64;
  }
  try {
    return generate(*solver, randomOrders(count, static_cast<unsigned>(seed)));
  } catch (CoinError const& error) {
    std::fprintf(stderr, "swap_clp: %s\n", error.message().c_str());
    return 69;
  }
}
