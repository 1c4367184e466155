// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/plan.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/cost/cost_model.hpp"

namespace osi_cuda {
namespace {

/// On the processor the counted work of the method decides for sparse problems. From so many
/// nonzeros on it is counted at once.
constexpr std::int64_t worthCounting = 2000;

/// Below this density the basis is factored on the processor to prove an optimum, whoever made the
/// pivots; above, a tableau of the given problem is no dearer than those factors.
constexpr double sparseDensity = 0.1;
/// Below this size a presolve gained less than it took; see docs/evidence/netlib.md.
constexpr double presolveCells = 3e5;
/// A dual has to have so many fewer rows, or of a sparse problem so short a smaller side, and
/// pivots that are so much cheaper: the given problem's basis is factored afterwards.
constexpr double dualRows = 1.5, dualGain = 1.1;
/// Factors of a dense basis are no more than that.
constexpr double smallCells = 1e6;

Machine const& machineOf(Shape const& shape) {
  return machineFor(shape.cells());
}
bool sparse(Shape const& shape) {
  return shape.density() < sparseDensity;
}

// Who asks for a part of the tableau asks for the tableau.
bool asksForTableau(Options const& options) {
  return options.blockSize > 0 || options.sketchSize > 0 || ruleOf(options.pricing).ofTableau ||
         options.representation == Representation::tableau;
}

/// The side in use, re-solves measured there, and seconds that they took there and would take on
/// the other side. Before any were measured: 0, and what sizes say of resolvesOfMove re-solves.
struct Sides {
  bool onDevice;
  double solves, here, there;
};

double secondsBySize(bool onDevice, Shape const& shape, Resumed const& these) {
  return resolvesSeconds(machineOf(shape), onDevice, shape, these.solves, these.pivots,
                         these.reshapes);
}

// What was measured on the other side counts by the re-solve, or with the pivots of those here,
// whichever is more. The first launches on a device load their code.
Sides sidesFor(Shape const& shape, History const& history) {
  bool const onDevice = history.holds ? history.holds == EngineKind::device : history.deviceHeld;
  Resumed const &used = history.resumed[onDevice], &other = history.resumed[!onDevice];
  bool const few =
      used.solves <
      (onDevice && used.seconds < openingSeconds(machineOf(shape)) ? resolvesOfMove : 1.0);
  Resumed const usual{resolvesOfMove, 10.0 * resolvesOfMove}, &these = few ? usual : used;
  double there = secondsBySize(!onDevice, shape, these);
  if (few)
    return {onDevice, 0.0, secondsBySize(onDevice, shape, usual),
            other.solves > 0.0 ? infinity : there};
  if (other.solves > 0.0)
    there = other.seconds *
            std::max(there / secondsBySize(!onDevice, shape, other), used.solves / other.solves);
  return {onDevice, used.solves, used.seconds, there};
}

// To buy once the rents come to the price bounds the loss, if seconds there are known: what was
// lost by staying has to be what a move costs. As they may be wrong, the side that is believed to
// be the slower one is tried, too. It may have a tenth of the other's seconds, less by how much
// slower it is; a trial begins where it has had less than half of that, and ends at all of it.
bool deviceResolves(Shape const& shape, History const& history) {
  constexpr double share = 0.1;
  auto const [onDevice, solves, here, there] = sidesFor(shape, history);
  if (onDevice && shape.cells() > lastAttemptCells(machineOf(shape)) && !sparse(shape)) return true;
  double const others = history.resumed[!onDevice].seconds,
               opening = onDevice || history.deviceOpen ? 0.0 : openingSeconds(machineOf(shape)),
               move = resolvesOfMove * there / (solves > 0.0 ? solves : resolvesOfMove) + opening;
  if (here - there >= move && here >= share * others * std::min(1.0, there / here))
    return !onDevice;
  bool const tries = move + 2.0 * others <= share * here * std::min(1.0, here / there);
  return onDevice != (solves > 0.0 && tries);
}

bool deviceFor(Shape const& shape, Options const& options, History const& history) {
  if (options.engine == EngineChoice::host || history.deviceLost) return false;
  if (isDevice(options.engine)) return true;
  if (history.noDevice) return false;
  bool const large = shape.cells() >= deviceCells(machineOf(shape));
  if (!history.hasFactors || asksForTableau(options)) return large;
  if (history.solvedBefore || (sparse(shape) && !history.slackStart))
    return deviceResolves(shape, history);
  return large && (history.deviceOpen || !sparse(shape) ||
                   shareBySize * hostPivotsSeconds(machineOf(shape), shape) >=
                       openingSeconds(machineOf(shape)));
}

bool factorsFor(Shape const& shape, Options const& options, History const& history) {
  if (!history.hasFactors) return false;
  if (options.representation == Representation::factors) return true;
  if (asksForTableau(options)) return false;
  std::optional<bool> held;
  if (history.holds && history.holds != EngineKind::device)
    held = history.holds == EngineKind::factors;
  return factorsAreFaster(machineOf(shape), shape.rows, shape.columns,
                          static_cast<double>(shape.nonzeros), held);
}

bool racesFor(Options const& options) {
  return options.algorithm == AlgorithmChoice::race && options.race != RaceChoice::off;
}

// Presolve and dual have this in common: a basis of another problem is where the given one begins.
bool mayBeginElsewhere(Shape const& shape, Options const& options, History const& history) {
  if (options.presolve == Toggle::off || !history.hasPresolve) return false;
  if (shape.rows == 0 || shape.columns == 0) return false;
  // An interior point has no basis to restart from; without pivots there is nothing to save.
  bool const mayEndInside = options.algorithm == AlgorithmChoice::barrier || racesFor(options);
  if (mayEndInside && !options.crossover) return false;
  return options.iterationLimit > 0 && options.timeLimit > 0.0;
}

bool presolveFor(Shape const& shape, Options const& options, History const& history) {
  if (!mayBeginElsewhere(shape, options, history)) return false;
  return options.presolve == Toggle::on ||
         (history.cold() && !std::isfinite(options.objectiveLimit) && sparse(shape) &&
          shape.cells() >= presolveCells);
}

bool barrierFor(Shape const& shape, Options const& options, History const& history) {
  if (options.algorithm == AlgorithmChoice::barrier) return true;
  return options.algorithm == AlgorithmChoice::automatic && history.cold() &&
         history.holds == EngineKind::device && nearlyDense(shape) &&
         std::min(shape.rows, shape.columns) >= barrierSide(machineOf(shape)) &&
         shape.cells() >= barrierCells(machineOf(shape));
}

bool weighBarrierFor(Shape const& shape, Options const& options, History const& history) {
  return options.algorithm == AlgorithmChoice::automatic && history.cold() && history.holds &&
         history.holds != EngineKind::device && options.crossover &&
         !std::isfinite(options.objectiveLimit) && !nearlyDense(shape);
}

// The dual with a phase 1 of its own makes fewer pivots than from modified costs, and than the
// primal from a feasible start (docs/evidence/sparse.md); in a tableau only where rows are few.
bool dualFor(Shape const& shape, Options const& options, History const& history) {
  constexpr double wide = 8.0;  // columns by row
  bool const open =
      options.algorithm != AlgorithmChoice::primal && options.algorithm != AlgorithmChoice::dual;
  bool const few = history.holds == EngineKind::tableau && shape.columns >= wide * shape.rows;
  return open && history.cold() && (few || history.holds == EngineKind::factors);
}

/// From so many rows and columns a solve takes longer than to ask whether it pays to race.
constexpr double raceLines = 500;
/// Threads from which solves race by time without being asked: with fewer, losers take them from
/// the winner.
constexpr int raceThreads = 4;

bool mayRace(Shape const& shape, Options const& options, History const& history, int least) {
  int const threads = options.threads > 0 ? options.threads : history.cores;
  // A search is to be repeatable, and has other work for its threads.
  return threads >= least && !options.oneOfMany &&
         options.algorithm == AlgorithmChoice::automatic && history.cold() && options.crossover &&
         !std::isfinite(options.objectiveLimit) && shape.rows + shape.columns >= raceLines;
}

// By counted work, once the engine is known.
bool raceFor(Method const& method, Shape const& shape, Options const& options,
             History const& history) {
  if (options.race != RaceChoice::work) return false;
  return options.algorithm == AlgorithmChoice::race ||
         (mayRace(shape, options, history, 2) && method.dual &&
          history.holds == EngineKind::factors && !method.barrier);
}

// By time, before there is an engine. A dense problem is the device's, or all threads' of the
// processor, unless pivots there take no longer than a device to open.
bool racesAtOnceFor(Shape const& shape, Options const& options, History const& history) {
  if (options.race == RaceChoice::off || options.race == RaceChoice::work) return false;
  if (options.algorithm == AlgorithmChoice::race) return true;
  bool const quick =
      shareBySize * hostPivotsSeconds(machineOf(shape), shape) < openingSeconds(machineOf(shape));
  return mayRace(shape, options, history, options.race == RaceChoice::time ? 2 : raceThreads) &&
         history.alone && history.hasFactors && (!nearlyDense(shape) || quick) &&
         !isDevice(options.engine) && !asksForTableau(options) &&
         options.iterationLimit == Options().iterationLimit;
}

// Nothing that the options ask for speaks of the given problem's own pivots.
bool mayDualise(Shape const& shape, Options const& options, History const& history) {
  bool const asksForPivots =
      options.algorithm == AlgorithmChoice::primal || options.algorithm == AlgorithmChoice::dual ||
      options.representation != Representation::automatic || asksForTableau(options);
  return mayBeginElsewhere(shape, options, history) && !asksForPivots && history.cold() &&
         !std::isfinite(options.objectiveLimit) && shape.cells() >= presolveCells;
}

}  // namespace

Shape shapeOf(LinearProgram const& lp) {
  return {lp.rows(), lp.columns(), lp.matrix.nonzeros()};
}

bool nearlyDense(Shape const& shape) {
  return shape.density() >= 0.3;
}

// Sparse factors pass over rows whose slacks are basic: fewer rows alone gain nothing there, unless
// what is done for each row of a pivot outweighs the factors.
bool dualPays(Shape const& given, Shape const& dual) {
  constexpr int farMoreRows = 32;
  bool const byLess = sparse(given) && given.rows / farMoreRows < given.columns;
  auto const side = [&](Shape const& shape) {
    return byLess ? std::min(shape.rows, shape.columns) : shape.rows;
  };
  return dualRows * side(dual) <= side(given) &&
         dualGain * hostPivotSeconds(machineOf(given), dual) <
             hostPivotSeconds(machineOf(given), given);
}

Placement placementFor(Shape const& shape, Options const& options, History const& history) {
  Placement placement;
  placement.device = deviceFor(shape, options, history);
  placement.factors = factorsFor(shape, options, history);
  placement.presolve = presolveFor(shape, options, history);
  placement.races = racesAtOnceFor(shape, options, history);
  placement.mayDualise = mayDualise(shape, options, history);
  placement.proveOnHost = sparse(shape) && (isDevice(options.engine) ||
                                            (shape.cells() >= deviceCells(machineOf(shape)) &&
                                             options.engine == EngineChoice::automatic));
  placement.liftProofs = sparse(shape) || shape.cells() <= smallCells;
  placement.lastOnHost = options.engine == EngineChoice::automatic &&
                         shape.cells() <= lastAttemptCells(machineOf(shape));
  placement.known = history;
  return placement;
}

Method methodFor(Shape const& shape, Options const& options, History const& history) {
  auto const nonzeros = static_cast<double>(shape.nonzeros);
  Method method;
  method.barrier = barrierFor(shape, options, history);
  method.weighBarrier = weighBarrierFor(shape, options, history);
  method.dual = dualFor(shape, options, history);
  method.race = raceFor(method, shape, options, history);
  method.precise = history.hasPrecise && preciseIsOfUse(shape.rows, shape.columns, nonzeros);
  method.confirm = preciseIsQuick(shape.rows, shape.columns, nonzeros);
  return method;
}

double workBeforeCounting(Shape const& shape) {
  if (shape.nonzeros >= worthCounting) return 0.0;
  return barrierCountSeconds(machineOf(shape), static_cast<double>(shape.nonzeros));
}

bool barrierPays(InsideCost const& inside) {
  return insideSeconds(inside) < pivotsSeconds(inside.ofIteration);
}

double mostSecondsBehindBarrier(Shape const& shape) {
  constexpr double times = 3.0;
  return times * hostPivotsSeconds(machineOf(shape), shape);
}

bool likeNetwork(SparseMatrix const& matrix) {
  constexpr double most = 0.9;  // of the columns
  int found = 0;
  for (int j = 0; j < matrix.columns; ++j) {
    auto const values = matrix.columnValues(j);
    found += values.size() <= 2 || std::ranges::all_of(values, [&](double a) {
               return std::fabs(a) == std::fabs(values[0]);
             });
  }
  return found >= most * matrix.columns;
}

std::string causeOfPlace(Placement const& placement, Shape const& shape) {
  auto const [onDevice, solves, here, there] = sidesFor(shape, placement.known);
  if (solves > 0.0)
    return brief(solves) + " re-solves took " + brief(here) + " s, and are expected to take " +
           brief(there) + " s " + (onDevice ? "on the processor" : "on a device");
  if (shape.cells() < deviceCells(machineOf(shape)))
    return "the problem is too small to gain from a device";
  return placement.device ? "" : "it makes the few pivots that are expected from here";
}

std::vector<PlanChoice> choicesOf(Placement const& placement, Shape const& shape,
                                  Options const& options) {
  History const& history = placement.known;
  std::vector<PlanChoice> choices;
  std::string const size =
      brief(shape.cells()) + " cells, " + brief(100.0 * shape.density()) + " % of them nonzero";
  if (options.presolve == Toggle::automatic && history.hasPresolve)
    choices.push_back({"presolve",
                       placement.presolve ? "on" : "off",
                       size + "; worth it from " + brief(presolveCells) + " cells, below " +
                           brief(100.0 * sparseDensity) + " %",
                       {{"on"}, {"off"}}});
  Machine const& machine = machineOf(shape);
  double const lines = usualPivotsOfLine * std::min(shape.rows, shape.columns),
               factors = factoredPivotSeconds(machine, shape.rows, shape.columns,
                                              static_cast<double>(shape.nonzeros)),
               tableau = tableauPivotSeconds(machine, shape.rows, shape.columns);
  if (options.engine == EngineChoice::automatic)
    choices.push_back(
        {"engine",
         placement.device ? "cuda" : "host",
         size + "; a first solve is worth a device from " + brief(deviceCells(machineOf(shape))) +
             " cells",
         {{"host", hostPivotsSeconds(machine, shape)},
          {"cuda", (history.deviceOpen ? 0.0 : openingSeconds(machine)) +
                       lines * devicePivotSeconds(machine, shape.rows, shape.columns)}}});
  if (!placement.device && options.representation == Representation::automatic &&
      !asksForTableau(options) && history.hasFactors)
    choices.push_back({"representation",
                       placement.factors ? "factors" : "tableau",
                       "a pivot is expected to take " + brief(factors) + " s by factors, " +
                           brief(tableau) + " s in a tableau",
                       {{"factors", lines * factors}, {"tableau", lines * tableau}}});
  return choices;
}

PlanChoice barrierChoice(InsideCost const& inside, bool first) {
  double const pivots = pivotsSeconds(inside.ofIteration), barrier = insideSeconds(inside);
  return {"method",
          first ? "barrier" : "pivots",
          "all pivots are expected to take " + brief(pivots) + " s, the interior point method " +
              brief(barrier) + " s",
          {{"pivots", pivots}, {"barrier", barrier}}};
}

}  // namespace osi_cuda
