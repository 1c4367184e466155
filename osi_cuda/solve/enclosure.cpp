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

/// A vertex of a small problem by few pivots, each of which takes as long as to look at `each`
/// entries.
std::vector<double> vertexOf(LinearProgram const& lp, double& work) {
  double const each = 300.0 + 0.07 * static_cast<double>(lp.matrix.nonzeros());
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.presolve = options.exact = options.enclose = Toggle::off;
  options.race = RaceChoice::off;
  options.algorithm = AlgorithmChoice::dual;  // at first, all moves are as large as they may be
  options.primalTolerance = options.dualTolerance = 1e-11;
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
  proof::SearchLimits& limits;
  Solution& solution;

  bool isDense() const {
    return 2.0 * static_cast<double>(lp.matrix.nonzeros()) >
           static_cast<double>(lp.rows()) * static_cast<double>(lp.columns());
  }

  void byMultipliers(double& end) const {
    // Where all is dense, it takes no longer than the proof of the optimum.
    bool const isLong = limits.work < 4.0 * static_cast<double>(lp.matrix.nonzeros());
    if (std::isfinite(end) || (isLong && !isDense()) || budget.interrupted()) return;
    // Low parts of multipliers are left out: any multipliers bound the objective.
    proof::BoundedOptima const optima(lp, solution.objective, limits);
    end = optima.endBy(solution.rowDuals);
    if (!std::isfinite(end)) end = optima.endNear(solution.rowDuals, limits);
  }

  void byPoint(double& end) const {
    if (std::isfinite(end) || budget.interrupted()) return;
    if (engine && isDense() &&
        std::ranges::none_of(std::views::iota(std::size_t{0}, lp.rowLower.size()),
                             [&](std::size_t i) { return lp.rowLower[i] == lp.rowUpper[i]; }))
      end = byRowsMovedInside(end);
    limits.work -= static_cast<double>(lp.matrix.nonzeros());
    if (std::isfinite(end) || limits.work < 0.0) return;
    end = proof::endByPoint(lp, lp.matrix.transposed(), solution.columnValues, limits);
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
    if (limits.work < infinity || solution.status != Status::optimal ||
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
};

}  // namespace

void closeEnclosure(LinearProgram const& lp, StandardForm const& form, Engine* engine,
                    Budget const& budget, double work, Solution& solution) {
  try {
    proof::SearchLimits limits{work, [&budget] { return budget.interrupted(); }, vertexOf};
    OpenEnds const ends{lp, form, engine, budget, limits, solution};
    bool const maximize = lp.sense == Sense::maximize;
    auto& [lower, upper] = solution.objectiveEnclosure;
    ends.byMultipliers(maximize ? upper : lower);
    ends.byPoint(maximize ? lower : upper);
    ends.byRationals();
  } catch (std::bad_alloc const&) {
    // The answer stands without.
  }
}

// Counted seconds come to about half of a solve of some milliseconds, and of an entry to about half
// of what it takes when nothing is in a cache.
double workBeside(double seconds, double share) {
  constexpr double entrySeconds = 3.3e-9;
  return seconds * share / entrySeconds;
}

bool enclosingIsQuick(LinearProgram const& lp, std::int64_t iterations) {
  return lp.matrix.nonzeros() <= 1000 + 20 * iterations;
}

}  // namespace osi_cuda
