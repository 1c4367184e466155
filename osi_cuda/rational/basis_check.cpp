// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/basis_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/sentences.hpp"
#include "osi_cuda/rational/thread_caches.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// The largest of them: "1.23e-17 (row R1)".
std::string worstOf(LinearProgram const& lp, std::vector<Violation> const& violations) {
  auto const worst =
      std::max_element(violations.begin(), violations.end(),
                       [](Violation const& a, Violation const& b) { return a.amount < b.amount; });
  return shortNumber(worst->amount) + " (" + nameOf(lp, worst->variable) + ")";
}

std::string refusal(LinearProgram const& lp, BasisCheck const& check) {
  std::string text;
  if (!check.primal.empty())
    text += counted(check.primal.size(), "variable lies", "variables lie") +
            " beyond a bound, at most by " + worstOf(lp, check.primal);
  if (!check.dual.empty())
    text += (text.empty() ? "" : ", and ") +
            counted(check.dual.size(), "reduced cost has", "reduced costs have") +
            " the wrong sign, at most by " + worstOf(lp, check.dual);
  return "In exact arithmetic " + text + ".";
}

class Check {
 public:
  Check(LinearProgram const& lp, Basis const& basis, Watch& watch, FractionTexts texts)
      : lp_(lp), placement_(placementOf(lp, basis)), watch_(watch), texts_(texts) {}

  BasisCheck run() {
    LinearSystem const system(lp_.matrix, placement_.rows, placement_.columns, watch_);
    if (!system.regular()) {
      result_.outcome = Outcome::singular;
      result_.dependent = system.dependentColumns();
      for (int const i : system.dependentRows()) result_.dependent.push_back(lp_.columns() + i);
      result_.message = singularSentence(lp_, system);
      return std::move(result_);
    }
    judgePoint(ExactPoint(lp_, system, placement_.rest, watch_));
    std::vector<double> const zeros(static_cast<size_t>(lp_.rows()), 0.0);
    judgeDuals(ExactDuals(lp_, system, lp_.objective, zeros, watch_));
    bool const proved = result_.primal.empty() && result_.dual.empty();
    result_.outcome = proved ? Outcome::proved : Outcome::refuted;
    result_.message = proved ? "The basis is optimal in exact arithmetic." : refusal(lp_, result_);
    return std::move(result_);
  }

 private:
  void judgePoint(ExactPoint const& x) {
    int const n = lp_.columns();
    for (int v = 0; v < n + lp_.rows(); ++v) {
      Integer const value = x.value(v);
      std::vector<double>& values = v < n ? result_.columnValues : result_.rowActivity;
      values.push_back(toDouble(value.get(), x.denominator()));
      if (v < n && texts_ == FractionTexts::make)
        result_.columnFractions.push_back(toFraction(value.get(), x.denominator()));
      judgeBounds(v, value, x);
    }
    Fractions const objective = x.objective();
    fmpz const* const numerator = objective.numerators[0];
    fmpz const* const denominator = objective.denominator.get();
    result_.objective = toFraction(numerator, denominator);
    result_.digits = toDigits(numerator, denominator);
    result_.objectiveValue = toDouble(numerator, denominator);
    noteDenominator(x.solutionDenominator());
  }

  void judgeBounds(int v, Integer const& value, ExactPoint const& x) {
    for (bool const upper : {false, true}) {
      double const bound = upper ? upperBound(lp_, v) : lowerBound(lp_, v);
      if (!std::isfinite(bound)) {
        // A lower bound of +infinity, or an upper one of -infinity, nothing can keep.
        if ((bound > 0) != upper) result_.primal.push_back({v, infinity});
        continue;
      }
      Integer beyond = x.less(value, bound);
      if (!upper) fmpz_neg(beyond.get(), beyond.get());
      if (fmpz_sgn(beyond.get()) <= 0) continue;
      result_.primal.push_back({v, toDouble(beyond.get(), x.denominator())});
      break;  // where the bounds cross, once
    }
  }

  void judgeDuals(ExactDuals const& y) {
    int const n = lp_.columns();
    std::vector<char> basic(static_cast<size_t>(n), 0);
    for (int const j : placement_.columns) basic[static_cast<size_t>(j)] = 1;
    for (int v = 0; v < n + lp_.rows(); ++v) {
      bool const column = v < n;
      if (column && basic[static_cast<size_t>(v)]) {
        result_.reducedCosts.push_back(0.0);
        continue;
      }
      Integer const value = column ? y.reducedCost(v) : y.multiplier(v - n);
      double const nearest = toDouble(value.get(), y.denominator());
      (column ? result_.reducedCosts : result_.rowDuals).push_back(nearest);
      if (!column && texts_ == FractionTexts::make)
        result_.rowDualFractions.push_back(toFraction(value.get(), y.denominator()));
      int sign = fmpz_sgn(value.get());
      if (lp_.sense == Sense::maximize) sign = -sign;
      // A basic variable has 0. Nonbasic ones are doubles, and so are their bounds.
      double const rest = placement_.rest[static_cast<size_t>(v)];
      bool const wrong =
          (sign > 0 && rest != lowerBound(lp_, v)) || (sign < 0 && rest != upperBound(lp_, v));
      if (wrong) result_.dual.push_back({v, std::fabs(nearest)});
    }
    noteDenominator(y.solutionDenominator());
  }

  void noteDenominator(fmpz const* denominator) {
    result_.denominatorDigits =
        std::max(result_.denominatorDigits, static_cast<int>(fmpz_sizeinbase(denominator, 10)));
  }

  LinearProgram const& lp_;
  Placement const placement_;
  Watch& watch_;
  FractionTexts const texts_;
  BasisCheck result_;
};

}  // namespace

BasisCheck checkBasis(LinearProgram const& lp, Basis const& basis, Limits limits,
                      FractionTexts texts) {
  BasisCheck result;
  result.message = faultOf(lp, basis);
  if (!result.message.empty()) {
    result.outcome = Outcome::notABasis;
    return result;
  }
  releaseCachesAtThreadEnd();
  try {
    Watch watch(std::move(limits));
    return Check(lp, basis, watch, texts).run();
  } catch (Stopped const&) {
    result.outcome = Outcome::stopped;
    result.message = stoppedSentence();
  } catch (TooLarge const& e) {
    result.outcome = Outcome::tooLarge;
    result.message = tooLargeSentence(e);
  }
  return result;
}

}  // namespace osi_cuda::rational
