// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/long_step.hpp"
#include "osi_cuda/simplex/team.hpp"
#include "osi_cuda/simplex/weights.hpp"

/// The bounded primal simplex on the tableau, phase 1 (least sum of infeasibilities) and phase 2,
/// written once for every engine. See docs/explanation/simplex.md for the symbols.
namespace osi_cuda {

/// theta_j of the columns that improve the objective, in columns.product: how far they may go until
/// a basic variable blocks them. The rules are handed on with copies of the numbers: a request
/// whose address went anywhere could not be a constant of a kernel.
OSI_CUDA_LOOP void findSteps(Team auto& team, PivotRequest const& request) {
  auto const columns = team.columns();
  double const tolerance = request.dualTolerance, harris = request.harris;
  double const smallest = request.pivotTolerance;
  auto direction = [=](int j) {
    double const pull = rules::attraction(columns.reducedCost[j], columns.value[j],
                                          columns.lower[j], columns.upper[j]);
    return fabs(pull) <= tolerance ? 0 : pull > 0.0 ? 1 : -1;
  };
  auto bound = [=](double x, double lower, double upper, double rate) {
    return rules::stepBound(x, lower, upper, rate, harris, smallest);
  };
  team.shortestSteps(direction, bound);
}

/// q = the column position of largest d_j^2 / gamma_j among those that improve the objective; by
/// greatest improvement, of largest |d_j| theta_j.
OSI_CUDA_LOOP rules::Candidate chooseEntering(Team auto& team, PivotRequest const& request,
                                              std::int64_t pivot) {
  auto const columns = team.columns();
  bool const wholeSteps = contains(rulesOfWholeSteps, request.pricing);
  if (wholeSteps) findSteps(team, request);
  PriceKey const by = priceKey(request.pricing, request.seed, pivot);
  auto price = [&](rules::Candidate& best, int j) {
    double const d = columns.reducedCost[j];
    double const pull = rules::attraction(d, columns.value[j], columns.lower[j], columns.upper[j]);
    if (fabs(pull) <= request.dualTolerance) return;
    rules::Candidate c;
    c.variable = columns.variable[j];
    c.key = by.key(d, columns.weight[j]);
    c.tie = by.tie(c.variable);
    c.entry = d;
    c.position = j;
    c.side = pull > 0.0 ? 1 : -1;  // the way it moves
    c.value = columns.value[j];
    c.target = pull > 0.0 ? columns.upper[j] : columns.lower[j];
    if (wholeSteps)
      c.key = rules::improvement(d, fmin(columns.product[j], fabs(c.target - c.value)));
    best = rules::better(best, c);
  };
  return team.reduceAttracted(rules::Candidate{}, price, rules::better);
}

/// Where the entering variable's step ends.
struct PrimalStep {
  rules::Candidate leaving;  ///< not found: nothing blocks but the entering variable's own bound
  double length = rules::unlimited;
  double largest = 0.0;  ///< max |u_i|
  bool flip = false;
};

OSI_CUDA_LOOP PrimalStep phase2RatioTest(Team auto& team, PivotRequest const& request,
                                         int direction) {
  auto const rows = team.rows();
  auto breakpoint = [&](int i) {
    return rules::blockingBound(rows.value[i], rows.lower[i], rows.upper[i],
                                direction * rows.entry[i], request.harris, request.pivotTolerance);
  };
  auto candidate = [&](int i, rules::Breakpoint const& b) {
    rules::Candidate c;
    c.variable = rows.variable[i];
    c.tie = static_cast<std::uint32_t>(c.variable);
    c.key = fabs(rows.entry[i]);
    c.entry = rows.entry[i];
    c.ratio = b.ratio;
    c.target = b.target;
    c.value = rows.value[i];
    c.position = i;
    return c;
  };
  auto const found = team.harrisRows(breakpoint, candidate);
  PrimalStep step;
  step.largest = found.largest;
  step.leaving = found.best;
  if (step.leaving.found()) step.length = step.leaving.ratio;
  return step;
}

OSI_CUDA_LOOP PrimalStep phase1RatioTest(Team auto& team, PivotRequest const& request,
                                         int direction, double slope) {
  auto const rows = team.rows();
  auto boundsOf = [&](int i) {
    return rules::phase1Bounds(rows.value[i], rows.lower[i], rows.upper[i],
                               direction * rows.entry[i], request.harris, request.pivotTolerance,
                               request.primalTolerance);
  };
  auto kinksOf = [&](int i) {
    auto const b = boundsOf(i);
    rules::Kinks kinks;
    kinks.entry = fabs(rows.entry[i]);
    kinks.first = {b.first.ratio, kinks.entry};
    kinks.second = {b.second.ratio, kinks.entry};
    return kinks;
  };
  auto bestOf = [&](double from, double to) {
    auto add = [&](rules::Candidate& best, int i) {
      auto const b = boundsOf(i);
      double const x = rows.value[i];
      rules::Candidate c;
      c.variable = rows.variable[i];
      c.tie = static_cast<std::uint32_t>(c.variable);
      c.key = fabs(rows.entry[i]);
      c.entry = rows.entry[i];
      c.value = x;
      c.position = i;
      c.side = rules::phase1Cost(x, rows.lower[i], rows.upper[i], request.primalTolerance);
      for (bool const second : {false, true}) {
        rules::Breakpoint const& bound = second ? b.second : b.first;
        c.ratio = bound.ratio;
        c.target = bound.target;
        if (bound.ratio <= to && bound.relaxed >= from) best = rules::better(best, c);
      }
    };
    return team.reduceColumnEntries(rules::Candidate{}, add, rules::better);
  };
  auto const found = longStep(team.turnRows(kinksOf, slope), bestOf);
  PrimalStep step;
  step.leaving = found.chosen;
  step.largest = found.largest;
  if (step.leaving.found()) step.length = step.leaving.ratio;
  return step;
}

/// Moves the basic variables by -direction length u; in phase 1 notes in rows.change how their
/// phase-1 costs change. Returns the number of such changes (phase 1 only; a grid barrier).
OSI_CUDA_LOOP int movePrimal(Team auto& team, PivotRequest const& request, double move, int skip) {
  auto const rows = team.rows();
  if (request.phase == Phase::two) {
    team.forColumnEntries(-1, [&](int i) { rows.value[i] -= move * rows.entry[i]; });
    return 0;
  }
  auto update = [&](int& changes, int i) {
    double const before = rows.value[i];
    double const after = before - move * rows.entry[i];
    rows.value[i] = after;
    int change = 0;
    if (i != skip) {
      change = rules::phase1Cost(after, rows.lower[i], rows.upper[i], request.primalTolerance) -
               rules::phase1Cost(before, rows.lower[i], rows.upper[i], request.primalTolerance);
    }
    rows.change[i] = change;
    if (change != 0) ++changes;
  };
  return team.reduceRows(0, update, rules::sumCounts);
}

/// d_j -= sum_i (change of g_i) T_ij after basic variables became feasible or infeasible.
OSI_CUDA_LOOP void followPhase1Costs(Team auto& team) {
  auto const columns = team.columns();
  team.combineRows();
  team.forColumns([&](int j) { columns.reducedCost[j] -= columns.change[j]; });
}

/// New reduced costs and weights for the exchange x, from v = T[r,:] in columns.entry.
OSI_CUDA_LOOP void updateColumns(Team auto& team, PivotRequest const& request, Exchange const& x,
                                 double enteringCost, int leavingPhase1Cost,
                                 double enteringWeight) {
  auto const columns = team.columns();
  team.forRowEntries(x.column, [&](int j) {
    if (j == x.column) {
      columns.reducedCost[j] = -enteringCost * x.inverse - leavingPhase1Cost;
      leaveColumnWeight(columns, x, enteringWeight);
      return;
    }
    double const ratio = columns.entry[j] * x.inverse;
    if (ratio == 0.0) return;
    columns.reducedCost[j] -= enteringCost * ratio;
    followColumnWeight(columns, request.pricing, j, ratio, enteringWeight);
  });
}

OSI_CUDA_LOOP PivotReport primalPivots(Team auto& team, PivotRequest const& request) {
  PivotReport report;
  bool const phase1 = request.phase == Phase::one;
  for (;;) {
    // Every column is needed: the engine applies the block update after each pivot.
    if (contains(rulesOfWholeSteps, request.pricing) && report.iterations > 0) {
      report.stop = Stop::full;
      return report;
    }
    rules::Candidate const entering =
        chooseEntering(team, request, request.firstPivot + report.iterations);
    if (!entering.found()) {
      report.stop = Stop::optimal;
      return report;
    }
    if (report.iterations >= request.budget || team.used() == team.capacity()) {
      report.stop = report.iterations >= request.budget ? Stop::budget : Stop::full;
      return report;
    }
    int const q = entering.position;
    int const direction = entering.side;
    team.column(q);
    PrimalStep step = phase1 ? phase1RatioTest(team, request, direction, -fabs(entering.entry))
                             : phase2RatioTest(team, request, direction);
    double const own = fabs(entering.target - entering.value);  // to the entering variable's bound
    step.flip = own <= step.length;
    if (!step.flip && !step.leaving.found()) {
      report.stop = Stop::ray;
      report.position = q;
      report.direction = direction;
      return report;
    }
    ++report.iterations;
    if (step.flip) {
      int const changes = movePrimal(team, request, direction * own, -1);
      team.setColumnValue(q, entering.target);
      ++report.flips;
      report.objective += entering.entry * direction * own;
      if (changes > 0) followPhase1Costs(team);
    } else {
      double const alpha = step.leaving.entry;
      if (fabs(alpha) < request.relativePivot * step.largest) {
        report.stop = Stop::unstable;
        report.position = q;
        --report.iterations;
        return report;
      }
      if (fabs(alpha) < report.worstPivot * step.largest)
        report.worstPivot = fabs(alpha) / step.largest;
      double const move = direction * step.length;
      if (step.length <= 1e-12) ++report.degenerate;
      Exchange x = Exchange::on(step.leaving.position, q, alpha);
      x.enteringValue = entering.value + move;
      // A variable that was past its bound already leaves from where it is: x stays consistent.
      x.leavingValue = step.length > 0.0 ? step.leaving.target : step.leaving.value;
      double const weight = enteringWeight(team, request.pricing, q);
      prepareColumnWeights(team, request.pricing);
      team.row(x.row);
      updateColumns(team, request, x, entering.entry, phase1 ? step.leaving.side : 0, weight);
      finishColumnWeights(team, request.pricing, x);
      int const changes = movePrimal(team, request, move, x.row);
      team.exchange(x);
      report.objective += entering.entry * move;
      if (changes > 0) followPhase1Costs(team);
    }
  }
}

}  // namespace osi_cuda
