// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "osi_cuda/base/memory.hpp"

namespace osi_cuda {

char const* toString(Way way) {
  constexpr char const* words[] = {"sparse factors on the processor", "tableau on the processor",
                                   "pivots on a device", "interior point method on the processor",
                                   "interior point method on a device"};
  return words[static_cast<int>(way)];
}

namespace {

constexpr double notOffered = std::numeric_limits<double>::infinity();
constexpr double gaplessFrom = 0.3;  ///< share of entries from which A is kept without gaps

/// From the slack basis: 1.0 to 2.6 times the smaller side up to 2000 x 1000, and more by its root
/// beyond, if the problem is dense (docs/evidence/dense.md).
double pivotsBySize(Shape const& shape) {
  double const side = std::min(shape.rows, shape.columns);
  return side *
         (shape.density() >= gaplessFrom ? 2.6 * std::sqrt(side / 1000.0) : usualPivotsOfLine);
}

/// Until the handover to pivots, and these, for each row or column; see the same page.
constexpr double usualIterations = 9.0, usualCrossoverPivots = 0.12;

DeviceWork deviceWorkOf(Machine const& machine, Shape const& shape) {
  DeviceWork work;
  double const m = shape.rows, n = shape.columns, other = std::max(m, n);
  auto const entries = static_cast<double>(shape.nonzeros);
  work.rows = m;
  work.columns = n;
  work.order = std::min(m, n);
  double const length = entries / std::max(1.0, other), dense = work.order * work.order * other;
  work.product = shape.density() >= gaplessFrom
                     ? dense
                     : std::min(dense, 2.0 * scatteredOnDevice(machine) * other * length *
                                           (length + 1.0) / 2.0);
  work.factor = work.order * work.order * work.order / 3.0;
  work.solve = 2.0 * work.order * work.order + 4.0 * entries;
  work.inverse = inverseOrder(static_cast<int>(work.order));
  return work;
}

double devicePivots(Machine const& machine, Shape const& shape, double pivots) {
  return pivots * devicePivotSeconds(machine, shape.rows, shape.columns);
}

double deviceInterior(Machine const& machine, Shape const& shape) {
  constexpr double solves = 4.0;  // of an iteration, correctors included
  DeviceWork const work = deviceWorkOf(machine, shape);
  double const product =
      std::min(productSeconds(machine, work),
               shape.density() >= gaplessFrom ? roughProductSeconds(machine, work) : notOffered);
  return usualIterations *
             (product + factorSeconds(machine, work) + solves * normalSolveSeconds(machine, work)) +
         refactorSeconds(machine, shape) +
         devicePivots(machine, shape, usualCrossoverPivots * work.order);
}

double hostInterior(Machine const& machine, Shape const& shape, double threads) {
  DeviceWork const work = deviceWorkOf(machine, shape);  // of a dense problem the same
  double const crossover =
      usualCrossoverPivots * work.order * tableauPivotSeconds(machine, shape.rows, shape.columns);
  return (usualIterations + 1.0) *
             hostIterationSeconds(machine, work.product + work.factor + 5.0 * work.solve, threads,
                                  work.rows + work.columns) +
         crossover;
}

/// The smaller side of a dense problem, twice as long, from which on the interior point method is
/// the quicker one.
double evenSide(Machine const& machine) {
  double low = 16.0, high = 1e6;
  auto const pays = [&](double side) {
    auto const n = static_cast<int>(side);
    Shape const shape{2 * n, n, std::int64_t{2} * n * n};
    return deviceInterior(machine, shape) < devicePivots(machine, shape, pivotsBySize(shape));
  };
  if (!pays(high)) return notOffered;
  while (high > 1.001 * low) (pays(std::sqrt(low * high)) ? high : low) = std::sqrt(low * high);
  return high;
}

}  // namespace

// On one H200 it took less time from 2000 x 1000 on (docs/evidence/dense.md). On the processor
// pivots win at the sizes at which a dense tableau is of use.
double barrierSide(Machine const& machine) {
  if (&machine == &referenceMachine()) return 1000.0;  // asked at every solve
  return 1000.0 * (evenSide(machine) / evenSide(referenceMachine()));
}
double barrierCells(Machine const& machine) {
  double const side = barrierSide(machine);
  return 2.0 * side * side;
}

std::optional<double> estimatedSeconds(Machine const& machine, Way way, Shape const& shape,
                                       Beginning const& from) {
  bool const dense = shape.density() >= gaplessFrom;
  double const pivots = from.pivots.value_or(pivotsBySize(shape));
  // To form and to send the problem, and to prove the answer.
  double const sending = (from.deviceOpen ? 0.0 : openingSeconds(machine)) +
                         (from.loaded ? 0.0 : sendingSeconds(machine, shape)) +
                         provingSeconds(machine, shape);
  switch (way) {
    case Way::hostFactors:
      return pivots * (from.pivots || dense
                           ? factoredPivotSeconds(machine, shape.rows, shape.columns,
                                                  static_cast<double>(shape.nonzeros))
                           : filledPivotSeconds(machine, shape));
    case Way::hostTableau:
      return pivots * tableauPivotSeconds(machine, shape.rows, shape.columns);
    case Way::devicePivots:
      return sending + devicePivots(machine, shape, pivots);
    case Way::hostBarrier:
      if (!dense || from.pivots) return {};
      return hostInterior(machine, shape, from.threads);
    case Way::deviceBarrier:
      if (from.pivots) return {};
      return sending + deviceInterior(machine, shape);
  }
  return {};
}

std::vector<Estimate> estimatesOf(Machine const& machine, Shape const& shape,
                                  Beginning const& from) {
  std::vector<Estimate> found;
  for (Way const way : {Way::hostFactors, Way::hostTableau, Way::devicePivots, Way::hostBarrier,
                        Way::deviceBarrier})
    if (auto const seconds = estimatedSeconds(machine, way, shape, from))
      found.push_back({way, *seconds});
  std::ranges::sort(found, {}, &Estimate::seconds);
  return found;
}

double insideSeconds(InsideCost const& cost) {
  return 30.0 * cost.ofIteration + cost.opening;
}
double insideByThreads(double ofIteration) {
  return 2.0 * std::pow(insideSeconds(ofIteration), 0.6);
}
double pivotsSeconds(double ofIteration) {
  return 290.0 * std::pow(ofIteration, 1.24);
}

bool givesPivotsUp(Shape const& shape, InsideCost const& inside, std::int64_t pivots, double work) {
  constexpr double share = 0.1;  // of the other's time, to learn what a pivot takes
  auto const made = static_cast<double>(pivots);
  double const side = std::max(1, std::min(shape.rows, shape.columns)),
               other = std::max(shape.rows, shape.columns), expected = 1.2 * side;
  // Oblong problems take more, by the logarithm of columns to a row (Shamir 1987).
  bool const usual = made <= expected + 0.3 * side * std::log2(std::max(1.0, other / side));
  double const all = std::max(expected, (usual ? 1.5 : 3.0) * made),
               barrier = insideSeconds(inside);
  return work > share * barrier && work * all > barrier * made;
}

}  // namespace osi_cuda
