// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/long_step.hpp"
#include "osi_cuda/simplex/team.hpp"
#include "osi_cuda/simplex/weights.hpp"

/// The bounded dual simplex on the tableau with the long-step (bound flipping) ratio test, written
/// once for every engine. It needs a dual feasible start: every nonbasic variable at the bound that
/// its reduced cost asks for. See docs/explanation/simplex.md for the symbols.
namespace osi_cuda {

/// r = the row position of largest violation^2 / beta_i.
OSI_CUDA_LOOP rules::Candidate chooseLeaving(Team auto& team, PivotRequest const& request,
                                             std::int64_t pivot) {
  auto const rows = team.rows();
  PriceKey const by = priceKey(request.pricing, request.seed, pivot);
  auto price = [&](rules::Candidate& best, int i) {
    double const gap =
        rules::violation(rows.value[i], rows.lower[i], rows.upper[i], request.primalTolerance);
    if (gap == 0.0) return;
    rules::Candidate c;
    c.variable = rows.variable[i];
    c.key = by.key(gap, rows.weight[i]);
    c.tie = by.tie(c.variable);
    c.entry = gap;
    c.position = i;
    c.side = gap > 0.0 ? 1 : -1;
    c.value = rows.value[i];
    c.target = gap > 0.0 ? rows.upper[i] : rows.lower[i];
    best = rules::better(best, c);
  };
  return team.reduceViolated(rules::Candidate{}, price, rules::better);
}

/// The entering column: breakpoints are passed (their variables flip) while the leaving variable
/// stays infeasible. An ordinary step, which takes fewer messages, is tried first unless `passing`.
OSI_CUDA_LOOP LongStep dualRatioTest(Team auto& team, PivotRequest const& request,
                                     rules::Candidate const& leaving, bool passing) {
  auto const columns = team.columns();
  // Copies, which stores of what the team keeps cannot change: they stay in registers.
  auto breakpoint = [columns, side = leaving.side, harris = request.harris,
                     pivotTolerance = request.pivotTolerance](int j) {
    return rules::dualBreakpoint(columns.reducedCost[j], columns.entry[j], side, columns.value[j],
                                 columns.lower[j], columns.upper[j], harris, pivotTolerance);
  };
  auto candidate = [columns](int j, rules::Breakpoint const& b) {
    rules::Candidate c;
    c.variable = columns.variable[j];
    c.tie = static_cast<std::uint32_t>(c.variable);
    c.key = fabs(columns.entry[j]);
    c.entry = columns.entry[j];
    c.ratio = b.ratio;
    c.position = j;
    c.value = columns.value[j];
    c.target = columns.reducedCost[j];
    c.slope = c.key * (columns.upper[j] - columns.lower[j]);
    return c;
  };
  double const slope = -fabs(leaving.entry);
  if (!passing) {
    auto const nearest = team.harrisColumns(breakpoint, candidate);
    if (turnsAt(nearest, slope)) return {nearest.best, nearest.largest, true};
  }
  auto kinksOf = [columns, breakpoint](int j) {
    rules::Kinks kinks;
    kinks.entry = fabs(columns.entry[j]);
    kinks.first = {breakpoint(j).ratio, kinks.entry * (columns.upper[j] - columns.lower[j])};
    return kinks;
  };
  auto bestOf = [&](double from, double to) {
    auto add = [&](rules::Candidate& best, int j) {
      auto const b = breakpoint(j);
      if (b.ratio <= to && b.relaxed >= from) best = rules::better(best, candidate(j, b));
    };
    return team.reduceTurnColumns(rules::Candidate{}, add, rules::better);
  };
  return longStep(team.turnColumns(kinksOf, slope), bestOf);
}

/// What the flips of a long step did.
struct Flips {
  double objective = 0.0;
  double moved = 0.0;  ///< by so much the leaving variable's value falls
  long long count = 0;
};
OSI_CUDA_HD inline Flips combineFlips(Flips const& a, Flips const& b) {
  return {a.objective + b.objective, a.moved + b.moved, a.count + b.count};
}

/// Columns whose reduced cost would end on the wrong side by more than the Harris tolerance go to
/// their other bound; the basic variables follow. A grid barrier, and another if anything flipped.
OSI_CUDA_LOOP Flips flipPassed(Team auto& team, PivotRequest const& request,
                               rules::Candidate const& leaving, rules::Candidate const& entering) {
  auto const columns = team.columns();
  auto const rows = team.rows();
  auto flip = [&](Flips& flips, int j) {
    columns.change[j] = 0.0;
    if (j == entering.position) return;
    auto const b = rules::dualBreakpoint(columns.reducedCost[j], columns.entry[j], leaving.side,
                                         columns.value[j], columns.lower[j], columns.upper[j],
                                         request.harris, request.pivotTolerance);
    double const range = columns.upper[j] - columns.lower[j];
    if (!(b.relaxed < entering.ratio) || !(range < rules::unlimited)) return;
    bool const up = columns.value[j] < columns.upper[j];
    double const target = up ? columns.upper[j] : columns.lower[j];
    columns.change[j] = target - columns.value[j];
    columns.value[j] = target;
    flips.objective += columns.reducedCost[j] * columns.change[j];
    flips.moved += columns.entry[j] * columns.change[j];
    ++flips.count;
  };
  Flips const flips = team.reduceTurnColumns(Flips{}, flip, combineFlips);
  if (flips.count > 0) {
    team.combineColumns();
    team.forChangedRows([&](int i) { rows.value[i] -= rows.change[i]; });
  }
  return flips;
}

/// New values and weights of the basic variables for the exchange x, from u in rows.entry; `step`
/// is the change of the entering variable.
OSI_CUDA_LOOP void updateRows(Team auto& team, PivotRequest const& request, Exchange const& x,
                              double step, double leavingWeight) {
  auto const rows = team.rows();
  team.forColumnEntries(x.row, [&](int i) {
    if (i == x.row) {
      leaveRowWeight(rows, request.pricing, x, leavingWeight);
      return;
    }
    double const u = rows.entry[i];
    if (u == 0.0) return;
    rows.value[i] -= step * u;
    followRowWeight(rows, request.pricing, i, u * x.inverse, leavingWeight);
  });
}

OSI_CUDA_LOOP PivotReport dualPivots(Team auto& team, PivotRequest const& request) {
  PivotReport report;
  auto const columns = team.columns();
  bool passing = request.passing;
  for (;;) {
    rules::Candidate const leaving =
        chooseLeaving(team, request, request.firstPivot + report.iterations);
    if (!leaving.found()) {
      report.stop = Stop::optimal;
      return report;
    }
    bool const passedLimit = request.useCutoff && report.objective > request.cutoff;
    if (passedLimit || report.iterations >= request.budget || team.used() == team.capacity()) {
      report.stop = passedLimit                           ? Stop::cutoff
                    : report.iterations >= request.budget ? Stop::budget
                                                          : Stop::full;
      return report;
    }
    int const r = leaving.position;
    team.row(r);
    LongStep const found = dualRatioTest(team, request, leaving, passing);
    rules::Candidate const entering = found.chosen;
    // Where a step passed breakpoints, mostly the next one does, too.
    passing = request.passing || (request.longSteps && !found.shortest);
    report.position = r;
    report.direction = leaving.side;
    if (!entering.found()) {
      report.stop = Stop::ray;
      return report;
    }
    double const alpha = entering.entry;
    if (fabs(alpha) < request.relativePivot * found.largest) {
      report.stop = Stop::unstable;
      return report;
    }
    if (fabs(alpha) < report.worstPivot * found.largest)
      report.worstPivot = fabs(alpha) / found.largest;
    ++report.iterations;
    if (entering.ratio <= 1e-12) ++report.degenerate;
    Flips const flips = found.shortest ? Flips{} : flipPassed(team, request, leaving, entering);
    report.flips += static_cast<int>(flips.count);
    report.objective += flips.objective;

    // A reduced cost already past zero is shifted to zero, so that no step goes backwards.
    bool const wrongSide =
        alpha * leaving.side > 0.0 ? entering.target < 0.0 : entering.target > 0.0;
    double const cost = wrongSide ? 0.0 : entering.target;  // d_q
    if (wrongSide) team.shiftCost(entering.position, -entering.target);
    team.column(entering.position);
    Exchange x = Exchange::on(r, entering.position, alpha);
    double const step = (leaving.value - flips.moved - leaving.target) * x.inverse;
    x.enteringValue = entering.value + step;
    x.leavingValue = leaving.target;
    double const weight = leavingWeight(team, request.pricing, leaving);
    prepareRowWeights(team, request.pricing);
    team.forRowEntries(x.column, [&](int j) {
      if (j == x.column)
        columns.reducedCost[j] = -cost * x.inverse;
      else if (columns.entry[j] != 0.0)
        columns.reducedCost[j] -= cost * x.inverse * columns.entry[j];
    });
    updateRows(team, request, x, step, weight);
    finishRowWeights(team, request.pricing, x);
    team.exchange(x);
    report.objective += cost * step;
  }
}

}  // namespace osi_cuda
