// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "osi_cuda/simplex/team.hpp"

/// What Teams (team.hpp) on the processor have in common, whatever their tableau is.
namespace osi_cuda {

/// The two variables of an exchange change places, with their bounds; values as the exchange says.
inline void swapVariables(RowState const& rows, ColumnState const& columns, Exchange const& x) {
  std::swap(rows.variable[x.row], columns.variable[x.column]);
  std::swap(rows.lower[x.row], columns.lower[x.column]);
  std::swap(rows.upper[x.row], columns.upper[x.column]);
  rows.value[x.row] = x.enteringValue;
  columns.value[x.column] = x.leavingValue;
}

/// A kink with its rise in units; see rules::turnUnits.
struct UnitKink {
  double ratio;
  std::uint64_t units;
};

/// Where the units come to rules::turnNeeds, in the order of the ratios; changes the order. As in
/// quickselect: of the part in which they are reached, one half remains.
inline rules::Turn turnOf(std::vector<UnitKink>& kinks) {
  auto const byRatio = [](UnitKink const& a, UnitKink const& b) { return a.ratio < b.ratio; };
  auto const unitsOf = [](auto begin, auto end) {
    std::uint64_t sum = 0;
    for (auto kink = begin; kink != end; ++kink) sum += kink->units;
    return sum;
  };
  rules::Turn turn;
  std::uint64_t below = 0;
  if (unitsOf(kinks.begin(), kinks.end()) < rules::turnNeeds) return turn;
  double const nearest = std::ranges::min_element(kinks, byRatio)->ratio;
  auto begin = kinks.begin(), end = kinks.end();
  while (end - begin > 1) {
    auto const middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, byRatio);
    std::uint64_t const sum = unitsOf(begin, middle);
    if (below + sum >= rules::turnNeeds) {
      end = middle;
    } else {
      below += sum;
      begin = middle;
    }
  }
  turn.ratio = begin->ratio;
  turn.passed = nearest < turn.ratio;
  return turn;
}

/// The kinks of a slope, for finding where it turns.
class KinkList {
 public:
  /// Where a negative slope turns by the kinks of the lines lineOf(k), k < count.
  rules::Turn turn(int count, auto lineOf, auto kinksOf, double slope) {
    double const perRise = rules::turnUnits * rules::reciprocal(std::fabs(slope));
    double largest = 0.0;
    double last = rules::unlimited;  // a kink that is enough by itself: later ones do not matter
    kinks_.clear();
    places_.clear();
    for (int k = 0; k < count; ++k) {
      int const i = lineOf(k);
      rules::Kinks const own = kinksOf(i);
      largest = std::max(largest, own.entry);
      bool any = false;
      for (rules::Kink const& kink : {own.first, own.second}) {
        if (!(kink.ratio < rules::unlimited) || kink.ratio > last) continue;
        std::uint32_t const units = rules::riseUnits(kink.rise, perRise);
        if (units >= rules::turnNeeds) last = kink.ratio;
        kinks_.push_back({kink.ratio, units});
        any = true;
      }
      if (any) places_.push_back(i);
    }
    std::erase_if(kinks_, [&](UnitKink const& kink) { return kink.ratio > last; });
    rules::Turn result = turnOf(kinks_);
    result.largest = rules::fromCoarseBits(rules::coarseBits(largest));
    return result;
  }
  /// The lines where the last turn may be, and what lies before it.
  std::vector<int> const& places() const { return places_; }

 private:
  std::vector<UnitKink> kinks_;
  std::vector<int> places_;
};

}  // namespace osi_cuda
