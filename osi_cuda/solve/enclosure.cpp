// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/solve/extras.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <ranges>

#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/located_point.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {
namespace {

constexpr double mostSecondsOfRationals = 60.0;

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

/// A vertex of a small problem by few pivots, each of which looks at `each` entries and more.
std::vector<double> vertexOf(LinearProgram const& lp, double& work) {
  double const each = 20.0 * lp.rows() + 0.1 * static_cast<double>(lp.matrix.nonzeros());
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.presolve = options.exact = options.enclose = Toggle::off;
  options.race = RaceChoice::off;
  options.iterationLimit = static_cast<std::int64_t>(std::min(1e9, work / each));
  Solver solver(lp);
  Solution const solution = solver.solve(options);
  work -= each * static_cast<double>(solution.iterations);
  if (solution.status != Status::optimal) return {};
  return solution.columnValues;
}

struct OpenEnds {
  LinearProgram const& lp;
  StandardForm const& form;
  Engine* engine;
  Budget const& budget;
  double work;
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
    if (engine &&
        std::ranges::none_of(std::views::iota(std::size_t{0}, lp.rowLower.size()),
                             [&](std::size_t i) { return lp.rowLower[i] == lp.rowUpper[i]; }))
      end = byRowsMovedInside(end);
    if (std::isfinite(end) || work < static_cast<double>(lp.matrix.nonzeros())) return;
    end = proof::endByPoint(lp, lp.matrix.transposed(), solution.columnValues, limits());
  }

  double byRowsMovedInside(double none) const {
    Snapshot point = engine->snapshotOf(SnapshotContent::point);
    std::vector<double> const values = point.value;
    for (double const share : {0x1p-45, 0x1p-38, 0x1p-31}) {
      if (budget.interrupted()) break;
      for (int const variable : point.nonbasicVariable) {
        auto const v = at(variable);
        if (variable < form.columns()) continue;
        double const step = share * (1.0 + std::fabs(values[v]));
        bool const below = values[v] - form.lower[v] <= form.upper[v] - values[v];
        point.value[v] = values[v] + (below ? step : -step);
      }
      std::vector<double> x = engine->solves().basicPoint(point, form.cost).x;
      for (std::size_t j = 0; j < x.size(); ++j)
        x[j] = std::clamp(x[j] * form.columnScale[j], lp.columnLower[j], lp.columnUpper[j]);
      if (double const value = proof::valueOf(lp, x); std::isfinite(value)) return value;
    }
    return none;
  }

  /// Both ends from an optimum in rational arithmetic, of which nothing else is taken.
  void byRationals() const {
    auto const& known = solution.objectiveEnclosure;
    if (work < infinity || solution.status != Status::optimal ||
        (std::isfinite(known.lower) && std::isfinite(known.upper)))
      return;
    Options options;
    options.exact = Toggle::on;
    options.exactNumbers = ExactNumbers::doubles;
    options.timeLimit = solution.seconds + mostSecondsOfRationals;
    Callbacks callbacks;
    callbacks.interrupted = [this] { return budget.interrupted(); };
    Solution exact = solution;
    proveExactly(lp, options, callbacks, exact);
    if (exact.status == Status::optimal && exact.exact.proved)
      solution.objectiveEnclosure = exact.objectiveEnclosure;
  }

  proof::SearchLimits limits() const {
    return {work, [this] { return budget.interrupted(); }, vertexOf};
  }
};

}  // namespace

void closeEnclosure(LinearProgram const& lp, StandardForm const& form, Engine* engine,
                    Budget const& budget, double work, Solution& solution) {
  try {
    OpenEnds const ends{lp, form, engine, budget, work, solution};
    bool const maximize = lp.sense == Sense::maximize;
    auto& [lower, upper] = solution.objectiveEnclosure;
    ends.byMultipliers(maximize ? upper : lower);
    ends.byPoint(maximize ? lower : upper);
    ends.byRationals();
  } catch (std::bad_alloc const&) {
    // The answer stands without.
  }
}

// A pivot takes 10 us and more, a pass over the matrix some 5 ns for an entry, of which a search
// looks at one in ten times that.
double workBeside(std::int64_t iterations) {
  return 4.0 * static_cast<double>(iterations);
}

bool enclosingIsQuick(LinearProgram const& lp, std::int64_t iterations) {
  return lp.matrix.nonzeros() <= 1000 + 20 * iterations;
}

}  // namespace osi_cuda
