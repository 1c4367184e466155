// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/proof/formulas.hpp"

/// The proofs of formulas.hpp as reductions over columns and rows, however these are visited.
///
/// A Problem has  rows, columns, objective[j], sign (-1: maximise)  and the bounds
/// lowerOfColumn(j), upperOfColumn(j), lowerOfRow(i), upperOfRow(i). A Reducer has
///
///     reduceColumns(start, visit, combine), reduceRows(start, visit, combine)
///
/// as the teams of simplex/team.hpp: visit(sums, k) adds what column or row k has to say to `sums`,
/// which begin as `start`; combine(a, b) joins the sums of two parts.
namespace osi_cuda::proof {

/// For one thread, all in order.
struct InOrder {
  int rows = 0, columns = 0;

  template <class Sums, class Visit, class Combine>
  OSI_CUDA_HD Sums reduceColumns(Sums sums, Visit const& visit, Combine const&) const {
    for (int j = 0; j < columns; ++j) visit(sums, j);
    return sums;
  }
  template <class Sums, class Visit, class Combine>
  OSI_CUDA_HD Sums reduceRows(Sums sums, Visit const& visit, Combine const&) const {
    for (int i = 0; i < rows; ++i) visit(sums, i);
    return sums;
  }
};

/// How a point came off; see Residuals.
struct Verdict {
  double primal = infinity, dual = infinity, complementarity = infinity;
  /// No x within rows and bounds has a smaller sign c'x than sign c'x of the point less this;
  /// infinite where the multipliers prove none.
  double above = infinity;

  OSI_CUDA_HD double largest() const { return worse(primal, worse(dual, complementarity)); }
};

/// A point's verdict and its objective.
struct Worth {
  Verdict verdict;
  Bounded objective;
};

/// The verdict from the violations and charges of all columns and rows; `unit` is 1 + |objective|.
OSI_CUDA_HD inline Verdict verdictFrom(Charges const& charges, double unit) {
  double const above = charges.whole + upward(charges.wholeError);
  Verdict verdict{charges.primal, charges.dual, complementarityOf(charges, unit),
                  isNumber(above) ? above : infinity};
  if (!isNumber(unit)) verdict.dual = verdict.complementarity = infinity;
  return verdict;
}

/// All of the verdict. `objective` is that of the point; `rounding(j)` and `rowRounding` are what
/// the rounding of the multipliers explains of a reduced cost and of a multiplier.
///
/// A Point has  x(j), activity(i), multiplier(i) and reducedCost(j)  as Bounded, the last two in
/// the problem's own sense. It may have restsAsWanted(j, sign, lower, upper): whether x_j
/// equals the bound that its reduced cost surely wants, so that nothing is to be charged,
/// nor a bound violated where they do not cross.
template <class Reducer, class Problem, class Point, class Rounding>
OSI_CUDA_LOOP Verdict verdictOf(Reducer& reducer, Problem const& p, Point const& point,
                                double objective, Rounding const& rounding, double rowRounding) {
  double const unit = 1.0 + fabs(objective), sign = p.sign;
  auto const signedBy = [sign](Bounded const& b) { return sign < 0.0 ? -b : b; };
  auto column = [&](Charges& charges, int j) {
    double const lower = p.lowerOfColumn(j), upper = p.upperOfColumn(j);
    if constexpr (requires { point.restsAsWanted(j, sign, lower, upper); })
      if (lower <= upper && point.restsAsWanted(j, sign, lower, upper)) return;
    Bounded const x = point.x(j);
    charges.primal = worse(charges.primal, violationOf(x, lower, upper));
    charge(charges, signedBy(point.reducedCost(j)), x, lower, upper, p.objective[j], unit,
           [&] { return rounding(j); });
  };
  auto row = [&](Charges& charges, int i) {
    double const lower = p.lowerOfRow(i), upper = p.upperOfRow(i);
    Bounded const activity = point.activity(i);
    charges.primal = worse(charges.primal, violationOf(activity, lower, upper));
    charge(charges, signedBy(point.multiplier(i)), activity, lower, upper, 0.0, unit,
           [&] { return rowRounding; });
  };
  auto both = [](Charges const& a, Charges const& b) { return combine(a, b); };
  Charges const charges = combine(reducer.reduceColumns(Charges{}, column, both),
                                  reducer.reduceRows(Charges{}, row, both));
  return verdictFrom(charges, unit);
}

/// Sums over factor(j) of columns and rowFactor(i) of rows; those of a column count as zero up to
/// zero(j) where they need an infinite bound, those of rows up to rowZero.
///
///     Farkas  factor -(A'y)_j,        rowFactor y_i,  zero(j) some share of the terms of (A'y)_j
///     bound   factor sign (c - A'y)_j, rowFactor sign y_i
template <class Reducer, class Problem, class Factor, class RowFactor, class Zero>
OSI_CUDA_LOOP BoxSums boxSumsOf(Reducer& reducer, Problem const& p, Factor const& factor,
                                RowFactor const& rowFactor, Zero const& zero, double rowZero) {
  auto column = [&](BoxSums& sums, int j) {
    addTerm(sums, factor(j), p.lowerOfColumn(j), p.upperOfColumn(j), [&] { return zero(j); });
  };
  auto row = [&](BoxSums& sums, int i) {
    addTerm(sums, rowFactor(i), p.lowerOfRow(i), p.upperOfRow(i), [&] { return rowZero; });
  };
  auto both = [](BoxSums const& a, BoxSums const& b) { return combine(a, b); };
  return combine(reducer.reduceColumns(BoxSums{}, column, both),
                 reducer.reduceRows(BoxSums{}, row, both));
}

/// step(j) of columns, a pair that is exact; rowStep(i) and terms(i), the absolute values of its
/// terms.
template <class Reducer, class Problem, class Step, class RowStep, class Terms>
OSI_CUDA_LOOP RaySums raySumsOf(Reducer& reducer, Problem const& p, Step const& step,
                                RowStep const& rowStep, Terms const& terms) {
  auto column = [&](RaySums& sums, int j) {
    addStep(sums, step(j), p.objective[j], p.lowerOfColumn(j), p.upperOfColumn(j));
  };
  auto row = [&](RaySums& sums, int i) {
    addRowStep(sums, rowStep(i), terms(i), p.lowerOfRow(i), p.upperOfRow(i));
  };
  auto both = [](RaySums const& a, RaySums const& b) { return combine(a, b); };
  return combine(reducer.reduceColumns(RaySums{}, column, both),
                 reducer.reduceRows(RaySums{}, row, both));
}

}  // namespace osi_cuda::proof
