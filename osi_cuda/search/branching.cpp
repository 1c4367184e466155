// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/branching.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::search {

Branch branchAt(int column, double x, double lower, double upper) {
  x = std::clamp(x, lower, upper);
  double value = std::floor(x);
  if (value >= upper) value = upper - 1.0;
  return {column, value, std::max(0.0, x - value), std::max(0.0, value + 1.0 - x)};
}

PseudoCosts::PseudoCosts(LinearProgram const& problem) : problem_(problem) {
  for (auto& side : gains_) side.resize(at(problem.columns()));
  for (int j = 0; j < problem.columns(); ++j)
    if (problem.integer[at(j)]) integers_.push_back(j);
}

void PseudoCosts::learn(int column, bool up, double distance, double gain) {
  if (!(distance > wholeTolerance) || !std::isfinite(gain)) return;
  double const slope = std::max(0.0, gain) / distance;
  for (Gains* const gains : {&gains_[up ? 1 : 0][at(column)], &all_[up ? 1 : 0]}) {
    gains->sum += slope;
    ++gains->count;
  }
}

void PseudoCosts::save(SavedSearch& saved) const {
  for (int const j : integers_)
    for (bool const up : {false, true})
      if (Gains const& gains = gains_[up][at(j)]; gains.count > 0)
        saved.gains.push_back({j, up, gains.sum, gains.count});
}

void PseudoCosts::restore(SavedSearch const& saved) {
  for (SavedSearch::Gains const& known : saved.gains)
    for (Gains* const gains : {&gains_[known.up][at(known.column)], &all_[known.up]}) {
      gains->sum += known.sum;
      gains->count += known.count;
    }
}

int PseudoCosts::known(int column) const {
  return std::min(gains_[0][at(column)].count, gains_[1][at(column)].count);
}

double PseudoCosts::expected(int column, bool up) const {
  Gains const &own = gains_[up ? 1 : 0][at(column)], &all = all_[up ? 1 : 0];
  if (own.count > 0) return own.sum / own.count;
  return all.count > 0 ? all.sum / all.count : std::fabs(problem_.objective[at(column)]) + 1.0;
}

double PseudoCosts::score(int column, double fraction) const {
  constexpr double least = 1e-8;
  return std::max(least, expected(column, false) * fraction) *
         std::max(least, expected(column, true) * (1.0 - fraction));
}

Branch PseudoCosts::choose(std::span<double const> x, proof::ImpliedBounds const& box) const {
  int best = -1, off = -1, open = -1;
  double most = -1.0, farthest = 0.0;
  for (int const j : integers_) {
    double const value = x[at(j)], fraction = value - std::floor(value);
    double const distance = std::min(fraction, 1.0 - fraction);
    if (!(box.columnLower[at(j)] < box.columnUpper[at(j)])) continue;
    if (open < 0) open = j;
    if (distance > farthest) {
      farthest = distance;
      off = j;
    }
    if (distance <= wholeTolerance) continue;
    if (double const now = score(j, fraction); now > most) {
      most = now;
      best = j;
    }
  }
  int const column = best >= 0 ? best : off >= 0 ? off : open;
  if (column < 0) return {};
  Branch branch =
      branchAt(column, x[at(column)], box.columnLower[at(column)], box.columnUpper[at(column)]);
  branch.isFractional = best >= 0;
  return branch;
}

std::vector<int> PseudoCosts::unknown(std::span<double const> x, std::size_t count,
                                      int enough) const {
  std::vector<std::pair<double, int>> found;
  for (int const j : integers_) {
    double const fraction = x[at(j)] - std::floor(x[at(j)]);
    if (std::min(fraction, 1.0 - fraction) <= wholeTolerance || known(j) >= enough) continue;
    found.emplace_back(-score(j, fraction), j);
  }
  std::ranges::sort(found);
  if (found.size() > count) found.resize(count);
  std::vector<int> columns;
  for (auto const& [score, column] : found) columns.push_back(column);
  return columns;
}

}  // namespace osi_cuda::search
