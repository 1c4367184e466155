// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// Calls take(off, bounds) for what a point decides: which columns of a set may be nonzero, whether
/// a semicontinuous column is beyond its threshold, the whole number of an integer column. `off` is
/// 0 where the point keeps to it, else by how much it does not: as a share of the set's sum or of
/// the gap, or as a distance. bounds(tighten) hands out (column, whether the upper bound, value) of
/// the nearest points that do.
template <class Take>
void eachChoice(LinearProgram const& lp, std::span<double const> x, Take const& take) {
  for (OrderedSet const& set : lp.choices.sets) {
    std::size_t const size = set.columns.size(), width = std::min(size, at(set.type));
    auto const sum = [&](std::size_t begin, std::size_t end) {
      double total = 0.0;
      for (std::size_t k = begin; k < end; ++k) total += std::fabs(x[at(set.columns[k])]);
      return total;
    };
    std::size_t first = 0;  // of the neighbours with the largest sum
    for (std::size_t k = 1; k + width <= size; ++k)
      if (sum(k, k + width) > sum(first, first + width)) first = k;
    double const outside = sum(0, first) + sum(first + width, size);
    take(outside > 0.0 ? outside / sum(0, size) : 0.0, [&](auto const& tighten) {
      for (std::size_t k = 0; k < size; ++k)
        for (bool const upper : {false, true})
          if (k < first || k >= first + width) tighten(set.columns[k], upper, 0.0);
    });
  }
  for (SemicontinuousColumn const& one : lp.choices.semicontinuous) {
    double const begin = one.gapBegin(), end = one.gapEnd();
    double const below = x[at(one.column)] - begin, above = end - x[at(one.column)];
    bool const isInside = below > 0.0 && above > 0.0, isUp = below > above;
    take(isInside ? std::min(below, above) / (end - begin) : 0.0, [&](auto const& tighten) {
      if (begin < end) tighten(one.column, !isUp, isUp ? end : begin);
    });
  }
  for (std::size_t j = 0; j < lp.integer.size(); ++j) {
    if (!lp.integer[j]) continue;
    double const whole = std::round(x[j]);
    take(std::fabs(x[j] - whole), [&](auto const& tighten) {
      for (bool const upper : {false, true}) tighten(static_cast<int>(j), upper, whole);
    });
  }
}

/// The point with all of it decided: integers whole, gaps left, columns beside neighbours 0.
inline void decide(LinearProgram const& lp, std::span<double> x) {
  eachChoice(lp, x, [&](double, auto const& bounds) {
    bounds([&](int column, bool upper, double value) {
      double& now = x[at(column)];
      now = upper ? std::min(now, value) : std::max(now, value);
    });
  });
}

/// Whether the point keeps to all of it, exactly.
inline bool keepsTo(LinearProgram const& lp, std::span<double const> x) {
  bool keeps = true;
  eachChoice(lp, x, [&](double off, auto const&) { keeps = keeps && off == 0.0; });
  return keeps;
}

}  // namespace osi_cuda
