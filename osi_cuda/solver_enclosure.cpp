// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solver_enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "osi_cuda/proof/assessment.hpp"

namespace osi_cuda {
namespace {

/// Whether the multipliers prove no bound.
bool open(LinearProgram const& lp, ObjectiveEnclosure const& enclosure) {
  return std::isinf(lp.sense == Sense::maximize ? enclosure.upper : enclosure.lower);
}

/// Costs at which a basic variable with one bound has the reduced cost `shift` that this bound
/// wants.
std::vector<double> shiftedCosts(StandardForm const& form, std::vector<int> const& basic,
                                 double shift) {
  std::vector<double> cost = form.cost;
  for (int const variable : basic) {
    auto const v = static_cast<std::size_t>(variable);
    bool const below = std::isfinite(form.lower[v]), above = std::isfinite(form.upper[v]);
    if (below != above) cost[v] += below ? -shift : shift;
  }
  return cost;
}

void closeOpenEnd(LinearProgram const& lp, StandardForm const& form, Engine* engine,
                  Budget const& budget, Solution& solution) {
  constexpr int rounds = 4;
  ObjectiveEnclosure& known = solution.objectiveEnclosure;
  if (!open(lp, known) || budget.interrupted()) return;
  proof::ImpliedBounds const bounds = proof::impliedBounds(lp, rounds);
  auto const narrow = [&](Solution const& by) {
    ObjectiveEnclosure const other = proof::enclose(lp, by, bounds);
    known.lower = std::max(known.lower, other.lower);
    known.upper = std::min(known.upper, other.upper);
    return !open(lp, known);
  };
  if (narrow(solution) || !engine) return;
  Snapshot const point = engine->snapshotOf(SnapshotContent::point);
  Solution other;
  other.columnValues = solution.columnValues;
  // The smallest that is beyond the rounding of multipliers gives the narrowest enclosure.
  for (double const shift : {1e-12, 1e-10, 1e-8}) {
    if (budget.interrupted()) return;
    BasicPoint const shifted =
        engine->solves().basicPoint(point, shiftedCosts(form, point.basicVariable, shift));
    other.rowDuals.resize(shifted.y.size());
    for (std::size_t i = 0; i < shifted.y.size(); ++i)
      other.rowDuals[i] = shifted.y[i] * form.rowScale[i] / form.costScale;
    if (narrow(other)) return;
  }
}

}  // namespace

void closeEnclosure(LinearProgram const& lp, StandardForm const& form, Engine* engine,
                    Budget const& budget, Solution& solution) {
  try {
    closeOpenEnd(lp, form, engine, budget, solution);
  } catch (std::bad_alloc const&) {
    // The answer stands without.
  }
}

}  // namespace osi_cuda
