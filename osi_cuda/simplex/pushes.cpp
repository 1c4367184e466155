// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/pushes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda {
namespace {

/// Pivots of a run, and how many runs in a row may leave as many variables as there were.
constexpr int shortestRun = 16, longestRun = 256, mostRunsInVain = 3;

/// A free variable rests at zero.
bool between(double x, double lower, double upper) {
  return x > lower && x < upper && (std::isfinite(lower) || std::isfinite(upper) || x != 0.0);
}

/// A cost that draws x to the nearer bound; random, so that no two are alike.
double pullOf(double x, double lower, double upper, std::uint64_t seed, int variable) {
  double const share = static_cast<double>(rules::randomTie(seed, 0, variable)) * 0x1p-32;
  return (x - lower <= upper - x ? 1.0 : -1.0) * (0.5 + 0.5 * share);
}

/// How far from its bound, relative, a basic variable still counts as resting on it.
constexpr double atBound = 1e-7;
/// Pivots of a run: in long ones other variables get beyond their bounds, and leave as well.
constexpr int shortest = 16, longest = 64;
/// Runs in a row that leave as many variables as there were, or meet one that finds nobody to take
/// its place after fewer pivots than those that are asked for at least.
constexpr int mostInVain = 8;

}  // namespace

bool Pushes::run(std::vector<double> const& value) {
  auto const [lower, upper] = problem_.bounds();
  // With room for the point that pushes begin at.
  Bounds room{{lower.begin(), lower.end()}, {upper.begin(), upper.end()}};
  Snapshot point = task_.engine.snapshot();
  for (int variable : point.nonbasicVariable) {
    auto const v = at(variable);
    if (between(value[v], room.lower[v], room.upper[v])) point.value[v] = value[v];
  }
  task_.engine.setValues(point.value);
  relaxBounds(room.lower, room.upper, task_.engine.snapshot(), tolerances_.primal(),
              task_.options.seed);
  tracer_.change("push");
  problem_.beginPushes();
  bool stopped = false;
  if (auto* const engine = task_.engine.as<PushesColumns>()) {
    problem_.setPushes(Bounds(room), std::vector<double>(problem_.cost().size(), 0.0));
    for (int next = 0; !(stopped = limits_.reached()) && !runs_.pushColumns(*engine, next);) {
    }
  }
  int left = task_.form.variables() + 1, inVain = 0;
  while (!stopped && !(stopped = limits_.reached())) {
    int const before = left;
    left = pullBetween(room);
    inVain = left < before ? 0 : inVain + 1;
    if (left == 0 || inVain >= mostRunsInVain) break;
    runs_.runPushes(Algorithm::primal, std::clamp(left / 4, shortestRun, longestRun));
  }
  problem_.restore();
  return !stopped;
}

// Costs and bounds for the next pushes. Returns how many variables are left to be pushed.
int Pushes::pullBetween(Bounds const& room) {
  Snapshot const point = task_.engine.snapshot();
  BoundsView const own = problem_.trueBounds();
  Bounds bounds = room;
  std::vector<double> cost(problem_.cost().size(), 0.0);
  int left = 0;
  for (int variable : point.nonbasicVariable) {
    auto const v = at(variable);
    double const x = point.value[v];
    if (between(x, own.lower[v], own.upper[v])) {
      if (std::isinf(room.lower[v]) && std::isinf(room.upper[v]))
        (x > 0.0 ? bounds.lower : bounds.upper)[v] = 0.0;
      cost[v] = pullOf(x, bounds.lower[v], bounds.upper[v], task_.options.seed, variable);
      ++left;
    } else {
      bounds.lower[v] = bounds.upper[v] = x;
    }
  }
  if (left > 0) problem_.setPushes(std::move(bounds), std::move(cost));
  return left;
}

/// How far a nonbasic variable's reduced cost is on the wrong side of zero. A fixed variable has no
/// wrong side.
double DualPushes::wrong(int variable, double reducedCost) const {
  double const lower = task_.form.lower[at(variable)], upper = task_.form.upper[at(variable)];
  if (!(lower < upper)) return 0.0;
  double const x = vertex_[at(variable)];
  if (x == lower) return std::max(0.0, -reducedCost);
  if (x == upper) return std::max(0.0, reducedCost);
  return std::fabs(reducedCost);
}

bool DualPushes::run(std::span<double const> y) {
  if (y.empty() || !gather(y)) return true;
  tracer_.change("dual_push");
  problem_.beginPushes();
  int left = countLeft(), inVain = 0;
  bool stopped = false;
  while (left > 0 && inVain < mostInVain && !(stopped = limits_.reached())) {
    draw();
    int const stuck = runs_.runPushes(Algorithm::dual, std::clamp(left / 8, shortest, longest));
    if (stuck >= 0) drawn_[at(stuck)] = 0.0;  // it is left to the simplex method
    int const before = std::exchange(left, countLeft());
    bool const endsSoon = stuck >= 0 && runs_.last().iterations < shortest;
    inVain = left < before && !endsSoon ? 0 : inVain + 1;
  }
  problem_.restore();
  return !stopped;
}

// Whether there is anything to be drawn, and a reason for it.
bool DualPushes::gather(std::span<double const> y) {
  Engine& engine = task_.engine;
  Snapshot const point = engine.snapshot();
  vertex_ = point.value;
  auto const isWrong = [&](Snapshot const& p, int v) {
    return wrong(v, p.reducedCost[at(v)]) > tolerances_.dual();
  };
  auto const countWrong = [&](Snapshot const& p) {
    return std::ranges::count_if(p.nonbasicVariable, [&](int v) { return isWrong(p, v); });
  };
  auto const violations = countWrong(point);
  if (violations == 0) return false;
  std::vector<double> const product =
      engine.solves().multiplyTransposed(std::vector<double>(y.begin(), y.end()));
  std::vector<double> shifted = task_.form.cost;
  drawn_.assign(shifted.size(), 0.0);
  auto const n = product.size();
  std::ptrdiff_t left = 0;
  for (int const v : point.basicVariable) {
    double const z = task_.form.cost[at(v)] - (at(v) < n ? product[at(v)] : y[at(v) - n]);
    if (!std::isfinite(z)) return false;
    double const bound = z > 0.0 ? task_.form.lower[at(v)] : task_.form.upper[at(v)];
    if (std::fabs(z) <= tolerances_.dual() || std::isinf(bound)) continue;
    if (std::fabs(point.value[at(v)] - bound) > atBound * (1.0 + std::fabs(bound))) continue;
    drawn_[at(v)] = z;
    vertex_[at(v)] = bound;
    shifted[at(v)] -= z;
    ++left;
  }
  if (left == 0) return false;
  engine.setCosts(shifted);
  auto const bad = countWrong(engine.snapshot());
  engine.setCosts(task_.form.cost);
  // Else the multipliers are no better than those of the basis, or pivots have less to repair.
  return bad < violations && left < violations;
}

// How many are left; who has left the basis is done with.
int DualPushes::countLeft() {
  for (int const v : task_.engine.snapshotOf(SnapshotContent::basis).nonbasicVariable)
    drawn_[at(v)] = 0.0;
  return static_cast<int>(std::ranges::count_if(drawn_, [](double z) { return z != 0.0; }));
}

// Bounds and costs for the next pivots. A nonbasic variable has no second bound to flip to.
void DualPushes::draw() {
  Engine& engine = task_.engine;
  Bounds bounds{task_.form.lower, task_.form.upper};
  std::vector<double> cost = task_.form.cost;
  Snapshot point = engine.snapshotOf(SnapshotContent::basis);
  for (int const v : point.basicVariable) {
    double const z = drawn_[at(v)];
    double const share = static_cast<double>(rules::randomTie(task_.options.seed, 0, v)) * 0x1p-32;
    double const beyond = vertex_[at(v)] + (z > 0.0 ? 0.5 : -0.5) * (1.0 + share);
    bounds.lower[at(v)] = z > 0.0 ? beyond : -infinity;
    bounds.upper[at(v)] = z < 0.0 ? beyond : infinity;
    cost[at(v)] -= z;
  }
  for (int const v : point.nonbasicVariable) {
    if (!(bounds.lower[at(v)] < bounds.upper[at(v)])) continue;
    if (vertex_[at(v)] == bounds.lower[at(v)])
      bounds.upper[at(v)] = infinity;
    else if (vertex_[at(v)] == bounds.upper[at(v)])
      bounds.lower[at(v)] = -infinity;
  }
  problem_.setPushes(std::move(bounds), std::vector<double>(cost));
  engine.setValues(vertex_);
  point = engine.snapshot();
  bool any = false;
  for (int const v : point.nonbasicVariable)
    if (wrong(v, point.reducedCost[at(v)]) > 0.0) {
      cost[at(v)] -= point.reducedCost[at(v)];
      any = true;
    }
  if (any) engine.setCosts(cost);
}

}  // namespace osi_cuda
