// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/proof.hpp"

namespace osi_cuda {
namespace {

constexpr double full = 1e-30;  ///< relative residual at which nothing more can be gained
constexpr int mostRounds = 12;  ///< a basis of condition 1e14 gains two digits a round

struct Residual {
  ExtendedVector value;
  double scale = 0.0;  ///< the largest term

  void subtract(std::size_t i, DoubleDouble const& term) {
    value[i] -= term;
    scale = std::max(scale, std::fabs(term.hi));
  }
  double largest() const {
    double result = 0.0;
    for (DoubleDouble const& r : value) {
      if (!isFinite(r)) return infinity;
      result = std::max(result, std::fabs(r.hi));
    }
    return result;
  }
};

Residual begin(ExtendedVector const& right) {
  Residual r{right, 0.0};
  for (DoubleDouble const& b : right) r.scale = std::max(r.scale, std::fabs(b.hi));
  return r;
}

/// Adds corrections as long as they gain; `residualOf` forms what is left, `apply` the engine's
/// approximate solution for it. `start` is what to correct, or of another length: nothing.
RefinedVector refine(std::size_t length, std::vector<double> const& start, auto residualOf,
                     auto apply) {
  RefinedVector best{ExtendedVector(length), infinity};
  ExtendedVector present = best.value;
  bool const usable = start.size() == length &&
                      std::ranges::all_of(start, [](double a) { return std::isfinite(a); });
  if (usable) present.assign(start.begin(), start.end());
  for (int round = 0; round <= mostRounds; ++round) {
    Residual const r = residualOf(present);
    double const largest = r.largest(), relative = r.scale > 0.0 ? largest / r.scale : 0.0;
    bool const gains = relative < best.residual;
    double const before = best.residual;
    if (gains) {
      best.value = present;
      best.residual = relative;
    }
    if (relative <= full || !(relative < 0.5 * before) || round == mostRounds) break;
    // Brought near 1, so that no residual is lost in the range of small numbers.
    double const unit = std::exp2(-std::ceil(std::log2(largest)));
    std::vector<double> rounded(r.value.size());
    for (std::size_t i = 0; i < rounded.size(); ++i) rounded[i] = r.value[i].hi * unit;
    std::vector<double> const correction = apply(rounded);
    for (std::size_t i = 0; i < length; ++i) present[i] += correction[i] / unit;
  }
  return best;
}

}  // namespace

RefinedVector refinedFtran(StandardForm const& form, Engine& engine, std::vector<int> const& basic,
                           ExtendedVector const& b, std::vector<double> const& start) {
  int const n = form.columns();
  auto residualOf = [&](ExtendedVector const& z) {
    Residual r = begin(b);
    for (std::size_t i = 0; i < basic.size(); ++i) {
      if (z[i].isZero()) continue;
      if (basic[i] >= n) {
        r.subtract(at(basic[i] - n), z[i]);
        continue;
      }
      for (auto const [row, a] : form.matrix().column(basic[i])) r.subtract(at(row), z[i] * a);
    }
    return r;
  };
  return refine(basic.size(), start, residualOf,
                [&](std::vector<double> const& r) { return engine.solves().ftran(r); });
}

RefinedVector refinedBtran(StandardForm const& form, Engine& engine, std::vector<int> const& basic,
                           ExtendedVector const& c, std::vector<double> const& start) {
  int const n = form.columns();
  auto residualOf = [&](ExtendedVector const& y) {
    Residual r = begin(c);
    for (std::size_t i = 0; i < basic.size(); ++i) {
      if (basic[i] >= n) {
        r.subtract(i, y[at(basic[i] - n)]);
        continue;
      }
      for (auto const [row, entry] : form.matrix().column(basic[i])) {
        DoubleDouble const& own = y[at(row)];
        if (!own.isZero()) r.subtract(i, own * entry);
      }
    }
    return r;
  };
  RefinedVector y = refine(basic.size(), start, residualOf,
                           [&](std::vector<double> const& r) { return engine.solves().btran(r); });
  // The equation of a basic slack says its multiplier exactly.
  for (std::size_t i = 0; i < basic.size(); ++i)
    if (basic[i] >= n) y.value[at(basic[i] - n)] = c[i];
  return y;
}

void dropRounding(ExtendedVector& vector) {
  double largest = 0.0;
  for (DoubleDouble const& entry : vector) largest = std::max(largest, std::fabs(entry.hi));
  for (DoubleDouble& entry : vector)
    if (std::fabs(entry.hi) < double_double::solveRounding * largest) entry = {};
}

Solution refinedSolution(LinearProgram const& lp, StandardForm const& form, Engine& engine,
                         Snapshot const& point, std::vector<double> const& cost,
                         Solution const& near, bool nearDuals) {
  auto const n = at(form.columns()), m = at(form.rows());
  ExtendedVector x(n), rest(m), basicCost(m), activity(m);
  for (int const variable : point.nonbasicVariable) {
    auto const v = at(variable);
    (v < n ? x[v] : rest[v - n]) = point.value[v];
  }
  auto const addTimes = [&](ExtendedVector& sum, std::size_t j, DoubleDouble const& factor) {
    for (auto const [row, a] : form.matrix().column(static_cast<int>(j)))
      sum[at(row)] += factor * a;
  };
  for (std::size_t j = 0; j < n; ++j)
    if (!x[j].isZero()) addTimes(rest, j, x[j]);
  for (DoubleDouble& b : rest) b = -b;
  // The scales are powers of two: nothing is rounded on the way back to the form's numbers.
  bool const known =
      near.columnValues.size() == n && near.rowActivity.size() == m && near.rowDuals.size() == m;
  std::vector<double> startValue(known ? m : 0), startDual(known ? m : 0);
  for (std::size_t i = 0; i < startValue.size(); ++i) {
    auto const v = at(point.basicVariable[i]);
    startValue[i] = v < n ? near.columnValues[v] / form.columnScale[v]
                          : -near.rowActivity[v - n] * form.rowScale[v - n];
    startDual[i] = near.rowDuals[i] * form.costScale / form.rowScale[i];
  }
  RefinedVector const basicValue =
      refinedFtran(form, engine, point.basicVariable, rest, startValue);
  for (std::size_t i = 0; i < m; ++i) {
    auto const v = at(point.basicVariable[i]);
    if (v < n) x[v] = basicValue.value[i];
    basicCost[i] = cost[v];
  }
  Solution s;
  s.basis = basisOf(form, point);
  for (std::size_t j = 0; j < n; ++j)
    if (!x[j].isZero()) addTimes(activity, j, x[j]);
  SplitVector values = split(x, [&](std::size_t j) { return form.columnScale[j]; });
  s.columnValues = std::move(values.high);
  s.columnValuesLow = std::move(values.low);
  s.objective = objectiveOf(lp, s.columnValues, s.columnValuesLow);
  s.rowActivity.resize(m);
  for (std::size_t i = 0; i < m; ++i) s.rowActivity[i] = activity[i].hi / form.rowScale[i];
  if (nearDuals) {
    s.rowDuals = near.rowDuals;
    s.reducedCosts = near.reducedCosts;
    return s;
  }
  RefinedVector const y = refinedBtran(form, engine, point.basicVariable, basicCost, startDual);
  SplitVector duals =
      split(y.value, [&](std::size_t i) { return form.rowScale[i] / form.costScale; });
  s.reducedCosts.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    DoubleDouble d = cost[j];
    for (auto const [i, a] : form.matrix().column(static_cast<int>(j))) d -= y.value[at(i)] * a;
    s.reducedCosts[j] = d.hi / (form.columnScale[j] * form.costScale);
  }
  s.rowDuals = std::move(duals.high);
  s.rowDualsLow = std::move(duals.low);
  return s;
}

}  // namespace osi_cuda
