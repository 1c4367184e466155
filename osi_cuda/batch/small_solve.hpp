// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/small_proof.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

/// The control of a small problem, from the slack basis to a proved answer. A start that is not
/// primal feasible goes through the dual with modified costs, which ends at a primal feasible basis
/// or proves that there is no feasible point; the primal goes on from there with the true ones.
/// Costs are modified in the reduced costs alone, so that what is recomputed from the problem is
/// true again.
///
/// A Team here is one of small_proof.hpp which can also do this:
///
///   load()                      T = A; whether all its entries are numbers. A sync after.
///   startWeights(request)       pricing weights for a run as the request says
namespace osi_cuda::batch {

inline constexpr int mostRuns = 8;  ///< of either algorithm; more of them go in circles

/// Pivots and flips in the limit of which a problem is solved; more of them go in circles.
OSI_CUDA_HD inline int patienceFor(int m, int n) {
  std::int64_t const patience = 200 + 50 * (std::int64_t{m} + n);
  constexpr std::int64_t most = 1 << 30;
  return static_cast<int>(patience < most ? patience : most);
}

/// What is wrong with the numbers of a problem.
struct Faults {
  int invalid = 0;  ///< numbers that no problem can have
  int crossed = 0;  ///< bounds that cross
};
OSI_CUDA_HD inline Faults combineFaults(Faults const& a, Faults const& b) {
  return {a.invalid + b.invalid, a.crossed + b.crossed};
}
OSI_CUDA_HD inline void examineBounds(Faults& faults, double lower, double upper) {
  if (lower != lower || upper != upper)
    ++faults.invalid;
  else if (proof::boundsCross(lower, upper, proof::clearCrossing))
    ++faults.crossed;
}
/// Bounds that cross by rounding only mean a fixed variable.
OSI_CUDA_HD inline void setBounds(double& lower, double& upper, double givenLower,
                                  double givenUpper) {
  bool const fixed = givenLower > givenUpper;
  double const middle = 0.5 * (givenLower + givenUpper);
  lower = fixed ? middle : givenLower;
  upper = fixed ? middle : givenUpper;
}

/// The slack basis: states, T = A, nonbasic variables on bounds.
OSI_CUDA_LOOP Faults startSmall(Team auto& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  Faults faults;
  if (!team.load()) faults.invalid = 1;
  auto ofRow = [&](Faults& found, int i) {
    examineBounds(found, p.lowerOfRow(i), p.upperOfRow(i));
    setBounds(rows.lower[i], rows.upper[i], -p.upperOfRow(i), -p.lowerOfRow(i));
    rows.variable[i] = p.columns + i;
    rows.value[i] = 0.0;
    rows.weight[i] = 1.0;
  };
  auto ofColumn = [&](Faults& found, int j) {
    examineBounds(found, p.lowerOfColumn(j), p.upperOfColumn(j));
    if (!isNumber(p.objective[j])) ++found.invalid;
    setBounds(columns.lower[j], columns.upper[j], p.lowerOfColumn(j), p.upperOfColumn(j));
    columns.variable[j] = j;
    columns.weight[j] = 1.0;
    double const d = p.sign * p.objective[j], lower = columns.lower[j], upper = columns.upper[j];
    columns.reducedCost[j] = d;
    columns.value[j] = isNumber(lower) && (!isNumber(upper) || d >= 0.0) ? lower
                       : isNumber(upper)                                 ? upper
                                                                         : 0.0;
  };
  faults = combineFaults(faults, team.reduceRows(Faults{}, ofRow, combineFaults));
  return combineFaults(faults, team.reduceColumns(Faults{}, ofColumn, combineFaults));
}

/// x_B = -T x_N
OSI_CUDA_LOOP void computeValues(Team auto& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  team.sync();  // who combined columns before may still be reading
  team.forColumns([&](int j) { columns.change[j] = columns.value[j]; });
  team.combineColumns();
  team.forRows([&](int i) { rows.value[i] = -rows.change[i]; });
}

/// d_N = c_N - T'c_B with the problem's own costs.
OSI_CUDA_LOOP void computeReducedCosts(Team auto& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  auto const cost = [&](int v) { return v < p.columns ? p.sign * p.objective[v] : 0.0; };
  team.forRows([&](int i) { rows.change[i] = cost(rows.variable[i]); });
  team.combineRows();
  team.forColumns(
      [&](int j) { columns.reducedCost[j] = cost(columns.variable[j]) - columns.change[j]; });
}

/// Nonbasic variables that left from slightly beyond a bound go back to it.
OSI_CUDA_LOOP void snapValues(Team auto& team) {
  auto const columns = team.columns();
  team.forColumns([&](int j) {
    columns.value[j] = nearBound(columns.lower[j], columns.upper[j], columns.value[j]);
  });
}

/// How many basic variables violate their bounds.
OSI_CUDA_LOOP int countViolations(Team auto& team, double tolerance) {
  auto const rows = team.rows();
  auto count = [&](int& found, int i) {
    if (rules::violation(rows.value[i], rows.lower[i], rows.upper[i], tolerance) != 0.0) ++found;
  };
  return team.reduceRows(0, count, rules::sumCounts);
}

/// A reduced cost that asks for an infinite bound, modified: a wrong one moves past zero by a share
/// in [1.5, 2) of itself, which is the same for a variable wherever the problem is solved.
OSI_CUDA_HD inline double modifiedCost(std::uint64_t seed, int variable, double d, double lower,
                                       double upper) {
  if (!isNumber(lower) && !isNumber(upper)) return 0.0;
  std::uint64_t const bits =
      rules::mix(rules::mix(seed) + static_cast<std::uint64_t>(variable) * 0x9E3779B97F4A7C15ull);
  double const share = 1.5 + 0.5 * static_cast<double>(bits >> 11) * 0x1p-53;
  return d * (1.0 - share);
}

/// Every nonbasic variable goes to the bound that its reduced cost asks for; where that is
/// infinite, the reduced cost is changed.
OSI_CUDA_LOOP void makeDualFeasible(Team auto& team, SmallSettings const& settings) {
  auto const columns = team.columns();
  team.forColumns([&](int j) {
    double const d = columns.reducedCost[j], lower = columns.lower[j], upper = columns.upper[j];
    if (d == 0.0 || !(lower < upper)) return;
    double const wanted = d > 0.0 ? lower : upper;
    if (isNumber(wanted))
      columns.value[j] = wanted;
    else
      columns.reducedCost[j] = modifiedCost(settings.seed, columns.variable[j], d, lower, upper);
  });
}

/// Runs one algorithm until it stops for good. A team whose tableau is delayed ends where that has
/// no room for more. `relativePivot` as in PivotRequest; the dual ends once it has gained `cutoff`.
OSI_CUDA_LOOP PivotReport runPivots(Team auto& team, SmallSettings const& settings,
                                    Algorithm algorithm, int budget,
                                    double relativePivot = PivotRequest{}.relativePivot,
                                    double cutoff = infinity) {
  PivotRequest request;
  request.algorithm = algorithm;
  request.phase = Phase::two;
  request.pricing = algorithm == Algorithm::primal ? settings.primal : settings.dual;
  request.primalTolerance = request.dualTolerance = settings.tolerance;
  request.harris = 0.1 * settings.tolerance;
  request.relativePivot = relativePivot;
  request.longSteps = false;
  request.cutoff = cutoff;
  request.useCutoff = cutoff < infinity;
  request.seed = settings.seed;
  team.startWeights(request);
  PivotReport total;
  bool goesOn = false;
  do {  // greatest improvement comes back after each pivot
    if (team.interrupted()) {
      total.stop = Stop::interrupted;
      break;
    }
    int const left = budget - total.iterations, most = team.pivotsAtOnce();
    request.budget = left < most ? left : most;
    request.firstPivot = total.iterations;
    PivotReport const report =
        algorithm == Algorithm::primal ? primalPivots(team, request) : dualPivots(team, request);
    int const iterations = total.iterations + report.iterations;
    total = report;
    total.iterations = iterations;
    request.cutoff -= report.objective;
    goesOn = total.stop == Stop::full ? team.used() < team.capacity()
                                      : total.stop == Stop::budget && total.iterations < budget;
  } while (goesOn);
  return total;
}

/// On the device part of the kernel itself, so that what a team knows stays in registers.
#ifdef __CUDACC__
#define OSI_CUDA_INLINE_LOOP __device__ __forceinline__
#else
#define OSI_CUDA_INLINE_LOOP
#endif

/// What pivots have found that did not end at an optimum, proved where it can be; false: they did.
OSI_CUDA_INLINE_LOOP bool endsWithout(Team auto& team, SmallSettings const& settings,
                                      SmallAnswer const& answer, Algorithm algorithm,
                                      PivotReport const& done, bool limited, SmallReport& report) {
  if (done.stop == Stop::ray && algorithm == Algorithm::dual)
    proveInfeasible(team, settings, answer, done.position, report);
  else if (done.stop == Stop::ray)
    proveUnbounded(team, settings, answer, done.position, done.direction, report);
  else if (done.stop == Stop::interrupted)
    report.end = BatchStatus::interrupted;
  else if (done.stop == Stop::cutoff)
    report.end = BatchStatus::objectiveLimit;
  else if (done.stop == Stop::budget && limited)
    report.end = BatchStatus::iterationLimit;
  return done.stop != Stop::optimal;
}

/// Solves the team's problem. All members get the report; those arrays of the answer are written
/// that belong to how it ended.
OSI_CUDA_INLINE_LOOP SmallReport solveSmall(Team auto& team, SmallSettings const& settings,
                                            SmallAnswer const& answer) {
  SmallReport report;
  SmallProblem const& p = team.problem();
  Faults const faults = startSmall(team);
  if (faults.invalid > 0 || faults.crossed > 0) {
    report.end = faults.invalid > 0 ? BatchStatus::invalid : BatchStatus::infeasible;
    if (faults.invalid == 0)  // the bounds are the proof
      team.forRows([&](int i) { answer.y[i] = answer.yLow[i] = 0.0; });
    return report;
  }
  int const patience = patienceFor(p.rows, p.columns);
  bool const limited = settings.iterationLimit > 0 && settings.iterationLimit < patience;
  int const limit = limited ? settings.iterationLimit : patience;
  for (int run = 0; run < mostRuns; ++run) {
    if (run > 0) {
      snapValues(team);
      computeReducedCosts(team);
    }
    computeValues(team);
    Algorithm algorithm = Algorithm::primal;
    if (countViolations(team, settings.tolerance) > 0) {
      algorithm = Algorithm::dual;
      makeDualFeasible(team, settings);
      computeValues(team);
    }
    PivotReport const done = runPivots(team, settings, algorithm, limit - report.iterations);
    report.iterations += done.iterations;
    if (endsWithout(team, settings, answer, algorithm, done, limited, report)) return report;
    if (algorithm == Algorithm::primal) {
      snapValues(team);
      computeValues(team);
      computeReducedCosts(team);
      proveOptimal(team, settings, answer, report);
      if (report.end == BatchStatus::optimal || done.iterations == 0) return report;
    }
  }
  return report;
}

}  // namespace osi_cuda::batch
