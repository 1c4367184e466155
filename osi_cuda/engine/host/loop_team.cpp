// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/loop_team.hpp"

#include <algorithm>

namespace osi_cuda::host {

// As in quickselect: of the part in which the units are reached, one half remains.
rules::Turn turnOf(std::vector<UnitKink>& kinks) {
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

void LoopTeam::swapVariables(Exchange const& x) {
  int const r = x.row, q = x.column;
  std::swap(rows_.variable[r], columns_.variable[q]);
  std::swap(rows_.lower[r], columns_.lower[q]);
  std::swap(rows_.upper[r], columns_.upper[q]);
  rows_.value[r] = x.enteringValue;
  columns_.value[q] = x.leavingValue;
}

}  // namespace osi_cuda::host
