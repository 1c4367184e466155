// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/dual_pushes.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {
namespace {

/// How far from its bound, relative, a basic variable still counts as resting on it.
constexpr double atBound = 1e-7;
/// Exchanges between two fresh tableaus.
constexpr int mostExchanges = 500;

std::size_t at(int variable) {
  return static_cast<std::size_t>(variable);
}

}  // namespace

/// How far a nonbasic variable's reduced cost is on the wrong side of zero; negative: how far it is
/// on the right side. A fixed variable has no wrong side.
double DualPushes::wrong(int variable, double reducedCost) const {
  double const lower = task_.form.lower[at(variable)], upper = task_.form.upper[at(variable)];
  if (!(lower < upper)) return -infinity;
  double const x = point_.value[at(variable)];
  if (x == lower) return -reducedCost;
  if (x == upper) return reducedCost;
  return std::fabs(reducedCost);
}

bool DualPushes::run(std::span<double const> y) {
  if (y.empty() || !gather(y)) return true;
  tracer_.change("dual_push");
  int exchanges = 0;
  while (left_ > 0) {
    if (limits_.reached(counts_.iterations)) return false;
    if (!step()) break;
    if (++exchanges % mostExchanges == 0) runs_.refactor();
  }
  return true;
}

// Whether there is anything to be drawn, and a reason for it.
bool DualPushes::gather(std::span<double const> y) {
  Engine& engine = task_.engine;
  point_ = engine.snapshot();
  auto const violations = static_cast<int>(std::count_if(
      point_.nonbasicVariable.begin(), point_.nonbasicVariable.end(),
      [&](int v) { return wrong(v, point_.reducedCost[at(v)]) > tolerances_.dual(); }));
  if (violations == 0) return false;
  std::vector<double> const product =
      engine.multiplyTransposed(std::vector<double>(y.begin(), y.end()));
  std::vector<double> cost = task_.form.cost;
  auto const n = product.size();
  drawn_.assign(cost.size(), 0);
  leftAlone_.assign(cost.size(), 0);
  z_.assign(cost.size(), 0.0);
  left_ = 0;
  for (int const v : point_.basicVariable) {
    double const z = cost[at(v)] - (at(v) < n ? product[at(v)] : y[at(v) - n]);
    if (!std::isfinite(z)) return false;
    double const lower = task_.form.lower[at(v)], upper = task_.form.upper[at(v)],
                 x = point_.value[at(v)];
    double const bound = z > 0.0 ? lower : upper;
    if (std::fabs(z) <= tolerances_.dual() || std::isinf(bound)) continue;
    if (std::fabs(x - bound) > atBound * (1.0 + std::fabs(bound))) continue;
    drawn_[at(v)] = 1;
    z_[at(v)] = z;
    ++left_;
  }
  if (left_ == 0) return false;
  // Reduced costs at multipliers at which those of basic variables are z where they are drawn, and
  // zero elsewhere.
  std::vector<double> shifted = cost;
  for (int const v : point_.basicVariable) shifted[at(v)] -= z_[at(v)];
  engine.setCosts(shifted);
  Snapshot const there = engine.snapshot();
  engine.setCosts(cost);
  point_ = engine.snapshot();
  int bad = 0;
  for (int const v : point_.nonbasicVariable) {
    double const z = there.reducedCost[at(v)];
    z_[at(v)] = wrong(v, z) > 0.0 ? 0.0 : z;
    bad += wrong(v, z) > tolerances_.dual();
  }
  // Else the multipliers are no better than those of the basis, or pivots have less to repair.
  return bad < violations && left_ < violations;
}

// The place of the nonbasic variable that blocks first, and the share of the way until then; -1:
// none. Of those that block hardly later the one that would go furthest beyond.
int DualPushes::blocking(std::vector<double> const& reducedCost, double& share) const {
  double const tolerance = tolerances_.dual();
  auto const shareOf = [&](int v, double allowed) {
    double const now = std::max(0.0, -wrong(v, z_[at(v)])), then = wrong(v, reducedCost[at(v)]);
    return (now + allowed) / (now + then);
  };
  double relaxed = 1.0;
  auto const blocks = [&](int v) {
    return !leftAlone_[at(v)] && wrong(v, reducedCost[at(v)]) > tolerance;
  };
  for (int const v : point_.nonbasicVariable)
    if (blocks(v)) relaxed = std::min(relaxed, shareOf(v, tolerance));
  int best = -1;
  double furthest = 0.0;
  for (std::size_t place = 0; place < point_.nonbasicVariable.size(); ++place) {
    int const v = point_.nonbasicVariable[place];
    if (!blocks(v) || shareOf(v, 0.0) > relaxed) continue;
    double const beyond = wrong(v, reducedCost[at(v)]);
    if (beyond <= furthest) continue;
    furthest = beyond;
    best = static_cast<int>(place);
    share = shareOf(v, 0.0);
  }
  return best;
}

/// The row of a drawn variable in which the column has its largest entry; -1: none is large enough.
int DualPushes::leavingRow(std::vector<double> const& column) const {
  constexpr double least = 1e-5;  // beside the largest of the column
  double largest = 0.0, best = 0.0;
  int row = -1;
  for (std::size_t i = 0; i < column.size(); ++i) {
    double const size = std::fabs(column[i]);
    largest = std::max(largest, size);
    if (!drawn_[at(point_.basicVariable[i])] || size <= best) continue;
    best = size;
    row = static_cast<int>(i);
  }
  return best > least * std::max(1.0, largest) ? row : -1;
}

// False: nothing blocks any more.
bool DualPushes::step() {
  double share = 1.0;
  int const place = blocking(point_.reducedCost, share);
  if (place < 0) return false;
  int const entering = point_.nonbasicVariable[at(place)];
  int const row = leavingRow(task_.engine.column(place));
  if (row < 0) {
    leftAlone_[at(entering)] = 1;
    return true;
  }
  int const leaving = point_.basicVariable[at(row)];
  for (int const v : point_.nonbasicVariable)
    z_[at(v)] += share * (point_.reducedCost[at(v)] - z_[at(v)]);
  for (int const v : point_.basicVariable)
    if (drawn_[at(v)]) z_[at(v)] *= 1.0 - share;
  double const x = point_.value[at(leaving)], lower = task_.form.lower[at(leaving)],
               upper = task_.form.upper[at(leaving)];
  double const bound = x - lower <= upper - x ? lower : upper;
  task_.engine.exchange(row, place, bound);
  ++counts_.iterations;
  ++counts_.sinceRefactor;
  drawn_[at(leaving)] = 0;
  z_[at(entering)] = 0.0;
  --left_;
  point_ = task_.engine.snapshot();
  return true;
}

}  // namespace osi_cuda
