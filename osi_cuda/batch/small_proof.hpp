// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/small_judge.hpp"
#include "osi_cuda/model/basis.hpp"

/// From the last basis of a small problem to an answer that is proved: point, multipliers and
/// certificates are formed from the tableau, refined against the problem as it was given, and
/// judged. What B^-1 is applied to is a combination of the tableau's slack columns, for column j of
/// T is B^-1 e_i where j holds the slack of row i.
///
/// A Team here is one of simplex/team.hpp with an explicit tableau, which can also do this:
///
///   problem()                         the SmallProblem
///   sync()                            what members wrote is seen by all
///   activities(x, xLow, hi, lo, terms)   pairs (A x)_i of x + xLow (xLow may be null) and, unless
///                                     null, the sums of the absolute values of their terms; a sync
///                                     before and after
///   products(y, yLow, hi, lo, terms)  the same of A'y
///
/// combineRows, combineColumns, row and column begin and end with a sync here.
namespace osi_cuda::batch {

inline constexpr int mostRefinements = 2;  ///< each adds the digits that the tableau has

OSI_CUDA_HD inline std::uint8_t statusOf(double value, double lower, double upper, bool negated) {
  auto const word = [](VariableStatus status) { return static_cast<std::uint8_t>(status); };
  if (!isNumber(lower) && !isNumber(upper)) return word(VariableStatus::free);
  bool const low = !isNumber(upper) || (isNumber(lower) && value - lower <= upper - value);
  return word(low != negated ? VariableStatus::atLower : VariableStatus::atUpper);
}

/// x by column in columns.change and y by row in rows.change; a sync after.
template <class Team>
OSI_CUDA_LOOP void formPoint(Team& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  int const n = team.problem().columns;
  double const sign = team.problem().sign;
  team.sync();
  team.forRows([&](int p) {
    int const v = rows.variable[p];
    if (v < n)
      columns.change[v] = rows.value[p];
    else
      rows.change[v - n] = 0.0;
  });
  team.forColumns([&](int j) {
    int const v = columns.variable[j];
    if (v < n)
      columns.change[v] = columns.value[j];
    else
      rows.change[v - n] = -sign * columns.reducedCost[j];
  });
  team.sync();
}

/// Judges the point that formPoint left: activities in rows.entry + rows.weight, reduced costs in
/// columns.entry + columns.weight, both in the problem's own sense.
template <class Team>
OSI_CUDA_LOOP Verdict judgePoint(Team& team, double& objective) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  double const* const x = columns.change;
  double const* const y = rows.change;
  team.activities(x, nullptr, rows.entry, rows.weight, nullptr);
  team.products(y, nullptr, columns.entry, columns.weight, nullptr);
  auto cost = [&](Pair& sum, int j) { sum = sum + twoProduct(p.objective[j], x[j]); };
  Pair const value = team.reduceColumns(Pair{}, cost, combinePairs) + Pair{p.offset, 0.0};
  objective = value.hi + value.lo;

  Verdict verdict;
  auto columnGap = [&](double& most, int j) {
    most = larger(most, violationOf({x[j], 0.0}, p.lowerOfColumn(j), p.upperOfColumn(j)));
  };
  auto rowGap = [&](double& most, int i) {
    most = larger(most,
                  violationOf({rows.entry[i], rows.weight[i]}, p.lowerOfRow(i), p.upperOfRow(i)));
  };
  verdict.primal =
      larger(team.reduceColumns(0.0, columnGap, larger), team.reduceRows(0.0, rowGap, larger));
  double const gapUnit = 1.0 + fabs(objective);
  auto columnCharge = [&](Charges& charges, int j) {
    Pair const d = Pair{p.objective[j], 0.0} - Pair{columns.entry[j], columns.weight[j]};
    columns.entry[j] = d.hi;
    columns.weight[j] = d.lo;
    charge(charges, d * p.sign, {x[j], 0.0}, p.lowerOfColumn(j), p.upperOfColumn(j), p.objective[j],
           gapUnit);
  };
  auto rowCharge = [&](Charges& charges, int i) {
    charge(charges, {p.sign * y[i], 0.0}, {rows.entry[i], rows.weight[i]}, p.lowerOfRow(i),
           p.upperOfRow(i), 0.0, gapUnit);
  };
  Charges const charges =
      combineCharges(team.reduceColumns(Charges{}, columnCharge, combineCharges),
                     team.reduceRows(Charges{}, rowCharge, combineCharges));
  verdict.dual = charges.dual;
  verdict.complementarity = fabs(charges.gap.hi) / gapUnit;
  if (!(verdict.complementarity >= 0.0)) verdict.complementarity = infinity;
  return verdict;
}

/// One step of refinement: basic values by what is left of A x + s, the duals by the reduced costs
/// of basic columns, both as judgePoint left them.
template <class Team>
OSI_CUDA_LOOP void refinePoint(Team& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  int const n = team.problem().columns;
  double const sign = team.problem().sign;
  team.sync();
  auto const leave = [&](int v, double value) {
    if (v >= n)
      rows.entry[v - n] = (Pair{rows.entry[v - n], rows.weight[v - n]} + Pair{value, 0.0}).hi;
  };
  team.forRows([&](int p) { leave(rows.variable[p], rows.value[p]); });
  team.forColumns([&](int j) { leave(columns.variable[j], columns.value[j]); });
  team.forRows([&](int p) {
    int const v = rows.variable[p];
    rows.change[p] = v < n ? sign * columns.entry[v] : 0.0;
  });
  team.combineRows();
  team.forColumns([&](int j) {
    int const v = columns.variable[j];
    if (v >= n) columns.reducedCost[j] -= columns.change[j];
    columns.change[j] = v >= n ? rows.entry[v - n] : 0.0;
  });
  team.combineColumns();
  team.forRows([&](int p) {
    int const v = rows.variable[p];
    rows.value[p] -= rows.change[p] + (v >= n ? rows.entry[v - n] : 0.0);
  });
}

/// Where each variable stands, for a caller that wants a basis.
template <class Team>
OSI_CUDA_LOOP void writeBasis(Team& team, SmallAnswer const& answer) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  team.forRows([&](int i) {
    int const v = rows.variable[i];
    (v < p.columns ? answer.columnStatus[v] : answer.rowStatus[v - p.columns]) =
        static_cast<std::uint8_t>(VariableStatus::basic);
  });
  team.forColumns([&](int j) {
    int const v = columns.variable[j];
    bool const slack = v >= p.columns;  // the slack is the negative of the activity
    double const lower = slack ? -p.upperOfRow(v - p.columns) : p.lowerOfColumn(v);
    double const upper = slack ? -p.lowerOfRow(v - p.columns) : p.upperOfColumn(v);
    (slack ? answer.rowStatus[v - p.columns] : answer.columnStatus[v]) =
        statusOf(columns.value[j], lower, upper, slack);
  });
}

/// Forms and judges the point of the present basis, refining it where residuals are above what
/// `settings` accept: all of them, or only that of the point itself. It stays in columns.change and
/// rows.change.
template <class Team>
OSI_CUDA_LOOP Verdict settlePoint(Team& team, SmallSettings const& settings, bool primalOnly,
                                  double& objective) {
  Verdict verdict;
  for (int round = 0;; ++round) {
    formPoint(team);
    verdict = judgePoint(team, objective);
    double const left = primalOnly ? verdict.primal : verdict.largest();
    if (left <= settings.accepted || round == mostRefinements) return verdict;
    refinePoint(team);
  }
}

template <class Team>
OSI_CUDA_LOOP void writePoint(Team& team, SmallAnswer const& answer, bool multipliers) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  team.forColumns([&](int j) { answer.x[j] = columns.change[j]; });
  if (multipliers) team.forRows([&](int i) { answer.y[i] = rows.change[i]; });
  writeBasis(team, answer);
}

/// The point of a basis that looks optimal.
template <class Team>
OSI_CUDA_LOOP void proveOptimal(Team& team, SmallSettings const& settings,
                                SmallAnswer const& answer, SmallReport& report) {
  Verdict const verdict = settlePoint(team, settings, false, report.objective);
  report.residual = verdict.largest();
  if (!(report.residual <= settings.accepted)) return;
  report.end = SmallEnd::optimal;
  writePoint(team, answer, true);
}

/// Zeros where there is nothing but the rounding of solves, less than 1e-24 of the largest.
OSI_CUDA_HD inline void dropRounding(double& hi, double& lo, double largest) {
  if (fabs(hi) < 1e-24 * largest) hi = lo = 0.0;
}

/// The dual ray of row position r as Farkas multipliers: B'y = e_r.
template <class Team>
OSI_CUDA_LOOP void proveInfeasible(Team& team, SmallSettings const& settings,
                                   SmallAnswer const& answer, int r, SmallReport& report) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  int const n = p.columns;
  double* const y = rows.entry;
  double* const yLow = rows.weight;
  team.row(r);
  team.forRows([&](int i) { y[i] = yLow[i] = 0.0; });
  team.sync();
  team.forRows([&](int i) {
    if (i == r && rows.variable[i] >= n) y[rows.variable[i] - n] = 1.0;
  });
  team.forColumns([&](int j) {
    if (columns.variable[j] >= n) y[columns.variable[j] - n] = columns.entry[j];
  });
  double* const product = columns.entry;
  double* const productLow = columns.weight;
  for (int round = 0; round < mostRefinements; ++round) {
    team.products(y, yLow, product, productLow, nullptr);
    team.forRows([&](int i) {
      int const v = rows.variable[i];
      double const unit = i == r ? 1.0 : 0.0;
      rows.change[i] = v < n ? (Pair{unit, 0.0} - Pair{product[v], productLow[v]}).hi : 0.0;
    });
    team.combineRows();
    team.forColumns([&](int j) {
      int const v = columns.variable[j];
      if (v < n) return;
      Pair const sum = Pair{y[v - n], yLow[v - n]} + Pair{columns.change[j], 0.0};
      y[v - n] = sum.hi;
      yLow[v - n] = sum.lo;
    });
  }
  team.sync();
  auto size = [&](double& most, int i) { most = larger(most, fabs(y[i])); };
  double const largest = team.reduceRows(0.0, size, larger);
  team.forRows([&](int i) { dropRounding(y[i], yLow[i], largest); });
  double* const terms = columns.reducedCost;
  team.products(y, yLow, product, productLow, terms);
  for (double sign = 1.0; sign >= -1.0; sign -= 2.0) {
    auto ofRow = [&](FarkasSums& sums, int i) {
      addMultiplier(sums, Pair{y[i], yLow[i]} * sign, p.lowerOfRow(i), p.upperOfRow(i));
    };
    auto ofColumn = [&](FarkasSums& sums, int j) {
      addProduct(sums, Pair{product[j], productLow[j]} * sign, terms[j], p.lowerOfColumn(j),
                 p.upperOfColumn(j));
    };
    FarkasSums const sums =
        combineFarkas(team.reduceRows(FarkasSums{}, ofRow, combineFarkas),
                      team.reduceColumns(FarkasSums{}, ofColumn, combineFarkas));
    if (sums.broken > 0.0 || !(sums.gap.hi > proof::extendedZero * sums.scale)) continue;
    report.margin = sums.reach > 0.0 ? sums.gap.hi / sums.reach : infinity;
    if (!(report.margin > settings.certain)) return;
    report.end = SmallEnd::infeasible;
    team.forRows([&](int i) {
      answer.y[i] = sign * y[i];
      answer.yLow[i] = sign * yLow[i];
    });
    return;
  }
}

/// The ray of column position q, which moves by `direction` = 1 or -1, beside a feasible point.
template <class Team>
OSI_CUDA_LOOP void proveUnbounded(Team& team, SmallSettings const& settings,
                                  SmallAnswer const& answer, int q, int direction,
                                  SmallReport& report) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  int const n = p.columns;
  report.residual = settlePoint(team, settings, true, report.objective).primal;
  if (!(report.residual <= settings.accepted)) return;
  writePoint(team, answer, false);

  // z, the ray of basic variables, by position; what is left of A ray + s, by row.
  double* const z = rows.entry;
  double* const zLow = rows.weight;
  double* const left = rows.lower;
  double* const leftLow = rows.upper;
  double* const ray = columns.change;
  double* const rayLow = columns.entry;
  team.column(q);
  team.forRows([&](int i) {
    z[i] *= -direction;
    zLow[i] = 0.0;
  });
  for (int round = 0;; ++round) {
    team.sync();
    team.forRows([&](int i) {
      int const v = rows.variable[i];
      if (v >= n) return;
      ray[v] = z[i];
      rayLow[v] = zLow[i];
    });
    team.forColumns([&](int j) {
      int const v = columns.variable[j];
      if (v >= n) return;
      ray[v] = j == q ? direction : 0.0;
      rayLow[v] = 0.0;
    });
    if (round == mostRefinements) break;
    team.activities(ray, rayLow, left, leftLow, nullptr);
    auto const leave = [&](int v, Pair const& step) {
      if (v >= n) left[v - n] = (Pair{left[v - n], leftLow[v - n]} + step).hi;
    };
    team.forRows([&](int i) { leave(rows.variable[i], {z[i], zLow[i]}); });
    team.forColumns([&](int j) {
      leave(columns.variable[j], {j == q ? static_cast<double>(direction) : 0.0, 0.0});
    });
    team.sync();
    team.forColumns([&](int j) {
      int const v = columns.variable[j];
      columns.change[j] = v >= n ? left[v - n] : 0.0;
    });
    team.combineColumns();
    team.forRows([&](int i) {
      int const v = rows.variable[i];
      Pair const correction = Pair{rows.change[i], 0.0} + Pair{v >= n ? left[v - n] : 0.0, 0.0};
      Pair const sum = Pair{z[i], zLow[i]} - correction;
      z[i] = sum.hi;
      zLow[i] = sum.lo;
    });
  }
  team.sync();
  auto size = [&](double& most, int j) { most = larger(most, fabs(ray[j])); };
  double const largest = team.reduceColumns(0.0, size, larger);
  if (!(largest > 0.0)) return;
  team.forColumns([&](int j) { dropRounding(ray[j], rayLow[j], largest); });
  double* const terms = rows.change;
  team.activities(ray, rayLow, left, leftLow, terms);
  auto ofColumn = [&](RaySums& sums, int j) {
    Pair const step{ray[j], rayLow[j]};
    if (step.hi == 0.0) return;
    sums.violation = larger(sums.violation,
                            stepTowards(step.hi, p.lowerOfColumn(j), p.upperOfColumn(j)) / largest);
    Pair const term = step * p.objective[j];
    sums.slope = sums.slope + term;
    sums.scale += fabs(term.hi);
    sums.reach += fabs(step.hi) * (1.0 + fabs(p.objective[j]));
  };
  auto ofRow = [&](RaySums& sums, int i) {
    if (terms[i] == 0.0) return;
    sums.violation =
        larger(sums.violation, stepTowards(left[i] / terms[i], p.lowerOfRow(i), p.upperOfRow(i)));
  };
  RaySums const sums = combineRays(team.reduceColumns(RaySums{}, ofColumn, combineRays),
                                   team.reduceRows(RaySums{}, ofRow, combineRays));
  double const gain = -p.sign * sums.slope.hi;
  if (!(gain > proof::extendedZero * sums.scale) || !(sums.violation <= proof::extendedZero))
    return;
  report.margin = gain / sums.reach;
  if (!(report.margin > settings.certain)) return;
  report.end = SmallEnd::unbounded;
  team.forColumns([&](int j) {
    answer.ray[j] = ray[j];
    answer.rayLow[j] = rayLow[j];
  });
}

}  // namespace osi_cuda::batch
