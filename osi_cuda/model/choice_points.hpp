// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// What a point decides: the whole number of an integer column, whether a semicontinuous column is
/// 0 or beyond its threshold, which columns of a set may be nonzero.
struct Choice {
  enum class Of : char { integer, semicontinuous, set };
  Of of;
  int number;  ///< of the column, or in Choices
};

/// All choices of a problem, in the order in which decide() makes them.
inline std::vector<Choice> choicesOf(LinearProgram const& lp) {
  std::vector<Choice> choices;
  for (std::size_t k = 0; k < lp.choices.sets.size(); ++k)
    choices.push_back({Choice::Of::set, static_cast<int>(k)});
  for (std::size_t k = 0; k < lp.choices.semicontinuous.size(); ++k)
    choices.push_back({Choice::Of::semicontinuous, static_cast<int>(k)});
  for (std::size_t j = 0; j < lp.integer.size(); ++j)
    if (lp.integer[j]) choices.push_back({Choice::Of::integer, static_cast<int>(j)});
  return choices;
}

/// Where the `type` neighbours of a set begin whose values are largest in sum; `outside` becomes
/// the sum of the others.
inline std::size_t largestNeighbours(OrderedSet const& set, std::span<double const> x,
                                     double& outside) {
  std::size_t const size = set.columns.size(), width = std::min(size, at(set.type));
  auto const sum = [&](std::size_t begin, std::size_t end) {
    double total = 0.0;
    for (std::size_t k = begin; k < end; ++k) total += std::fabs(x[at(set.columns[k])]);
    return total;
  };
  std::size_t best = 0;
  for (std::size_t k = 1; k + width <= size; ++k)
    if (sum(k, k + width) > sum(best, best + width)) best = k;
  outside = sum(0, best) + sum(best + width, size);
  return best;
}

/// How far a point is from what it decides: 0 where it keeps to it, for whole numbers and for shares
/// of a gap or of a set's sum at most 1/2 or 1.
inline double offBy(LinearProgram const& lp, Choice const& choice, std::span<double const> x) {
  if (choice.of == Choice::Of::integer) {
    double const value = x[at(choice.number)];
    return std::fabs(value - std::round(value));
  }
  if (choice.of == Choice::Of::semicontinuous) {
    SemicontinuousColumn const& one = lp.choices.semicontinuous[at(choice.number)];
    double const value = x[at(one.column)], begin = one.gapBegin(), end = one.gapEnd();
    if (!(value > begin && value < end)) return 0.0;
    return std::min(value - begin, end - value) / (end - begin);
  }
  OrderedSet const& set = lp.choices.sets[at(choice.number)];
  double outside = 0.0, all = 0.0;
  largestNeighbours(set, x, outside);
  for (int const j : set.columns) all += std::fabs(x[at(j)]);
  return outside > 0.0 ? outside / all : 0.0;
}

/// Hands out the bounds (column, whether the upper one, value) that points have which decide as the
/// nearest to `x` does.
template <class Tighten>
void decideAsAt(LinearProgram const& lp, Choice const& choice, std::span<double const> x,
                Tighten const& tighten) {
  auto const fix = [&](int column, double value) {
    tighten(column, false, value);
    tighten(column, true, value);
  };
  if (choice.of == Choice::Of::integer) {
    fix(choice.number, std::round(x[at(choice.number)]));
  } else if (choice.of == Choice::Of::semicontinuous) {
    SemicontinuousColumn const& one = lp.choices.semicontinuous[at(choice.number)];
    double const value = x[at(one.column)], begin = one.gapBegin(), end = one.gapEnd();
    bool const up = value - begin > end - value;
    if (begin < end) tighten(one.column, !up, up ? end : begin);
  } else {
    OrderedSet const& set = lp.choices.sets[at(choice.number)];
    double outside = 0.0;
    std::size_t const begin = largestNeighbours(set, x, outside);
    for (std::size_t k = 0; k < set.columns.size(); ++k)
      if (k < begin || k >= begin + at(set.type)) fix(set.columns[k], 0.0);
  }
}

/// The point with what it decides made so: numbers whole, gaps left, columns beside neighbours 0.
inline void decide(LinearProgram const& lp, std::span<Choice const> choices, std::span<double> x) {
  for (Choice const& choice : choices)
    decideAsAt(lp, choice, x, [&](int column, bool upper, double value) {
      double& now = x[at(column)];
      now = upper ? std::min(now, value) : std::max(now, value);
    });
}

/// Whether a point keeps to all of it, exactly.
inline bool keepsTo(LinearProgram const& lp, std::span<Choice const> choices,
                    std::span<double const> x) {
  return std::ranges::none_of(choices,
                              [&](Choice const& choice) { return offBy(lp, choice, x) != 0.0; });
}

}  // namespace osi_cuda
