// SPDX-License-Identifier: EPL-2.0
//
// Two to four variables whose rows and columns are nearly parallel: the answer hangs on a
// coefficient of 1e-6 to 1e-12 that is left when the rest cancels.

#include <algorithm>
#include <cmath>

#include "lab/stress/dense_problem.hpp"
#include "lab/stress/kinds.hpp"

namespace osi_cuda::stress {
namespace {

/// A small whole number times a power of two, not zero.
double plain(Dice& dice) {
  return dice.sign() * dice.whole(1, 4) * std::ldexp(1.0, dice.whole(-1, 1));
}

/// What is done to the rows once they are nearly parallel.
enum class Outcome { feasible, infeasible, unbounded, any };

/// Rows that are multiples of one random row, each coefficient off by about `smallness`; the right
/// hand sides belong to a point, which is small or about 1 / smallness.
DenseProblem parallelRows(Dice& dice, int n, double smallness) {
  DenseProblem problem(n, n);
  std::vector<double> row(n), point(n);
  for (double& value : row) value = plain(dice);
  double const size = dice.chance(0.3) ? 1.0 / smallness : 1.0;
  for (double& value : point) value = dice.whole(-3, 3) * size;
  for (int i = 0; i < n; ++i) {
    double const factor = i == 0 ? 1.0 : plain(dice);
    for (int j = 0; j < n; ++j) {
      double const off = i > 0 && dice.chance(0.6) ? smallness * dice.whole(-3, 3) : 0.0;
      problem.at(i, j) = factor * row[j] * (1.0 + off);
    }
  }
  problem.lp.rowLower = problem.lp.rowUpper = problem.times(point);
  for (int j = 0; j < n; ++j) problem.lp.objective[j] = dice.whole(-2, 2);
  return problem;
}

/// x_0 - x_1 = b, x_1 - x_2 = b, ... and the last one back to the first with a factor 1 +
/// smallness: the rows of a cycle, whose sum nearly vanishes.
DenseProblem cycleOfRows(Dice& dice, int n, double smallness) {
  DenseProblem problem(n, n);
  for (int i = 0; i < n; ++i) {
    double const factor = plain(dice);
    problem.at(i, i) = factor;
    problem.at(i, (i + 1) % n) = -factor;
    problem.lp.rowLower[i] = factor * dice.whole(-2, 2);
  }
  problem.at(n - 1, 0) *= 1.0 + dice.sign() * smallness;
  problem.lp.rowUpper = problem.lp.rowLower;
  for (int j = 0; j < n; ++j) problem.lp.objective[j] = dice.whole(-2, 2);
  return problem;
}

void setBounds(Dice& dice, DenseProblem& problem, double smallness) {
  double const box = dice.chance(0.5) ? 10.0 : 10.0 / smallness;
  int const way = dice.below(4);
  for (int j = 0; j < problem.columns; ++j) {
    bool const free = way == 0 || way == 1 || (way == 2 && dice.chance(0.5));
    problem.lp.columnLower[j] = free ? -infinity : way == 3 ? -box : 0.0;
    problem.lp.columnUpper[j] = free ? infinity : way == 3 || dice.chance(0.5) ? box : infinity;
  }
}

LinearProgram nearlyParallel(Dice& dice, Outcome outcome) {
  double const smallness = dice.power(-12.0, -6.0);
  int const n = dice.whole(2, 4);
  DenseProblem problem =
      dice.chance(0.5) ? parallelRows(dice, n, smallness) : cycleOfRows(dice, n, smallness);
  setBounds(dice, problem, smallness);
  int const row = dice.below(n);
  double const unit = std::max(1.0, std::fabs(problem.lp.rowLower[row]));
  switch (outcome) {
    case Outcome::feasible:
      break;
    case Outcome::infeasible: {
      // The last row is the first one again, but for its right-hand side.
      double const factor = plain(dice);
      for (int j = 0; j < n; ++j) problem.at(n - 1, j) = factor * problem.at(0, j);
      double const apart = dice.chance(0.5) ? 1.0 : 1e3 * smallness;
      problem.lp.rowLower[n - 1] = problem.lp.rowUpper[n - 1] =
          factor * (problem.lp.rowLower[0] + dice.sign() * apart * unit);
      break;
    }
    case Outcome::unbounded: {
      // One row fewer and no bounds: a line stays, and the objective rises or falls along it.
      problem.lp.rowLower[n - 1] = -infinity;
      problem.lp.rowUpper[n - 1] = infinity;
      for (int j = 0; j < n; ++j) {
        problem.lp.columnLower[j] = -infinity;
        problem.lp.columnUpper[j] = infinity;
        // Nearly a combination of the rows that are left.
        problem.lp.objective[j] =
            problem.at(0, j) * (1.0 + (dice.chance(0.5) ? smallness * dice.whole(-3, 3) : 0.0));
      }
      break;
    }
    case Outcome::any:
      for (int i = 0; i < n; ++i) {
        if (dice.chance(0.3))
          problem.lp.rowLower[i] = -infinity;
        else if (dice.chance(0.3))
          problem.lp.rowUpper[i] = infinity;
        if (dice.chance(0.2) && std::isfinite(problem.lp.rowLower[i]))
          problem.lp.rowLower[i] -= smallness;
      }
  }
  if (dice.chance(0.3)) problem.lp.sense = Sense::maximize;
  return problem.finished();
}

}  // namespace

std::vector<Kind> nearlyParallelKinds() {
  auto kind = [](std::string const& name, std::string const& what, Outcome outcome) {
    return Kind{name, false, "nearly parallel rows of 2 to 4 variables, " + what,
                [outcome](Dice& dice, BaseModel const&) { return nearlyParallel(dice, outcome); }};
  };
  return {kind("parallel-feasible", "through a point", Outcome::feasible),
          kind("parallel-infeasible", "two of them apart", Outcome::infeasible),
          kind("parallel-unbounded", "one fewer than variables", Outcome::unbounded),
          kind("parallel-any", "some of them one-sided", Outcome::any)};
}

}  // namespace osi_cuda::stress
