// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/located_room.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/proof/bounded.hpp"

namespace osi_cuda::proof {
namespace {

constexpr double leastRoom = 1e-10, dear = 1e-3;  ///< of a move, in its units

/// One rate of each line.
void gather(std::vector<Room::Rate>& rates) {
  std::ranges::sort(rates, {}, &Room::Rate::line);
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rates.size(); ++r)
    if (kept > 0 && rates[kept - 1].line == rates[r].line)
      rates[kept - 1].rate += rates[r].rate;
    else
      rates[kept++] = rates[r];
  rates.resize(kept);
}

}  // namespace

void Room::require(std::vector<Rate> rates, double missing) {
  gather(rates);
  add(rates, missing);
}

void Room::keep(std::vector<Rate> rates, std::size_t own) {
  gather(rates);
  auto const isNew = [this](Rate const& r) { return !known_.contains(r.line); };
  if (std::ranges::all_of(rates, isNew)) return;
  std::erase_if(rates, [&](Rate const& r) { return r.line != own && isNew(r); });
  add(rates, 0.0);
}

void Room::add(std::vector<Rate> const& rates, double missing) {
  double largest = 0.0;
  for (Rate const& r : rates) largest = std::max(largest, std::fabs(r.rate));
  if (!(largest > 1e-30)) return;  // where others move, it may change
  for (Rate const& r : rates) {
    if (std::fabs(r.rate) < 1e-9 * largest) continue;
    auto const [place, isNew] = known_.emplace(r.line, lines_.size());
    if (isNew) {
      resting_.push_back(restingOf_(r.line));
      lines_.push_back(r.line);
      coefficients_.emplace_back();
    }
    coefficients_[place->second].emplace_back(
        problem_.rows(), r.rate * resting_[place->second].unit / (step_ * largest));
  }
  double const side = missing / (step_ * largest);
  problem_.addRow(side, side);
}

std::vector<Room::Move> Room::moves(SearchLimits& limits) {
  if (!std::ranges::all_of(problem_.rowLower, isNumber)) return {};
  problem_.sense = Sense::maximize;
  std::vector<std::size_t> ofColumn;
  for (std::size_t k = 0; k < resting_.size(); ++k)
    for (bool const counts : {true, false}) {  // the first unit of a move
      double const own = counts ? std::min(1.0, resting_[k].most) : resting_[k].most - 1.0;
      if (!(own > 0.0)) continue;
      for (auto const& [row, rate] : coefficients_[k]) problem_.matrix.add(row, rate);
      problem_.endColumn(counts ? 1.0 : -dear, 0.0, own);
      ofColumn.push_back(k);
    }
  std::vector<double> const by = limits.solve(problem_, limits.work);
  if (by.size() != ofColumn.size()) return {};
  std::vector<double> units(resting_.size());
  for (std::size_t c = 0; c < by.size(); ++c) units[ofColumn[c]] += by[c];
  std::vector<Move> moves;
  for (std::size_t k = 0; k < units.size(); ++k)
    if (units[k] > leastRoom) moves.push_back({lines_[k], units[k] * resting_[k].unit});
  return moves;
}

}  // namespace osi_cuda::proof
