// SPDX-License-Identifier: EPL-2.0
//
// Numbers of very different size side by side, and boxes so wide that a wrong cost costs much.

#include <algorithm>
#include <cmath>

#include "lab/stress/dense_problem.hpp"
#include "lab/stress/kinds.hpp"

namespace osi_cuda::stress {
namespace {

/// 2^k with k from `low` to `high`.
double powerOfTwo(Dice& dice, int low, int high) {
  return std::ldexp(1.0, dice.whole(low, high));
}

/// A whole number from -9 to 9, not 0.
double digit(Dice& dice) {
  return dice.sign() * dice.whole(1, 9);
}

/// Rows around A x0 as doubles round it, for whole x0: equations, one-sided and ranges.
LinearProgram around(Dice& dice, DenseProblem problem, std::vector<double> const& point,
                     double equations) {
  std::vector<double> const activity = problem.times(point);
  for (int i = 0; i < problem.rows; ++i) {
    bool const equation = dice.chance(equations);
    if (equation || dice.chance(0.6)) problem.lp.rowLower[i] = activity[i];
    if (equation || problem.lp.rowLower[i] == -infinity || dice.chance(0.2))
      problem.lp.rowUpper[i] = equation ? activity[i] : activity[i] + dice.below(3);
  }
  for (int j = 0; j < problem.columns; ++j)
    if (dice.chance(0.4)) problem.lp.columnUpper[j] = point[j] + dice.below(10);
  return problem.finished();
}

/// Small whole numbers, some of them times 2^+-(40 to 60).
LinearProgram magnitudes(Dice& dice) {
  DenseProblem problem(dice.whole(2, 8), dice.whole(3, 12));
  double const share = dice.between(0.1, 0.5);
  std::vector<double> point;
  for (int j = 0; j < problem.columns; ++j) {
    point.push_back(dice.below(10));
    problem.lp.objective[j] = digit(dice) * (dice.chance(share) ? powerOfTwo(dice, -50, 50) : 1.0);
    for (int i = 0; i < problem.rows; ++i)
      if (dice.chance(0.7))
        problem.at(i, j) = digit(dice) * (dice.chance(share) ? powerOfTwo(dice, 40, 60) : 1.0) *
                           (dice.chance(0.2 * share) ? powerOfTwo(dice, -60, -40) : 1.0);
  }
  return around(dice, std::move(problem), point, 0.4);
}

/// Pairs of columns with coefficients of 2^50 that cancel but for the last bits of one of them,
/// beside columns of ordinary size: what is left of the pair decides.
LinearProgram cancelling(Dice& dice) {
  int const pairs = dice.whole(1, 3), others = dice.whole(1, 4);
  DenseProblem problem(dice.whole(2, 6), 2 * pairs + others);
  std::vector<double> point(problem.columns);
  for (double& value : point) value = dice.whole(0, 9);
  for (int k = 0; k < pairs; ++k) {
    point[2 * k + 1] = point[2 * k];
    for (int i = 0; i < problem.rows; ++i) {
      if (dice.chance(0.3)) continue;
      double const large = digit(dice) * powerOfTwo(dice, 48, 54);
      problem.at(i, 2 * k) = large;
      problem.at(i, 2 * k + 1) = -large * (1.0 + dice.whole(-4, 4) * 0x1p-52);
    }
    for (int const j : {2 * k, 2 * k + 1}) {
      problem.lp.objective[j] = digit(dice);
      if (dice.chance(0.7)) problem.lp.columnUpper[j] = powerOfTwo(dice, 5, 50);
    }
  }
  for (int j = 2 * pairs; j < problem.columns; ++j) {
    problem.lp.objective[j] = digit(dice);
    for (int i = 0; i < problem.rows; ++i)
      if (dice.chance(0.7)) problem.at(i, j) = digit(dice);
  }
  return around(dice, std::move(problem), point, 0.6);
}

/// Chains x_k = 2^s x_(k+1) up and down again, and singleton rows of 1e-12: values of every size.
LinearProgram chains(Dice& dice) {
  int const length = dice.whole(3, 8);
  DenseProblem problem(length + 2, length + 2);
  for (int k = 0; k < length; ++k) {
    problem.at(k, k) = 1.0;
    problem.at(k, k + 1) = -powerOfTwo(dice, -25, 25) * (1.0 + dice.whole(0, 3) * 0x1p-52);
    problem.lp.rowLower[k] = 0.0;
    problem.lp.rowUpper[k] = dice.chance(0.7) ? 0.0 : powerOfTwo(dice, -50, 10);
    problem.lp.objective[k] = dice.chance(0.3) ? digit(dice) : 0.0;
  }
  int const last = length + 1;
  for (int j = 0; j <= last; ++j) problem.at(length, j) = dice.chance(0.4) ? digit(dice) : 0.0;
  problem.at(length, last) = 1.0;
  problem.lp.rowLower[length] = dice.whole(1, 9);
  problem.at(last, dice.below(last)) = dice.whole(1, 9) * 1e-12;
  problem.lp.rowUpper[last] = dice.whole(1, 9);
  problem.lp.objective[last] = dice.whole(1, 9);
  if (dice.chance(0.5)) problem.lp.columnUpper[dice.below(last)] = powerOfTwo(dice, -20, 40);
  return problem.finished();
}

/// Boxes up to 10^6 to 10^13, for some columns costs of 10^-13 to 10^-7 beside costs of 1: each is
/// below the tolerances, times its box it is not.
LinearProgram hiddenCosts(Dice& dice) {
  DenseProblem problem(dice.whole(2, 10), dice.whole(3, 20));
  std::vector<double> point(problem.columns, 0.0);
  double const share = dice.between(0.2, 0.8);
  for (int j = 0; j < problem.columns; ++j) {
    bool const wide = dice.chance(share);
    problem.lp.columnUpper[j] = wide ? dice.power(6.0, 13.0) : dice.whole(1, 100);
    problem.lp.objective[j] = wide ? dice.sign() * dice.power(-13.0, -7.0) : digit(dice);
    if (dice.chance(0.3)) problem.lp.columnLower[j] = -problem.lp.columnUpper[j];
    point[j] = dice.chance(0.5) ? problem.lp.columnUpper[j] : 0.0;
    for (int i = 0; i < problem.rows; ++i)
      if (dice.chance(0.5)) problem.at(i, j) = digit(dice);
  }
  LinearProgram lp = problem.finished();
  std::vector<double> const activity = problem.times(point);
  for (int i = 0; i < lp.rows(); ++i) {
    double const slack = dice.chance(0.5) ? 0.0 : dice.power(0.0, 12.0);
    (dice.chance(0.5) ? lp.rowUpper[i] : lp.rowLower[i]) = activity[i];
    if (lp.rowUpper[i] == infinity)
      lp.rowLower[i] -= slack;
    else
      lp.rowUpper[i] += slack;
  }
  return lp;
}

/// Costs that are a combination of rows but for 1e-12 to 1e-8 of themselves, in wide boxes: the
/// reduced costs that decide are rounding to a tolerance.
LinearProgram nearlyFlat(Dice& dice) {
  DenseProblem problem(dice.whole(2, 8), dice.whole(4, 16));
  std::vector<double> multipliers, point;
  for (int i = 0; i < problem.rows; ++i) multipliers.push_back(dice.whole(0, 9));
  for (int j = 0; j < problem.columns; ++j) {
    point.push_back(dice.below(10));
    problem.lp.columnUpper[j] = dice.chance(0.8) ? dice.power(3.0, 12.0) : infinity;
    for (int i = 0; i < problem.rows; ++i) {
      if (dice.chance(0.6)) problem.at(i, j) = digit(dice);
      problem.lp.objective[j] += multipliers[i] * problem.at(i, j);
    }
    problem.lp.objective[j] += dice.sign() * dice.power(-12.0, -8.0);
  }
  problem.lp.rowLower = problem.times(point);
  for (int i = 0; i < problem.rows; ++i)
    if (dice.chance(0.3)) problem.lp.rowUpper[i] = problem.lp.rowLower[i] + dice.power(0.0, 9.0);
  return problem.finished();
}

/// A base model whose absent bounds are boxes of 10^6 to 10^12, its costs off by 10^-12 to 10^-8.
LinearProgram boxed(Dice& dice, LinearProgram lp) {
  for (int j = 0; j < lp.columns(); ++j) {
    if (lp.columnLower[j] == -infinity) lp.columnLower[j] = -dice.power(6.0, 12.0);
    if (lp.columnUpper[j] == infinity && lp.columnLower[j] < 1e6)
      lp.columnUpper[j] = dice.power(6.0, 12.0);
    if (dice.chance(0.5)) lp.objective[j] += dice.sign() * dice.power(-12.0, -8.0);
  }
  return lp;
}

}  // namespace

std::vector<Kind> wideNumberKinds() {
  auto made = [](LinearProgram (*maker)(Dice&)) {
    return [maker](Dice& dice, BaseModel const&) { return maker(dice); };
  };
  return {
      {"magnitudes", false, "coefficients of 1 and 2^40 to 2^60 in one row", made(magnitudes)},
      {"cancelling", false, "pairs of 2^50 that cancel but for their last bits", made(cancelling)},
      {"chains", false, "chains of factors 2^-25 to 2^25, singleton rows of 1e-12", made(chains)},
      {"hidden-costs", false, "costs of 1e-13 to 1e-7 in boxes of 1e6 to 1e13", made(hiddenCosts)},
      {"nearly-flat", false, "costs that rows cancel but for 1e-12 to 1e-8, in wide boxes",
       made(nearlyFlat)},
      {"boxed", true, "boxes of 1e6 to 1e12 in place of absent bounds, costs off by 1e-12",
       [](Dice& dice, BaseModel const& base) { return boxed(dice, base.lp()); }}};
}

}  // namespace osi_cuda::stress
