// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/basis_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <tuple>

#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/integers.hpp"
#include "osi_cuda/rational/proof_attempt.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// The largest of them: "1.23e-17 (row R1)".
std::string worstOf(LinearProgram const& lp, std::vector<Violation> const& violations) {
  auto const worst = std::ranges::max_element(
      violations, [](Violation const& a, Violation const& b) { return a.amount < b.amount; });
  return brief(worst->amount) + " (" + variableName(lp, worst->variable) + ")";
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
  Check(LinearProgram const& lp, Basis const& basis, Watch& watch, Extras extras)
      : lp_(lp),
        basis_(basis),
        placement_(placementOf(lp, basis)),
        watch_(watch),
        extras_(extras) {}

  BasisCheck run() {
    LinearSystem const system(lp_.matrix, placement_.rows, placement_.columns, watch_);
    if (!system.regular()) {
      result_.outcome = Outcome::singular;
      result_.dependent = system.dependentColumns();
      for (int const i : system.dependentRows()) result_.dependent.push_back(lp_.columns() + i);
      result_.message = singularSentence(lp_, system);
      return std::move(result_);
    }
    ExactPoint const x(lp_, system, placement_.rest, watch_);
    judgePoint(x);
    std::vector<double> const zeros(at(lp_.rows()), 0.0);
    ExactDuals const y(lp_, system, lp_.objective, zeros, watch_);
    judgeDuals(y);
    bool const proved = result_.primal.empty() && result_.dual.empty();
    result_.outcome = proved ? Outcome::proved : Outcome::refuted;
    result_.message = proved ? "The basis is optimal in exact arithmetic." : refusal(lp_, result_);
    if (!proved) result_.objectiveEnclosure = {};
    if (!proved && extras_.remainder) makeRemainder(x, y);
    return std::move(result_);
  }

 private:
  void judgePoint(ExactPoint const& x) {
    int const n = lp_.columns();
    for (int v = 0; v < n + lp_.rows(); ++v) {
      Integer const value = x.value(v);
      std::vector<double>& values = v < n ? result_.columnValues : result_.rowActivity;
      values.push_back(toDouble(value.get(), x.denominator()));
      if (v < n)
        result_.columnValuesLow.push_back(restOf(value.get(), x.denominator(), values.back()));
      if (v < n && extras_.fractions)
        result_.columnFractions.push_back(toFraction(value.get(), x.denominator()));
      judgeBounds(v, value, x);
    }
    Fractions const objective = x.objective();
    fmpz const* const numerator = objective.numerators[0];
    fmpz const* const denominator = objective.denominator.get();
    result_.objective = toFraction(numerator, denominator);
    result_.digits = toDigits(numerator, denominator);
    result_.objectiveValue = toDouble(numerator, denominator);
    std::tie(result_.objectiveEnclosure.lower, result_.objectiveEnclosure.upper) =
        enclosing(numerator, denominator);
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
    std::vector<char> basic(at(n), 0);
    for (int const j : placement_.columns) basic[at(j)] = 1;
    for (int v = 0; v < n + lp_.rows(); ++v) {
      bool const column = v < n;
      if (column && basic[at(v)]) {
        result_.reducedCosts.push_back(0.0);
        if (extras_.fractions) result_.reducedCostFractions.emplace_back("0");
        continue;
      }
      Integer const value = column ? y.reducedCost(v) : y.multiplier(v - n);
      double const nearest = toDouble(value.get(), y.denominator());
      (column ? result_.reducedCosts : result_.rowDuals).push_back(nearest);
      if (!column) result_.rowDualsLow.push_back(restOf(value.get(), y.denominator(), nearest));
      if (extras_.fractions)
        (column ? result_.reducedCostFractions : result_.rowDualFractions)
            .push_back(toFraction(value.get(), y.denominator()));
      int sign = fmpz_sgn(value.get());
      if (lp_.sense == Sense::maximize) sign = -sign;
      // A basic variable has 0. Nonbasic ones are doubles, and so are their bounds.
      double const rest = placement_.rest[at(v)];
      bool const wrong =
          (sign > 0 && rest != lowerBound(lp_, v)) || (sign < 0 && rest != upperBound(lp_, v));
      if (wrong) result_.dual.push_back({v, std::fabs(nearest)});
    }
    noteDenominator(y.solutionDenominator());
  }

  /// Rows and columns: the first ones alone (Extras) where as many basic variables are among them
  /// as there are rows.
  std::pair<int, int> sizesOfRemainder() const {
    auto const basicIn = [](std::vector<VariableStatus> const& all, int size) {
      return std::ranges::count(std::span(all).first(at(size)), VariableStatus::basic);
    };
    if (extras_.rows >= 0 &&
        basicIn(basis_.columns, extras_.columns) + basicIn(basis_.rows, extras_.rows) ==
            extras_.rows)
      return {extras_.rows, extras_.columns};
    return {lp_.rows(), lp_.columns()};
  }

  static void keepFirst(SparseMatrix& matrix, int rows, int columns) {
    SparseMatrix first;
    for (int j = 0; j < columns; ++j) {
      for (auto const [i, a] : matrix.column(j))
        if (i < rows) first.add(i, a);
      first.endColumn();
    }
    first.rows = rows;
    matrix = std::move(first);
  }

  void makeRemainder(ExactPoint const& x, ExactDuals const& y) {
    std::optional<int> const primal = exponentOf(result_.primal), dual = exponentOf(result_.dual);
    if (!primal || !dual) return;
    Remainder rest;
    LinearProgram& lp = rest.lp;
    lp.sense = lp_.sense;
    auto const [m, n] = sizesOfRemainder();
    lp.matrix = lp_.matrix;
    if (m < lp_.rows()) keepFirst(lp.matrix, m, n);
    rest.start.columns.assign(basis_.columns.begin(), basis_.columns.begin() + n);
    rest.beyond.columns.assign(basis_.columns.begin() + n, basis_.columns.end());
    rest.start.rows.assign(basis_.rows.begin(), basis_.rows.begin() + m);
    rest.beyond.rows.assign(basis_.rows.begin() + m, basis_.rows.end());
    for (int v = 0; v < lp_.columns() + m; ++v) {
      bool const row = v >= lp_.columns();
      if (v >= n && !row) continue;
      Integer const value = x.value(v);
      (row ? lp.rowLower : lp.columnLower).push_back(room(x, value, lowerBound(lp_, v), *primal));
      (row ? lp.rowUpper : lp.columnUpper).push_back(room(x, value, upperBound(lp_, v), *primal));
    }
    // Beside much larger costs doubles take those that are wrong for rounding: variables with such
    // a cost stay where they rest, for the time being.
    constexpr double mostCost = 0x1p24;
    auto const stays = [&](double cost) {
      return result_.primal.empty() && std::fabs(cost) > mostCost;
    };
    for (std::size_t j = 0; j < at(n); ++j) {
      double const cost = std::ldexp(result_.reducedCosts[j], *dual);
      lp.objective.push_back(stays(cost) ? 0.0 : cost);
      if (stays(cost)) lp.columnLower[j] = lp.columnUpper[j] = 0.0;
    }
    for (int i = 0; i < m; ++i) {
      double const cost = std::ldexp(toDouble(y.multiplier(i).get(), y.denominator()), *dual);
      if (cost == 0.0) continue;
      if (stays(cost)) {
        lp.rowLower[at(i)] = lp.rowUpper[at(i)] = 0.0;
        continue;
      }
      rest.costedRows.push_back(i);
      rest.start.columns.push_back(basis_.rows[at(i)]);
      lp.matrix.makeSparse();  // a column of one entry does not fit a dense array
      lp.matrix.add(i, -1.0);
      lp.endColumn(cost, std::exchange(lp.rowLower[at(i)], 0.0),
                   std::exchange(lp.rowUpper[at(i)], 0.0));
    }
    bool const finite =
        std::ranges::all_of(lp.objective, [](double cost) { return std::isfinite(cost); });
    if (finite) result_.remainder = std::move(rest);
  }

  /// The power of two that brings the largest amount to between 1/2 and 1; 0 where there is none,
  /// nothing where it is below the doubles or infinite.
  static std::optional<int> exponentOf(std::vector<Violation> const& violations) {
    if (violations.empty()) return 0;
    double largest = 0.0;
    for (Violation const& violation : violations) largest = std::max(largest, violation.amount);
    if (largest == 0.0 || !std::isfinite(largest)) return std::nullopt;
    int exponent = 0;
    std::frexp(largest, &exponent);
    return -exponent;
  }

  /// (bound - value) 2^exponent; infinite only beyond the doubles: however small the violations
  /// are, the next vertex may be far away.
  static double room(ExactPoint const& x, Integer const& value, double bound, int exponent) {
    if (!std::isfinite(bound)) return bound;
    return std::ldexp(-toDouble(x.less(value, bound).get(), x.denominator()), exponent);
  }

  void noteDenominator(fmpz const* denominator) {
    result_.denominatorDigits =
        std::max(result_.denominatorDigits, static_cast<int>(fmpz_sizeinbase(denominator, 10)));
  }

  LinearProgram const& lp_;
  Basis const& basis_;
  Placement const placement_;
  Watch& watch_;
  Extras const extras_;
  BasisCheck result_;
};

}  // namespace

// The column of a row's activity and the slack of its equation are parallel: at most one is basic.
Basis Remainder::basisOf(Basis const& ofRemainder) const {
  std::size_t const n = ofRemainder.columns.size() - costedRows.size();
  Basis basis;
  basis.columns.assign(ofRemainder.columns.begin(),
                       ofRemainder.columns.begin() + static_cast<std::ptrdiff_t>(n));
  basis.rows = ofRemainder.rows;
  basis.columns.insert(basis.columns.end(), beyond.columns.begin(), beyond.columns.end());
  basis.rows.insert(basis.rows.end(), beyond.rows.begin(), beyond.rows.end());
  for (std::size_t k = 0; k < costedRows.size(); ++k) {
    VariableStatus& row = basis.rows[at(costedRows[k])];
    if (row != VariableStatus::basic) row = ofRemainder.columns[n + k];
  }
  return basis;
}

BasisCheck checkBasis(LinearProgram const& lp, Basis const& basis, Limits limits, Extras extras) {
  return attempt<BasisCheck>(lp, basis, std::move(limits), [&](Watch& watch, BasisCheck& result) {
    result = Check(lp, basis, watch, extras).run();
  });
}

}  // namespace osi_cuda::rational
