// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/branching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::search {

Branch branchAt(int column, double x, double lower, double upper) {
  bool const isFractional = std::min(x - std::floor(x), 1.0 - (x - std::floor(x))) > wholeTolerance;
  x = std::clamp(x, lower, upper);
  double value = std::floor(x);
  if (value >= upper) value = upper - 1.0;
  return {column,      value, value + 1.0, std::max(0.0, x - value), std::max(0.0, value + 1.0 - x),
          isFractional};
}

namespace {

/// Off or on: the value, if it is in the gap, lies so far from either side.
Branch gapBranch(SemicontinuousColumn const& one, double x) {
  double const begin = one.gapBegin(), end = one.gapEnd();
  double const below = std::max(0.0, x - begin), above = std::max(0.0, end - x);
  return {one.column, begin, end, below, above, std::min(below, above) > wholeTolerance};
}

/// Between the first and the last place of a set whose values are larger than that, at the mean of
/// the weights; -1: they are neighbours.
Branch setBranch(OrderedSet const& set, int number, std::span<double const> x,
                 proof::ImpliedBounds const& box, double larger) {
  int first = -1, last = -1;
  double sum = 0.0, weighted = 0.0;
  for (int k = 0; k < std::ssize(set.columns); ++k) {
    std::size_t const j = at(set.columns[at(k)]);
    double const size = std::fabs(x[j]);
    if (!(size > larger) || (box.columnLower[j] == 0.0 && box.columnUpper[j] == 0.0)) continue;
    if (first < 0) first = k;
    last = k;
    sum += size;
    weighted += size * set.weights[at(k)];
  }
  if (first < 0 || last - first < set.type) return {};
  int place = first;
  while (place < last - set.type && set.weights[at(place + 1)] * sum <= weighted) ++place;
  Branch branch{number, place + set.type - 1.0, place + 1.0, 0.0, 0.0, larger >= wholeTolerance};
  for (int k = 0; k < std::ssize(set.columns); ++k) {
    double const size = std::fabs(x[at(set.columns[at(k)])]);
    if (k > branch.value) branch.below += size;
    if (k < branch.next) branch.above += size;
  }
  return branch;
}

int firstPriorityOf(LinearProgram const& problem) {
  int first = std::numeric_limits<int>::max();
  for (OrderedSet const& set : problem.choices.sets) first = std::min(first, set.priority);
  return first;
}

}  // namespace

void spreadSets(LinearProgram const& problem, std::vector<BoundChange>& changes) {
  if (problem.choices.sets.empty()) return;
  int const n = problem.columns();
  std::vector<BoundChange> ofSets;
  std::erase_if(changes, [&](BoundChange const& change) {
    if (change.column < n) return false;
    ofSets.push_back(change);
    return true;
  });
  for (BoundChange const& change : ofSets) {
    std::vector<int> const& columns = problem.choices.sets[at(change.column - n)].columns;
    for (int k = 0; k < std::ssize(columns); ++k) {
      if (change.upper ? k <= change.value : k >= change.value) continue;
      int const j = columns[at(k)];
      if (problem.columnLower[at(j)] < 0.0) changes.push_back({j, false, 0.0});
      if (problem.columnUpper[at(j)] > 0.0) changes.push_back({j, true, 0.0});
    }
  }
}

PseudoCosts::PseudoCosts(LinearProgram const& problem)
    : problem_(problem), firstPriority_(firstPriorityOf(problem)) {
  for (auto& side : gains_) side.resize(at(problem.columns()) + problem.choices.sets.size());
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
  for (std::size_t j = 0; j < gains_[0].size(); ++j)
    for (bool const up : {false, true})
      if (Gains const& gains = gains_[up][j]; gains.count > 0)
        saved.gains.push_back({static_cast<int>(j), up, gains.sum, gains.count});
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
  if (all.count > 0) return all.sum / all.count;
  return column < problem_.columns() ? std::fabs(problem_.objective[at(column)]) + 1.0 : 1.0;
}

double PseudoCosts::score(Branch const& branch) const {
  constexpr double least = 1e-8;
  return std::max(least, expected(branch.column, false) * branch.below) *
         std::max(least, expected(branch.column, true) * branch.above);
}

template <class Take>
void PseudoCosts::each(std::span<double const> x, proof::ImpliedBounds const& box,
                       Take const& take) const {
  for (int const j : integers_) {
    double const lower = box.columnLower[at(j)], upper = box.columnUpper[at(j)];
    if (lower < upper) take(branchAt(j, x[at(j)], lower, upper), firstPriority_);
  }
  for (SemicontinuousColumn const& one : problem_.choices.semicontinuous)
    if (box.columnLower[at(one.column)] < one.gapEnd() &&
        box.columnUpper[at(one.column)] > one.gapBegin())
      take(gapBranch(one, x[at(one.column)]), firstPriority_);
  int number = problem_.columns();
  for (OrderedSet const& set : problem_.choices.sets) {
    Branch branch;
    for (double const larger : {wholeTolerance, 0.0, -1.0})
      if (branch.column < 0) branch = setBranch(set, number, x, box, larger);
    if (branch.column >= 0) take(branch, set.priority);
    ++number;
  }
}

Branch PseudoCosts::choose(std::span<double const> x, proof::ImpliedBounds const& box) const {
  Branch best, off, open;
  double most = -1.0, farthest = 0.0;
  int first = firstPriority_;
  each(x, box, [&](Branch const& branch, int priority) {
    if (open.column < 0) open = branch;
    if (double const distance = std::min(branch.below, branch.above); distance > farthest) {
      farthest = distance;
      off = branch;
    }
    if (!branch.isFractional || (best.column >= 0 && priority > first)) return;
    double const now = score(branch);
    if (best.column >= 0 && priority == first && !(now > most)) return;
    most = now;
    best = branch;
    first = priority;
  });
  return best.column >= 0 ? best : off.column >= 0 ? off : open;
}

std::vector<Branch> PseudoCosts::unknown(std::span<double const> x, proof::ImpliedBounds const& box,
                                         std::size_t count, int enough) const {
  std::vector<Branch> found;
  each(x, box, [&](Branch const& branch, int) {
    if (branch.isFractional && known(branch.column) < enough) found.push_back(branch);
  });
  std::ranges::sort(
      found, {}, [this](Branch const& branch) { return std::pair(-score(branch), branch.column); });
  if (found.size() > count) found.resize(count);
  return found;
}

}  // namespace osi_cuda::search
