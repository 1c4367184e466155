// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/judge.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::stress {
namespace {

/// Relative to the terms of a sum: what a certificate in doubles can't be blamed for.
constexpr double tightness = 1e-12;

/// Within which a value rests on a bound, relative to 1 + |bound|; part of the definition.
constexpr double restingDistance = 1e-6;

bool finite(std::vector<double> const& values) {
  return std::all_of(values.begin(), values.end(), [](double a) { return std::isfinite(a); });
}

bool sized(std::vector<double> const& values, int size) {
  return values.size() == static_cast<std::size_t>(size);
}

mpq_class rational(double value) {
  return mpq_class(value);
}

/// By how much the value misses its bounds, b / (1 + |bound|).
mpq_class violation(mpq_class const& value, double lower, double upper) {
  if (lower == infinity || upper == -infinity) return 1;  // the limit of ever larger bounds
  mpq_class worst = 0;
  auto const missed = [&](double bound, int sign) {
    mpq_class const beyond = sign * (value - rational(bound));
    if (beyond > 0) worst = std::max<mpq_class>(worst, beyond / (1 + abs(rational(bound))));
  };
  if (std::isfinite(lower)) missed(lower, -1);
  if (std::isfinite(upper)) missed(upper, 1);
  return worst;
}

/// One column or row, whose multiplier is d (of a minimisation), with its bounds and unit.
struct Pair {
  mpq_class value, multiplier;
  double lower, upper, cost;
};

bool atBound(mpq_class const& value, double bound) {
  return std::isfinite(bound) &&
         abs(value - rational(bound)) <= rational(restingDistance) * (1 + abs(rational(bound)));
}

/// Adds what the pair contributes to the gap; returns what it contributes to the dual residual.
/// `rounding`: a wrong sign up to this is explained by the rounding of the multipliers; beyond it,
/// and with a finite bound on the other side, it counts by the width of the box as well.
mpq_class share(Pair const& pair, mpq_class const& objectiveUnit, mpq_class const& rounding,
                mpq_class& gap) {
  if (pair.multiplier == 0) return 0;
  bool const wantsLower = pair.multiplier > 0;
  double const wanted = wantsLower ? pair.lower : pair.upper;
  double const opposite = wantsLower ? pair.upper : pair.lower;
  mpq_class const dualShare = abs(pair.multiplier) / (1 + abs(rational(pair.cost)));
  if (!std::isfinite(wanted)) return dualShare;
  mpq_class const product = pair.multiplier * (pair.value - rational(wanted));
  // Beyond a bound counts as on it here: the primal residual has the rest.
  mpq_class within = pair.value;
  if (std::isfinite(pair.upper) && within > rational(pair.upper)) within = rational(pair.upper);
  if (std::isfinite(pair.lower) && within < rational(pair.lower)) within = rational(pair.lower);
  bool const charged = !atBound(within, wanted) &&
                       (atBound(within, opposite) || abs(product) / objectiveUnit > dualShare);
  if (charged && atBound(within, opposite) && abs(pair.multiplier) > rounding) gap += product;
  if (charged) return dualShare;
  gap += product;
  return 0;
}

/// The sign that turns the problem's objective into one to be minimised.
int senseSign(LinearProgram const& lp) {
  return lp.sense == Sense::maximize ? -1 : 1;
}

/// (A'y)_j and the sum of the absolute values of its terms.
struct RationalSum {
  mpq_class value, terms;
  void add(mpq_class const& term) {
    value += term;
    terms += abs(term);
  }
  bool negligible() const { return abs(value) <= rational(tightness) * terms; }
};

RationalSum columnTimes(LinearProgram const& lp, int j, Rationals const& y) {
  RationalSum sum;
  for (auto k = lp.matrix.starts[j]; k < lp.matrix.starts[j + 1]; ++k) {
    mpq_class const& multiplier = y[lp.matrix.indices[k]];
    if (multiplier != 0) sum.add(rational(lp.matrix.values[k]) * multiplier);
  }
  return sum;
}

std::vector<RationalSum> rowsTimes(LinearProgram const& lp, Rationals const& x) {
  std::vector<RationalSum> sums(lp.rows());
  for (int j = 0; j < lp.columns(); ++j) {
    if (x[j] == 0) continue;
    for (auto k = lp.matrix.starts[j]; k < lp.matrix.starts[j + 1]; ++k)
      sums[lp.matrix.indices[k]].add(rational(lp.matrix.values[k]) * x[j]);
  }
  return sums;
}

bool crossed(double lower, double upper) {
  return lower > upper || lower == infinity || upper == -infinity;
}

bool anyCrossed(LinearProgram const& lp) {
  for (int j = 0; j < lp.columns(); ++j)
    if (crossed(lp.columnLower[j], lp.columnUpper[j])) return true;
  for (int i = 0; i < lp.rows(); ++i)
    if (crossed(lp.rowLower[i], lp.rowUpper[i])) return true;
  return false;
}

bool inside(mpq_class const& value, double lower, double upper) {
  return (!std::isfinite(lower) || value >= rational(lower)) &&
         (!std::isfinite(upper) || value <= rational(upper)) && !crossed(lower, upper);
}

/// A step along a ray that leaves the bounds alone: 2 exactly, 1 up to tightness, 0 not.
int keepsBounds(RationalSum const& step, double lower, double upper) {
  bool const ok = (step.value <= 0 || upper == infinity) && (step.value >= 0 || lower == -infinity);
  return ok ? 2 : step.negligible() ? 1 : 0;
}

}  // namespace

double JudgedResiduals::largest() const {
  return std::max({primal, dual, gap});
}

JudgedResiduals judgedResiduals(LinearProgram const& lp, std::vector<double> const& xHigh,
                                std::vector<double> const& yHigh, std::vector<double> const& xLow,
                                std::vector<double> const& yLow) {
  JudgedResiduals judged;
  auto const usable = [](std::vector<double> const& high, std::vector<double> const& low,
                         int size) {
    return sized(high, size) && finite(high) && (low.empty() || (sized(low, size) && finite(low)));
  };
  if (!usable(xHigh, xLow, lp.columns())) return judged;
  Rationals const x = exactSum(xHigh, xLow), y = exactSum(yHigh, yLow);
  std::vector<RationalSum> const activity = rowsTimes(lp, x);
  mpq_class const objective = exactObjective(lp, x);
  judged.objective = objective.get_d();
  mpq_class primal = 0;
  for (int j = 0; j < lp.columns(); ++j)
    primal = std::max(primal, violation(x[j], lp.columnLower[j], lp.columnUpper[j]));
  for (int i = 0; i < lp.rows(); ++i)
    primal = std::max(primal, violation(activity[i].value, lp.rowLower[i], lp.rowUpper[i]));
  judged.primal = primal.get_d();
  if (!usable(yHigh, yLow, lp.rows())) return judged;

  int const sign = senseSign(lp);
  mpq_class const unit = 1 + abs(objective);
  mpq_class dual = 0, gap = 0, largest = 0;
  for (double const multiplier : yHigh)
    largest = std::max<mpq_class>(largest, abs(rational(multiplier)));
  mpq_class const ofRounding = rational(yLow.empty() ? 0x1p-44 : 0x1p-90);
  for (int j = 0; j < lp.columns(); ++j) {
    RationalSum const sum = columnTimes(lp, j, y);
    mpq_class const cost = rational(lp.objective[j]);
    mpq_class const reducedCost = cost - sum.value;
    dual = std::max(dual, share({x[j], sign * reducedCost, lp.columnLower[j], lp.columnUpper[j],
                                 lp.objective[j]},
                                unit, ofRounding * (abs(cost) + sum.terms), gap));
  }
  for (int i = 0; i < lp.rows(); ++i)
    dual =
        std::max(dual, share({activity[i].value, sign * y[i], lp.rowLower[i], lp.rowUpper[i], 0.0},
                             unit, ofRounding * largest, gap));
  judged.dual = dual.get_d();
  judged.gap = mpq_class(abs(gap) / unit).get_d();
  return judged;
}

char const* toString(Proof proof) {
  switch (proof) {
    case Proof::exact:
      return "exact";
    case Proof::tight:
      return "tight";
    default:
      return "none";
  }
}

Rationals exactSum(std::vector<double> const& high, std::vector<double> const& low) {
  Rationals sum;
  if (!finite(high) || !finite(low) || (!low.empty() && low.size() != high.size())) return sum;
  for (std::size_t k = 0; k < high.size(); ++k) {
    sum.push_back(rational(high[k]));
    if (!low.empty()) sum.back() += rational(low[k]);
  }
  return sum;
}

Proof judgeFarkas(LinearProgram const& lp, Rationals const& y) {
  if (anyCrossed(lp)) return Proof::exact;
  if (y.size() != static_cast<std::size_t>(lp.rows())) return Proof::none;
  RationalSum gap;
  bool exact = true;
  mpq_class largest = 0;
  for (mpq_class const& value : y) largest = std::max<mpq_class>(largest, abs(value));
  for (int i = 0; i < lp.rows(); ++i) {
    if (y[i] == 0) continue;
    double const bound = y[i] > 0 ? lp.rowLower[i] : lp.rowUpper[i];
    if (std::isfinite(bound)) {
      gap.add(y[i] * rational(bound));
    } else if (abs(y[i]) <= rational(tightness) * largest) {
      exact = false;
    } else {
      return Proof::none;
    }
  }
  for (int j = 0; j < lp.columns(); ++j) {
    RationalSum const z = columnTimes(lp, j, y);
    if (z.value == 0) continue;
    double const bound = z.value > 0 ? lp.columnUpper[j] : lp.columnLower[j];
    if (std::isfinite(bound)) {
      gap.add(-z.value * rational(bound));
    } else if (z.negligible()) {
      exact = false;
    } else {
      return Proof::none;
    }
  }
  if (gap.value <= 0) return Proof::none;
  if (exact) return Proof::exact;
  return gap.negligible() ? Proof::none : Proof::tight;
}

Proof judgeRay(LinearProgram const& lp, Rationals const& ray) {
  if (ray.size() != static_cast<std::size_t>(lp.columns())) return Proof::none;
  int worst = 2;
  RationalSum slope;
  for (int j = 0; j < lp.columns(); ++j) {
    RationalSum step;
    step.add(ray[j]);
    worst = std::min(worst, keepsBounds(step, lp.columnLower[j], lp.columnUpper[j]));
    slope.add(rational(senseSign(lp) * lp.objective[j]) * ray[j]);
  }
  auto const steps = rowsTimes(lp, ray);
  for (int i = 0; i < lp.rows(); ++i)
    worst = std::min(worst, keepsBounds(steps[i], lp.rowLower[i], lp.rowUpper[i]));
  if (worst == 0 || slope.value >= 0) return Proof::none;
  if (worst == 2) return Proof::exact;
  return slope.negligible() ? Proof::none : Proof::tight;
}

mpq_class exactObjective(LinearProgram const& lp, Rationals const& x) {
  mpq_class sum = rational(lp.objectiveOffset);
  for (int j = 0; j < lp.columns(); ++j) sum += rational(lp.objective[j]) * x[j];
  return sum;
}

bool exactlyFeasible(LinearProgram const& lp, Rationals const& x) {
  if (x.size() != static_cast<std::size_t>(lp.columns())) return false;
  for (int j = 0; j < lp.columns(); ++j)
    if (!inside(x[j], lp.columnLower[j], lp.columnUpper[j])) return false;
  auto const activity = rowsTimes(lp, x);
  for (int i = 0; i < lp.rows(); ++i)
    if (!inside(activity[i].value, lp.rowLower[i], lp.rowUpper[i])) return false;
  return true;
}

bool exactlyOptimal(LinearProgram const& lp, Rationals const& x, Rationals const& y) {
  if (!exactlyFeasible(lp, x) || y.size() != static_cast<std::size_t>(lp.rows())) return false;
  // Complementary: a multiplier that is not zero holds its variable at the bound it wants.
  auto holds = [](mpq_class const& multiplier, mpq_class const& value, double lower, double upper) {
    if (multiplier == 0) return true;
    double const bound = multiplier > 0 ? lower : upper;
    return std::isfinite(bound) && value == rational(bound);
  };
  int const sign = senseSign(lp);
  for (int j = 0; j < lp.columns(); ++j) {
    mpq_class const d = sign * (rational(lp.objective[j]) - columnTimes(lp, j, y).value);
    if (!holds(d, x[j], lp.columnLower[j], lp.columnUpper[j])) return false;
  }
  auto const activity = rowsTimes(lp, x);
  for (int i = 0; i < lp.rows(); ++i)
    if (!holds(sign * y[i], activity[i].value, lp.rowLower[i], lp.rowUpper[i])) return false;
  return true;
}

// A Solution may carry low-order parts of its certificates; where its type has none, nothing is
// added.
template <class Answer>
Rationals farkasWithLow(Answer const& answer) {
  if constexpr (requires { answer.farkasLow; })
    return exactSum(answer.farkas, answer.farkasLow);
  else
    return exactSum(answer.farkas, {});
}

template <class Answer>
Rationals rayWithLow(Answer const& answer) {
  if constexpr (requires { answer.rayLow; })
    return exactSum(answer.ray, answer.rayLow);
  else
    return exactSum(answer.ray, {});
}

Rationals farkasOf(Solution const& solution) {
  return farkasWithLow(solution);
}
Rationals rayOf(Solution const& solution) {
  return rayWithLow(solution);
}

}  // namespace osi_cuda::stress
