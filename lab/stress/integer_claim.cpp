// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/integer_claim.hpp"

#include <algorithm>
#include <cmath>

#include "lab/stress/judge.hpp"

namespace osi_cuda::stress {
namespace {

/// Of objectives and bounds, which searches compute in doubles, relative to 1 + the optimum.
constexpr double objectiveTolerance = 1e-6;

std::string pointFault(LinearProgram const& lp, IntegerClaim const& claim) {
  JudgedResiduals const judged = judgedResiduals(lp, claim.point, {});
  // Cbc's points are those of a linear program that has no second look.
  double const tolerance = claim.whole > 0.0 ? 1e-6 : pointTolerance;
  if (!(judged.primal <= tolerance * (1 + 1e-9)))
    return "point: misses a row or a bound by " + digitsOf(judged.primal);
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.integer[j] && std::fabs(claim.point[j] - std::round(claim.point[j])) > claim.whole)
      return "point: " + lp.columnName(j) + " is " + digitsOf(claim.point[j]);
  for (auto const& [column, on] : lp.choices.semicontinuous) {
    double const x = claim.point[at(column)];
    if (on > 0.0 ? x > 0.0 && x < on : x < 0.0 && x > on)
      return "point: " + lp.columnName(column) + " is " + digitsOf(x) + ", between 0 and " +
             digitsOf(on);
  }
  for (OrderedSet const& set : lp.choices.sets) {
    std::ptrdiff_t first = -1, last = -1;
    for (std::ptrdiff_t k = 0; k < std::ssize(set.columns); ++k) {
      if (claim.point[at(set.columns[at(k)])] == 0.0) continue;
      if (first < 0) first = k;
      last = k;
    }
    if (first >= 0 && last - first >= set.type) return "point: a set has a nonzero too many";
  }
  if (!(std::fabs(judged.objective - claim.objective) <=
        objectiveTolerance * (1 + std::fabs(judged.objective))))
    return "objective: " + digitsOf(claim.objective) + ", the point has " +
           digitsOf(judged.objective);
  return {};
}

}  // namespace

IntegerTruths::IntegerTruths(LinearProgram const& lp)
    : exact(enumerated(lp)), tolerant(enumerated(lp, {pointTolerance, 0.0})) {}

std::string faultOf(IntegerProblem const& problem, IntegerTruths const& truths,
                    IntegerClaim const& claim) {
  LinearProgram const& lp = problem.lp;
  SearchSettings const& settings = problem.settings;
  IntegerTruth const& exact = truths.exact;
  if (!claim.fault.empty()) return "crash: " + claim.fault;
  if (!claim.point.empty())
    if (std::string const fault = pointFault(lp, claim); !fault.empty()) return fault;
  if (claim.answer == Answer::timeLimit && !settings.limited())
    return "limit: " + claim.status + ", and none is set";
  if (claim.answer == Answer::optimal && claim.point.empty()) return "point: there is none";
  if (claim.answer == Answer::optimal && !truths.tolerant.feasible && claim.whole == 0.0)
    return "point: no point is feasible";  // pointFault has seen it
  if (claim.answer == Answer::infeasible && !claim.point.empty()) return "infeasible: with a point";
  if (!exact.feasible) return {};
  std::string const best = digitsOf(exact.optimum.get_d());
  if (claim.answer == Answer::infeasible) return "infeasible: the optimum is " + best;
  if (claim.answer == Answer::unbounded) return "unbounded: the optimum is " + best;

  // As of a minimum.
  double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
  double const optimum = sign * exact.optimum.get_d(), objective = sign * claim.objective;
  double const rounding = objectiveTolerance * (1 + std::fabs(optimum));
  if (claim.answer == Answer::optimal) {
    double const size = std::max(std::fabs(optimum), std::fabs(objective));
    double const relative = settings.relativeGap > 0.0 ? settings.relativeGap * size : 0.0;
    if (!(objective <= optimum + std::max(settings.absoluteGap, relative) + rounding))
      return "optimum: " + digitsOf(claim.objective) + ", it is " + best;
  }
  ObjectiveEnclosure enclosure = claim.enclosure;
  auto const atMost = [](double value, mpq_class const& other) {
    return std::isinf(value) ? value < 0.0 : mpq_class(value) <= other;
  };
  if (std::isnan(enclosure.lower) || std::isnan(enclosure.upper) ||
      !atMost(enclosure.lower, exact.optimum) || !atMost(-enclosure.upper, -exact.optimum))
    return "enclosure: [" + digitsOf(enclosure.lower) + ", " + digitsOf(enclosure.upper) +
           "], the optimum is " + best;
  if (std::isnan(claim.bound)) return {};
  double const bound = sign * claim.bound;
  if (bound > optimum + rounding)
    return "bound: " + digitsOf(claim.bound) + ", the optimum is " + best;
  if (!claim.point.empty() && bound > objective + rounding)
    return "bound: " + digitsOf(claim.bound) + " is better than the point's " +
           digitsOf(claim.objective);
  // A point within the tolerances may be better than any exact one, and no bound is better than it.
  double const proved = sign > 0.0 ? enclosure.lower : -enclosure.upper;
  if (bound < (claim.point.empty() ? proved : std::min(proved, objective)) - rounding)
    return "bound: " + digitsOf(claim.bound) + ", " + digitsOf(sign * proved) + " is proved";
  return {};
}

}  // namespace osi_cuda::stress
