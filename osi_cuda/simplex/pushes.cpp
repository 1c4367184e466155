// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/pushes.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda {
namespace {

/// Pivots of a run, and how many runs in a row may leave as many variables as there were.
constexpr int shortestRun = 16, longestRun = 256, mostRunsInVain = 3;

bool between(double x, double lower, double upper) {
  return x > lower && x < upper && (std::isfinite(lower) || std::isfinite(upper));
}

/// A cost that draws x to the nearer bound; random, so that no two are alike.
double pullOf(double x, double lower, double upper, std::uint64_t seed, int variable) {
  double const share = static_cast<double>(rules::randomTie(seed, 0, variable)) * 0x1p-32;
  return (x - lower <= upper - x ? 1.0 : -1.0) * (0.5 + 0.5 * share);
}

}  // namespace

bool Pushes::run(std::vector<double> const& value) {
  Bounds room = problem_.bounds();  // with room for the point that pushes begin at
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
  int left = task_.form.variables() + 1, inVain = 0;
  bool stopped = false;
  while (!(stopped = limits_.reached())) {
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
  Bounds const& own = problem_.trueBounds();
  Bounds bounds = room;
  std::vector<double> cost(problem_.cost().size(), 0.0);
  int left = 0;
  for (int variable : point.nonbasicVariable) {
    auto const v = at(variable);
    double const x = point.value[v];
    if (between(x, own.lower[v], own.upper[v])) {
      cost[v] = pullOf(x, room.lower[v], room.upper[v], task_.options.seed, variable);
      ++left;
    } else {
      bounds.lower[v] = bounds.upper[v] = x;
    }
  }
  if (left > 0) problem_.setPushes(std::move(bounds), std::move(cost));
  return left;
}

}  // namespace osi_cuda
