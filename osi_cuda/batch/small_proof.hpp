// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/line_sums.hpp"
#include "osi_cuda/batch/small_problem.hpp"
#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/proof/reductions.hpp"

/// From the last basis of a small problem to an answer that is proved: point, multipliers and
/// certificates are formed from the tableau, refined against the problem as it was given, and
/// verified by the formulas of osi_cuda/proof/. What B^-1 is applied to is a combination of the
/// tableau's slack columns, for column j of T is B^-1 e_i where j holds the slack of row i.
///
/// A Team here is one of simplex/team.hpp with an explicit tableau, which can also do this:
///
///   problem()                         the SmallProblem
///   sync()                            what members wrote is seen by all
///   activities(x, xLow, hi, lo, terms)   sums (A x)_i of x + xLow (xLow may be null) in pairs and,
///                                     unless null, the sums of the absolute values of their terms.
///                                     Returns the largest of these to all. A sync before and after
///   products(y, yLow, hi, lo, terms)  the same of A'y
///
/// combineRows, combineColumns, row and column begin and end with a sync here.
namespace osi_cuda::batch {

using proof::isNumber;

inline constexpr int mostRefinements = 2;  ///< each adds the digits that the tableau has

OSI_CUDA_HD inline std::uint8_t statusOf(double value, double lower, double upper, bool negated) {
  auto const word = [](VariableStatus status) { return static_cast<std::uint8_t>(status); };
  if (!isNumber(lower) && !isNumber(upper)) return word(VariableStatus::free);
  bool const low = !isNumber(upper) || (isNumber(lower) && value - lower <= upper - value);
  return word(low != negated ? VariableStatus::atLower : VariableStatus::atUpper);
}

/// x by column in columns.change and y by row in rows.change; a sync after.
OSI_CUDA_LOOP void formPoint(Team auto& team) {
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

/// The point that formPoint left, as the verifier reads it. Activities and reduced costs may be off
/// by what the largest terms of all explain.
struct SmallPoint {
  RowState rows;
  ColumnState columns;
  double rowError = 0.0, columnError = 0.0;

  OSI_CUDA_HD proof::Bounded x(int j) const { return columns.change[j]; }
  OSI_CUDA_HD proof::Bounded activity(int i) const {
    return {Pair{rows.entry[i], rows.weight[i]}, rowError};
  }
  OSI_CUDA_HD proof::Bounded multiplier(int i) const { return rows.change[i]; }
  OSI_CUDA_HD proof::Bounded reducedCost(int j) const {
    return {Pair{columns.entry[j], columns.weight[j]},
            columnError + proof::operationError(columns.entry[j])};
  }
};

/// Verifies the point that formPoint left: activities stay in rows.entry + rows.weight, reduced
/// costs in columns.entry + columns.weight, both in the problem's own sense.
OSI_CUDA_LOOP proof::Verdict verifyPoint(Team auto& team, double& objective) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  SmallPoint point{rows, columns};
  double const* const x = columns.change;
  double const most = team.activities(x, nullptr, rows.entry, rows.weight, nullptr);
  point.rowError = lineSumError(p.columns, most);
  double const mostOfColumn =
      team.products(rows.change, nullptr, columns.entry, columns.weight, nullptr);
  point.columnError = lineSumError(p.rows, mostOfColumn);
  auto cost = [&](Pair& sum, int j) {
    sum = sum + exactProduct(p.objective[j], x[j]);
    Pair const d = Pair(p.objective[j]) - Pair{columns.entry[j], columns.weight[j]};
    columns.entry[j] = d.hi;
    columns.weight[j] = d.lo;
  };
  auto const add = [](Pair const& a, Pair const& b) { return a + b; };
  Pair const value = team.reduceColumns(Pair(), cost, add) + Pair(p.offset);
  objective = value.hi + value.lo;
  // Of the terms of a reduced cost only the cost and the sum of the others are known here: what
  // their rounding explains is taken smaller than it may be, and more goes to the gap.
  auto const rounding = [&](int j) {
    return proof::multiplierRounding * (2.0 * fabs(p.objective[j]) - fabs(columns.entry[j]));
  };
  return proof::verdictOf(team, p, point, objective, rounding, 0.0);
}

/// One step of refinement: basic values by what is left of A x + s, the duals by the reduced costs
/// of basic columns, both as verifyPoint left them.
OSI_CUDA_LOOP void refinePoint(Team auto& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  int const n = team.problem().columns;
  double const sign = team.problem().sign;
  team.sync();
  auto const leave = [&](int v, double value) {
    if (v >= n) rows.entry[v - n] = (Pair{rows.entry[v - n], rows.weight[v - n]} + Pair(value)).hi;
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
OSI_CUDA_LOOP void writeBasis(Team auto& team, SmallAnswer const& answer) {
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

/// Forms and verifies the point of the present basis, refining it where residuals are above what
/// `settings` accept: all of them, or only that of the point itself. It stays in columns.change and
/// rows.change.
OSI_CUDA_LOOP proof::Verdict settlePoint(Team auto& team, SmallSettings const& settings,
                                         bool primalOnly, double& objective) {
  proof::Verdict verdict;
  for (int round = 0;; ++round) {
    formPoint(team);
    verdict = verifyPoint(team, objective);
    double const left = primalOnly ? verdict.primal : verdict.largest();
    if (left <= settings.accepted || round == mostRefinements) return verdict;
    refinePoint(team);
  }
}

OSI_CUDA_LOOP void writePoint(Team auto& team, SmallAnswer const& answer, bool multipliers) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  team.forColumns([&](int j) { answer.x[j] = columns.change[j]; });
  if (multipliers) team.forRows([&](int i) { answer.y[i] = rows.change[i]; });
  writeBasis(team, answer);
}

/// The point of a basis that looks optimal.
OSI_CUDA_LOOP void proveOptimal(Team auto& team, SmallSettings const& settings,
                                SmallAnswer const& answer, SmallReport& report) {
  proof::Verdict const verdict = settlePoint(team, settings, false, report.objective);
  report.residual = verdict.largest();
  if (!(report.residual <= settings.accepted)) return;
  report.end = BatchStatus::optimal;
  writePoint(team, answer, true);
}

/// Zeros where there is nothing but the rounding of solves, as solveRounding says. What is
/// no number stays, for the verifier.
OSI_CUDA_HD inline void dropRounding(double& hi, double& lo, double largest) {
  if (fabs(hi) < double_double::solveRounding * largest) hi = lo = 0.0;
}

/// The largest absolute value; infinite where one is no number.
OSI_CUDA_HD inline double worseOf(double a, double b) {
  return proof::worse(a, b);
}

/// Verifies the Farkas multipliers in rows.entry + rows.weight, and their negatives.
OSI_CUDA_LOOP void verifyFarkas(Team auto& team, SmallSettings const& settings,
                                SmallAnswer const& answer, SmallReport& report) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  SmallProblem const& p = team.problem();
  double* const y = rows.entry;
  double* const yLow = rows.weight;
  double* const product = columns.entry;
  double* const productLow = columns.weight;
  double* const terms = columns.reducedCost;
  team.products(y, yLow, product, productLow, terms);
  for (double sign = 1.0; sign >= -1.0; sign -= 2.0) {
    auto const signedBy = [sign](double hi, double lo) { return Pair{sign * hi, sign * lo}; };
    proof::BoxSums const sums = proof::boxSumsOf(
        team, p,
        [&](int j) {
          return proof::Bounded(-signedBy(product[j], productLow[j]),
                                lineSumError(p.rows, terms[j]));
        },
        [&](int i) { return proof::Bounded(signedBy(y[i], yLow[i])); },
        [&](int j) { return proof::extendedZero * terms[j]; }, 0.0);
    double const margin = proof::farkasMargin(sums, proof::extendedZero);
    if (!(margin > 0.0)) continue;
    report.margin = margin;
    if (!(report.margin > settings.certain)) return;
    report.end = BatchStatus::infeasible;
    team.forRows([&](int i) {
      answer.y[i] = sign * y[i];
      answer.yLow[i] = sign * yLow[i];
    });
    return;
  }
}

/// The dual ray of row position r as Farkas multipliers: B'y = e_r.
OSI_CUDA_LOOP void proveInfeasible(Team auto& team, SmallSettings const& settings,
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
      rows.change[i] = v < n ? (Pair(unit) - Pair{product[v], productLow[v]}).hi : 0.0;
    });
    team.combineRows();
    team.forColumns([&](int j) {
      int const v = columns.variable[j];
      if (v < n) return;
      Pair const sum = Pair{y[v - n], yLow[v - n]} + Pair(columns.change[j]);
      y[v - n] = sum.hi;
      yLow[v - n] = sum.lo;
    });
  }
  team.sync();
  auto size = [&](double& most, int i) { most = worseOf(most, fabs(y[i])); };
  double const largest = team.reduceRows(0.0, size, worseOf);
  team.forRows([&](int i) { dropRounding(y[i], yLow[i], largest); });
  verifyFarkas(team, settings, answer, report);
}

/// The ray of column position q, which moves by `direction` = 1 or -1, beside a feasible point.
OSI_CUDA_LOOP void proveUnbounded(Team auto& team, SmallSettings const& settings,
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
      leave(columns.variable[j], Pair(j == q ? static_cast<double>(direction) : 0.0));
    });
    team.sync();
    team.forColumns([&](int j) {
      int const v = columns.variable[j];
      columns.change[j] = v >= n ? left[v - n] : 0.0;
    });
    team.combineColumns();
    team.forRows([&](int i) {
      int const v = rows.variable[i];
      Pair const correction = Pair(rows.change[i]) + Pair(v >= n ? left[v - n] : 0.0);
      Pair const sum = Pair{z[i], zLow[i]} - correction;
      z[i] = sum.hi;
      zLow[i] = sum.lo;
    });
  }
  team.sync();
  auto size = [&](double& most, int j) { most = worseOf(most, fabs(ray[j])); };
  double const largest = team.reduceColumns(0.0, size, worseOf);
  if (!(largest > 0.0) || !isNumber(largest)) return;
  team.forColumns([&](int j) {
    dropRounding(ray[j], rayLow[j], largest);
    // A column may not approach a finite bound at all: what is rounding does not move.
    bool const tiny = fabs(ray[j]) <= proof::extendedZero * largest;
    if (tiny && proof::approaches(ray[j], p.lowerOfColumn(j), p.upperOfColumn(j)))
      ray[j] = rayLow[j] = 0.0;
  });
  double* const terms = rows.change;
  team.activities(ray, rayLow, left, leftLow, terms);
  proof::RaySums const sums = proof::raySumsOf(
      team, p,
      [&](int j) {
        return Pair{ray[j], rayLow[j]};
      },
      [&](int i) {
        return proof::Bounded(Pair{left[i], leftLow[i]}, lineSumError(p.columns, terms[i]));
      },
      [&](int i) { return terms[i]; });
  report.margin = proof::rayMargin(sums, p.sign, proof::extendedZero);
  if (!(report.margin > settings.certain)) return;
  report.end = BatchStatus::unbounded;
  team.forColumns([&](int j) {
    answer.ray[j] = ray[j];
    answer.rayLow[j] = rayLow[j];
  });
}

}  // namespace osi_cuda::batch
