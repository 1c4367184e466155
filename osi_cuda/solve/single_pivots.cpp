// SPDX-License-Identifier: EPL-2.0
// Single pivots that a caller chooses, by textbook ratio tests in two passes: the shortest step
// with bounds relaxed a little, then the largest pivot among those that block before it.
#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/solve/session.hpp"

namespace osi_cuda {
namespace {

constexpr double smallestPivot = 1e-9;
constexpr double relaxation = 1e-9;

struct Found {
  int position = -1;
  double ratio = infinity;
  double target = 0.0;
};

int positionOf(std::vector<int> const& variables, int variable) {
  auto const found = std::ranges::find(variables, variable);
  return found == variables.end() ? -1 : static_cast<int>(found - variables.begin());
}

/// Of the candidates (ratio, relaxed ratio, pivot size), the largest pivot within the shortest
/// relaxed ratio.
template <class Candidates>
Found chooseAmong(Candidates const& candidates) {
  double shortest = infinity;
  for (auto const& c : candidates) shortest = std::min(shortest, c.relaxed);
  Found best;
  double size = 0.0;
  for (auto const& c : candidates) {
    if (c.ratio > shortest || c.size <= size) continue;
    size = c.size;
    best = {c.position, c.ratio, c.target};
  }
  return best;
}

struct Candidate {
  int position;
  double ratio, relaxed, size, target;
};

}  // namespace

// Basic variables move by -direction u each unit that the entering one does.
std::optional<PivotStep> Solver::primalPivot(int entering, int direction) {
  Session& s = *session_;
  Engine& engine = s.tableau();
  Snapshot point = engine.snapshot();
  int const q = positionOf(point.nonbasicVariable, entering);
  if (q < 0 || direction == 0) return std::nullopt;
  double const factor = s.form->factor(entering);
  int const scaledDirection = (direction > 0) == (factor > 0.0) ? 1 : -1;
  std::vector<double> const u = engine.column(q);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const rate = -scaledDirection * u[i];
    auto const v = at(point.basicVariable[i]);
    double const bound = rate > 0.0 ? s.form->upper[v] : s.form->lower[v];
    if (std::fabs(rate) < smallestPivot || !std::isfinite(bound)) continue;
    double const room = std::max(0.0, rate > 0.0 ? bound - point.value[v] : point.value[v] - bound);
    double const slack = relaxation * (1.0 + std::fabs(bound));
    candidates.push_back({static_cast<int>(i), room / std::fabs(rate),
                          (room + slack) / std::fabs(rate), std::fabs(rate), bound});
  }
  Found const found = chooseAmong(candidates);
  auto const in = at(entering);
  double const range = s.form->upper[in] - s.form->lower[in];
  PivotStep step{.direction = direction};
  if (found.position < 0 && !std::isfinite(range)) return std::nullopt;
  if (found.position < 0 || range <= found.ratio) {  // it reaches its own other bound
    point.value[in] = scaledDirection > 0 ? s.form->upper[in] : s.form->lower[in];
    engine.setValues(point.value);
    step.variable = entering;
    step.toUpper = direction > 0;
    step.step = range * std::fabs(factor);
  } else {
    int const leaving = point.basicVariable[at(found.position)];
    auto const out = at(leaving);
    step.variable = leaving;
    step.toUpper = (found.target == s.form->upper[out]) == (s.form->factor(leaving) > 0.0);
    step.step = found.ratio * std::fabs(factor);
    osi_cuda::exchange(engine, found.position, q, found.target);
  }
  s.basis = basisOf(*s.form, engine.snapshot());
  return step;
}

// The leaving variable ends with a reduced cost of the size of the ratio; of a variable j at its
// lower bound x_j may rise, at its upper fall, and with it x_r by -T_rj.
std::optional<PivotStep> Solver::dualPivot(int leaving, bool toUpper) {
  Session& s = *session_;
  Engine& engine = s.tableau();
  Snapshot const point = engine.snapshot();
  int const r = positionOf(point.basicVariable, leaving);
  if (r < 0) return std::nullopt;
  double const factor = s.form->factor(leaving);
  bool const scaledToUpper = toUpper == (factor > 0.0);
  auto const out = at(leaving);
  double const target = scaledToUpper ? s.form->upper[out] : s.form->lower[out];
  if (!std::isfinite(target)) return std::nullopt;
  int const side = scaledToUpper ? 1 : -1;  // x_r has to fall, or to rise
  std::vector<double> const row = engine.row(r);
  std::vector<Candidate> candidates;
  for (std::size_t j = 0; j < row.size(); ++j) {
    auto const v = at(point.nonbasicVariable[j]);
    double const lower = s.form->lower[v], upper = s.form->upper[v], x = point.value[v];
    if (std::fabs(row[j]) < smallestPivot || !(lower < upper)) continue;
    bool const hasToRise = side * row[j] > 0.0;
    bool const rests = std::isfinite(lower) || std::isfinite(upper);
    bool const atLower = std::isfinite(lower) && (!std::isfinite(upper) || x - lower <= upper - x);
    if (rests && hasToRise != atLower) continue;
    double const cost = std::fabs(point.reducedCost[v]);
    candidates.push_back({static_cast<int>(j), cost / std::fabs(row[j]),
                          (cost + relaxation) / std::fabs(row[j]), std::fabs(row[j]),
                          hasToRise ? 1.0 : -1.0});
  }
  Found const found = chooseAmong(candidates);
  if (found.position < 0) return std::nullopt;
  PivotStep step{.variable = point.nonbasicVariable[at(found.position)], .toUpper = toUpper};
  step.direction = (found.target > 0.0) == (s.form->factor(step.variable) > 0.0) ? 1 : -1;
  step.step = found.ratio / std::fabs(factor * s.form->costScale);
  osi_cuda::exchange(engine, r, found.position, target);
  s.basis = basisOf(*s.form, engine.snapshot());
  return step;
}

bool Solver::exchange(int entering, int leaving, VariableStatus leavingStatus) {
  Session& s = *session_;
  Engine& engine = s.tableau();
  Snapshot point = engine.snapshot();
  auto const out = at(leaving);
  bool const positive = s.form->factor(leaving) > 0.0;
  bool const scaledToUpper = (leavingStatus == VariableStatus::atUpper) == positive;
  double target = scaledToUpper ? s.form->upper[out] : s.form->lower[out];
  if (!std::isfinite(target) || leavingStatus == VariableStatus::free) target = point.value[out];
  if (entering == leaving) {
    if (positionOf(point.nonbasicVariable, entering) < 0) return false;
    point.value[out] = target;
    engine.setValues(point.value);
  } else {
    int const q = positionOf(point.nonbasicVariable, entering);
    int const r = positionOf(point.basicVariable, leaving);
    if (q < 0 || r < 0) return false;
    std::vector<double> const u = engine.column(q);
    double const alpha = std::fabs(u[at(r)]);
    double largest = 0.0;
    for (double const entry : u) largest = std::max(largest, std::fabs(entry));
    if (alpha < smallestPivot * std::max(1.0, largest)) return false;
    osi_cuda::exchange(engine, r, q, target);
  }
  s.basis = basisOf(*s.form, engine.snapshot());
  return true;
}

}  // namespace osi_cuda
