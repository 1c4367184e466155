// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/small_solve.hpp"
#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/batch/variant_start.hpp"

/// The control of a variant, from the common basis to a proved answer. Its numbers are brought to
/// the state of that basis first: costs, changed columns (each a line of U and V), bounds. What is
/// not primal feasible then goes through the dual, what is not dual feasible through the primal,
/// what is neither through the dual with modified costs. Nothing is formed anew from the problem as
/// long as the proof stands without.
///
/// A Team here is one of small_proof.hpp with a delayed tableau T = D - U'V, of which D is shared
/// and never changed, which can also do this:
///
///   base(), changes()          what is shared, what is this variant's own
///   places()                   VariantPlaces: where the variant's own problem() lies
///   loadBase()                 states and numbers of the common basis, U and V empty; a sync after
///   forNumbers(f)              f(VariantNumber) for every own one; no grid barrier
///   appendLine()               rows().entry and columns().entry are the next lines of U and V
///   startWeights(request)      pricing weights for a run as the request says
namespace osi_cuda::batch {

/// Costs of basic variables are followed one by one as long as there are so few of them.
inline constexpr int fewCosts = 16;
/// A changed basic column leaves a basis if this share of its unit, or more, remains.
inline constexpr double smallestShare = 1e-7;
/// Pivots of this share of their line's largest entry are trusted: the tableau is some tens of
/// pivots from a fresh one, nothing is scaled, and the proof looks at what comes of it.
inline constexpr double trustedShare = 1e-9;

/// The variant's own numbers in place of the problem's, and in the states by position.
OSI_CUDA_LOOP void takeNumbers(Team auto& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  VariantPlaces const& own = team.places();
  int const n = team.base().columns;
  team.forNumbers([&](VariantNumber const& number) {
    int const v = number.variable;
    bool const row = v >= n;
    if (number.what == VariantNumber::cost)
      own.objective[v] = number.value;
    else if (number.what == VariantNumber::lower)
      (row ? own.rowLower[v - n] : own.columnLower[v]) = number.value;
    else
      (row ? own.rowUpper[v - n] : own.columnUpper[v]) = number.value;
  });
  team.sync();
  auto const place = [&](int v, double& lower, double& upper) {
    bool const row = v >= n;
    setBounds(lower, upper, row ? -own.rowUpper[v - n] : own.columnLower[v],
              row ? -own.rowLower[v - n] : own.columnUpper[v]);
  };
  team.forRows([&](int i) { place(rows.variable[i], rows.lower[i], rows.upper[i]); });
  team.forColumns([&](int j) { place(columns.variable[j], columns.lower[j], columns.upper[j]); });
}

/// Reduced costs after costs changed.
OSI_CUDA_LOOP void followCosts(Team auto& team) {
  VariantChanges const changes = team.changes();
  if (changes.costs == 0) return;
  if (changes.costs > fewCosts) {
    computeReducedCosts(team);
    return;
  }
  auto const columns = team.columns();
  VariantBase const& base = team.base();
  for (int c = 0; c < changes.numberCount; ++c) {
    VariantNumber const number = changes.numbers[c];
    if (number.what != VariantNumber::cost) continue;
    double const delta = base.sign * (number.value - base.objective[number.variable]);
    int const position = base.position[number.variable];
    if (position >= 0) team.row(position);
    team.forColumns([&](int j) {
      if (position >= 0)
        columns.reducedCost[j] -= delta * columns.entry[j];
      else if (j == ~position)
        columns.reducedCost[j] += delta;
    });
  }
}

/// T, values and reduced costs after a column changed by `delta`: with w = B^-1 delta a nonbasic
/// one adds w to its column of T, and with a basic one of row r T loses w T[r,:] / (1 + w_r)
/// (Sherman and Morrison 1950). The coefficients are those from `first` to `last` - 1. False: the
/// basis would be singular.
OSI_CUDA_LOOP bool changeColumn(Team auto& team, int first, int last) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  VariantBase const& base = team.base();
  VariantCoefficient const* const coefficients = team.changes().coefficients;
  int const n = p.columns;
  team.forColumns([&](int j) { columns.change[j] = 0.0; });
  team.sync();
  // B^-1 e_i is the column of T that holds the slack of row i, or a unit where that is basic.
  team.forColumns([&](int j) {
    int const v = columns.variable[j];
    if (v < n) return;
    for (int c = first; c < last; ++c)
      if (coefficients[c].index == v - n)
        columns.change[j] = coefficients[c].after - coefficients[c].before;
  });
  team.combineColumns();
  team.forRows([&](int i) {
    int const v = rows.variable[i];
    if (v < n) return;
    for (int c = first; c < last; ++c)
      if (coefficients[c].index == v - n)
        rows.change[i] += coefficients[c].after - coefficients[c].before;
  });
  auto pull = [&](double& sum, int i) {
    int const v = rows.variable[i];
    if (v < n) sum += p.sign * p.objective[v] * rows.change[i];
  };
  double const costs = team.reduceRows(0.0, pull, rules::sum);  // c_B'w
  auto largestOf = [&](double& most, int i) { most = worseOf(most, fabs(rows.change[i])); };
  double const largest = team.reduceRows(0.0, largestOf, worseOf);
  int const position = base.position[coefficients[first].line];
  if (position < 0) {
    int const q = ~position;
    double const x = columns.value[q];
    team.sync();
    team.forRows([&](int i) {
      rows.entry[i] = -rows.change[i];
      rows.value[i] -= rows.change[i] * x;
    });
    team.forColumns([&](int j) {
      columns.entry[j] = j == q ? 1.0 : 0.0;
      if (j == q) columns.reducedCost[j] -= costs;
    });
    team.appendLine();
    return true;
  }
  team.sync();
  double const share = 1.0 + rows.change[position], x = rows.value[position];
  if (!(fabs(share) > smallestShare * (1.0 + largest))) return false;
  team.row(position);
  team.forRows([&](int i) {
    rows.entry[i] = rows.change[i];
    rows.value[i] -= rows.change[i] * x / share;
  });
  team.forColumns([&](int j) {
    double const entry = columns.entry[j] / share;
    columns.entry[j] = entry;
    columns.reducedCost[j] += costs * entry;
  });
  team.appendLine();
  return true;
}

OSI_CUDA_LOOP bool changeColumns(Team auto& team) {
  VariantChanges const changes = team.changes();
  for (int first = 0, last; first < changes.coefficientCount; first = last) {
    int const column = changes.coefficients[first].line;
    for (last = first + 1; last < changes.coefficientCount; ++last)
      if (changes.coefficients[last].line != column) break;
    if (team.used() == team.capacity() || !changeColumn(team, first, last)) return false;
  }
  return true;
}

/// Nonbasic variables on bounds: those that rest on one stay, the others go to the one that their
/// reduced cost asks for, or to the nearer one.
OSI_CUDA_LOOP void placeNonbasic(Team auto& team, SmallSettings const& settings) {
  auto const columns = team.columns();
  moveNonbasic(team, [&](int j) {
    double const lower = columns.lower[j], upper = columns.upper[j], x = columns.value[j];
    double const d = columns.reducedCost[j];
    if (x == lower || x == upper) return x;
    bool const both = isNumber(lower) && isNumber(upper);
    if (both && fabs(d) > settings.tolerance) return d > 0.0 ? lower : upper;
    return nearBound(lower, upper, x);
  });
}

/// Nonbasic variables that left from slightly beyond a bound go back to it.
OSI_CUDA_LOOP void snapNonbasic(Team auto& team) {
  auto const columns = team.columns();
  moveNonbasic(
      team, [&](int j) { return nearBound(columns.lower[j], columns.upper[j], columns.value[j]); });
}

/// As makeDualFeasible, the basic variables following those that move. Returns how many reduced
/// costs had to change.
OSI_CUDA_LOOP int modifyCosts(Team auto& team, SmallSettings const& settings) {
  auto const columns = team.columns();
  auto modify = [&](int& modified, int j) {
    double const d = columns.reducedCost[j], lower = columns.lower[j], upper = columns.upper[j];
    if (d == 0.0 || !(lower < upper) || isNumber(d > 0.0 ? lower : upper)) return;
    columns.reducedCost[j] = modifiedCost(settings.seed, columns.variable[j], d, lower, upper);
    ++modified;
  };
  int const modified = team.reduceColumns(0, modify, rules::sumCounts);
  moveNonbasic(team, [&](int j) {
    double const d = columns.reducedCost[j];
    double const wanted = d > 0.0 ? columns.lower[j] : columns.upper[j];
    bool const moves = d != 0.0 && columns.lower[j] < columns.upper[j] && isNumber(wanted);
    return moves ? wanted : columns.value[j];
  });
  return modified;
}

/// How many nonbasic variables improve the objective.
OSI_CUDA_LOOP int countAttractions(Team auto& team, double tolerance) {
  auto const columns = team.columns();
  auto count = [&](int& found, int j) {
    double const pull = rules::attraction(columns.reducedCost[j], columns.value[j],
                                          columns.lower[j], columns.upper[j]);
    if (fabs(pull) > tolerance) ++found;
  };
  return team.reduceColumns(0, count, rules::sumCounts);
}

/// c'x + offset of the present point.
OSI_CUDA_LOOP double presentObjective(Team auto& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  auto ofRow = [&](double& sum, int i) {
    if (rows.variable[i] < p.columns) sum += p.objective[rows.variable[i]] * rows.value[i];
  };
  auto ofColumn = [&](double& sum, int j) {
    if (columns.variable[j] < p.columns) sum += p.objective[columns.variable[j]] * columns.value[j];
  };
  double const basic = team.reduceRows(0.0, ofRow, rules::sum);
  return basic + team.reduceColumns(0.0, ofColumn, rules::sum) + p.offset;
}

/// The point that proveOptimal refined and refused: where the refined numbers look optimal still,
/// it misses what is accepted by rounding alone, and what is tolerated is enough.
OSI_CUDA_LOOP void acceptRounded(Team auto& team, VariantSettings const& settings,
                                 SmallAnswer const& answer, SmallReport& report) {
  if (!(report.residual <= settings.tolerated)) return;
  if (countViolations(team, settings.tolerance) > 0) return;
  if (countAttractions(team, settings.tolerance) > 0) return;
  report.end = BatchStatus::optimal;
  writePoint(team, answer, true);
}

/// Pivots, and proofs of what they find, until one stands. What is returned as numerical or
/// stopped by the limit leaves its basis in the answer.
OSI_CUDA_INLINE_LOOP void pivotAndProve(Team auto& team, VariantSettings const& settings,
                                        SmallAnswer const& answer, SmallReport& report) {
  SmallProblem const& p = team.problem();
  int const patience = patienceFor(p.rows, p.columns);
  bool const limited = settings.iterationLimit > 0 && settings.iterationLimit < patience;
  int const limit = limited ? settings.iterationLimit : patience;
  bool fresh = false;  // values and reduced costs have just been formed anew
  for (int run = 0; run < mostRuns; ++run) {
    bool const violated = countViolations(team, settings.tolerance) > 0;
    bool const attracted = countAttractions(team, settings.tolerance) > 0;
    if (!violated && !attracted) {
      proveOptimal(team, settings, answer, report);
      if (report.end != BatchStatus::optimal) acceptRounded(team, settings, answer, report);
      if (report.end == BatchStatus::optimal || fresh) return;
      snapValues(team);
      computeReducedCosts(team);
      computeValues(team);
      fresh = true;
      continue;
    }
    Algorithm const algorithm = violated ? Algorithm::dual : Algorithm::primal;
    bool const modified = violated && attracted && modifyCosts(team, settings) > 0;
    double cutoff = infinity;  // what the dual objective may gain
    if (algorithm == Algorithm::dual && !attracted && isNumber(settings.cutoff))
      cutoff = p.sign * (settings.cutoff - presentObjective(team));
    PivotReport const done =
        runPivots(team, settings, algorithm, limit - report.iterations, trustedShare, cutoff);
    report.iterations += done.iterations;
    if (endsWithout(team, settings, answer, algorithm, done, limited, report)) {
      if (report.end == BatchStatus::iterationLimit || report.end == BatchStatus::objectiveLimit)
        report.objective = presentObjective(team);
      return;
    }
    fresh = false;
    snapNonbasic(team);
    if (modified) computeReducedCosts(team);
  }
}

/// Goes to the variant's start with its numbers; false: these make the common basis singular.
OSI_CUDA_INLINE_LOOP bool enterVariant(Team auto& team, VariantSettings const& settings) {
  team.loadBase();
  takeNumbers(team);
  followCosts(team);
  if (!changeColumns(team)) return false;
  enterStart(team);
  placeNonbasic(team, settings);
  return true;
}

/// Goes on from there. All members get the report; those arrays of the answer are written that
/// belong to how it ended. Whenever there is no proof the basis is, with its multipliers.
OSI_CUDA_INLINE_LOOP SmallReport solveEntered(Team auto& team, VariantSettings const& settings,
                                              SmallAnswer const& answer, bool entered) {
  SmallReport report;
  if (entered) pivotAndProve(team, settings, answer, report);
  bool const proved = report.end == BatchStatus::optimal || report.end == BatchStatus::infeasible ||
                      report.end == BatchStatus::unbounded;
  if (!proved) {
    formPoint(team);
    writePoint(team, answer, true);
  }
  team.sync();
  return report;
}

OSI_CUDA_INLINE_LOOP SmallReport solveVariant(Team auto& team, VariantSettings const& settings,
                                              SmallAnswer const& answer) {
  bool const entered = enterVariant(team, settings);
  return solveEntered(team, settings, answer, entered);
}

}  // namespace osi_cuda::batch
