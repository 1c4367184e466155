// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/solve/extras.hpp"

#include <cmath>
#include <new>

#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/located_point.hpp"

namespace osi_cuda {
namespace {

/// Costs at which a basic variable with one bound has the reduced cost `shift` that this bound
/// wants.
std::vector<double> shiftedCosts(StandardForm const& form, std::vector<int> const& basic,
                                 double shift) {
  std::vector<double> cost = form.cost;
  for (int const variable : basic) {
    auto const v = at(variable);
    bool const below = std::isfinite(form.lower[v]), above = std::isfinite(form.upper[v]);
    if (below != above) cost[v] += below ? -shift : shift;
  }
  return cost;
}

struct OpenEnds {
  LinearProgram const& lp;
  StandardForm const& form;
  Engine* engine;
  Budget const& budget;
  Solution& solution;

  void byMultipliers(double& end) const {
    constexpr int rounds = 3;  // another one closed no enclosure of Netlib
    if (std::isfinite(end) || budget.interrupted()) return;
    proof::ImpliedBounds const bounds = proof::impliedBounds(lp, rounds);
    // Low parts of multipliers are left out: any multipliers bound the objective.
    if (end = proof::boundOf(lp, solution.rowDuals, bounds); std::isfinite(end)) return;
    if (engine) {
      Snapshot const point = engine->snapshotOf(SnapshotContent::point);
      // The smallest that is beyond the rounding of multipliers gives the narrowest enclosure.
      for (double const shift : {1e-12, 1e-10, 1e-8}) {
        if (budget.interrupted()) return;
        std::vector<double> y =
            engine->solves().basicPoint(point, shiftedCosts(form, point.basicVariable, shift)).y;
        for (std::size_t i = 0; i < y.size(); ++i) y[i] *= form.rowScale[i] / form.costScale;
        if (end = proof::boundOf(lp, y, bounds); std::isfinite(end)) return;
      }
    }
    end = proof::endByMultipliers(lp, solution.rowDuals, limits());
  }

  void byPoint(double& end) const {
    if (std::isfinite(end) || budget.interrupted()) return;
    end = proof::endByPoint(lp, lp.matrix.transposed(), solution.columnValues, limits());
  }

  proof::SearchLimits limits() const {
    return {infinity, [this] { return budget.interrupted(); }};
  }
};

}  // namespace

void closeEnclosure(LinearProgram const& lp, StandardForm const& form, Engine* engine,
                    Budget const& budget, Solution& solution) {
  try {
    OpenEnds const ends{lp, form, engine, budget, solution};
    bool const maximize = lp.sense == Sense::maximize;
    auto& [lower, upper] = solution.objectiveEnclosure;
    ends.byMultipliers(maximize ? upper : lower);
    ends.byPoint(maximize ? lower : upper);
  } catch (std::bad_alloc const&) {
    // The answer stands without.
  }
}

// A pivot takes 10 us and more, a pass over the matrix some 5 ns for an entry.
bool enclosingIsQuick(LinearProgram const& lp, std::int64_t iterations) {
  return lp.matrix.nonzeros() <= 1000 + 20 * iterations;
}

}  // namespace osi_cuda
