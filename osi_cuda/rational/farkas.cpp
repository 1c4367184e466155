// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/proof_attempt.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// Multipliers in doubles as a pattern: what is 0 and what has which value.
struct Pattern {
  std::vector<double> rows;     ///< multipliers, length m
  std::vector<double> columns;  ///< combinations A'y, length n
  bool operator==(Pattern const&) const = default;
};

/// Those of `y` that no infinite bound forbids and that exceed `tolerance`, relative to the largest
/// multiplier or to the terms of the combination.
Pattern patternOf(LinearProgram const& lp, std::span<double const> y, double tolerance,
                  Watch& watch) {
  auto const allowed = [](double value, double lower, double upper) {
    return value == 0.0 || std::isfinite(value > 0 ? lower : upper);
  };
  Pattern pattern{{y.begin(), y.end()}, std::vector<double>(at(lp.columns()), 0.0)};
  double largest = 0.0;
  for (double const value : y) largest = std::max(largest, std::fabs(value));
  for (size_t i = 0; i < y.size(); ++i)
    if (std::fabs(y[i]) <= tolerance * largest || !allowed(y[i], lp.rowLower[i], lp.rowUpper[i]))
      pattern.rows[i] = 0.0;
  for (int j = 0; j < lp.columns(); ++j) {
    auto const column = lp.matrix.column(j);
    long double sum = 0.0L, terms = 0.0L;
    for (auto const [row, entry] : column) {
      long double const term = static_cast<long double>(entry) * pattern.rows[at(row)];
      sum += term;
      terms += std::fabs(term);
    }
    auto const z = static_cast<double>(sum);
    bool const counts = std::fabs(sum) > static_cast<long double>(tolerance) * terms &&
                        std::isfinite(z) &&
                        allowed(-z, lp.columnLower[at(j)], lp.columnUpper[at(j)]);
    if (counts) pattern.columns[at(j)] = z;
    watch.spend(static_cast<std::int64_t>(column.size()) + 1);
  }
  return pattern;
}

class FarkasProver {
 public:
  FarkasProver(LinearProgram const& lp, Watch& watch, bool fractions = false)
      : lp_(lp), watch_(watch), fractions_(fractions) {}

  CertificateCheck& result() { return result_; }

  /// Do the multipliers, or their opposites, prove it?
  bool judge(ExactDuals const& y, double sign) {
    Integer gap;
    int const bounds = lowestOfBounds(lp_, 0);
    std::string fault;
    double size = infinity;
    int const n = lp_.columns();
    for (int v = 0; v < n + lp_.rows(); ++v) {
      // An activity counts with y_i, a column with -(A'y)_j; positive ones at their lower bounds.
      Integer weight = v < n ? y.combination(v) : y.multiplier(v - n);
      if ((v < n) == (sign > 0)) fmpz_neg(weight.get(), weight.get());
      int const side = fmpz_sgn(weight.get());
      if (side == 0) continue;
      double const bound = side > 0 ? lowerBound(lp_, v) : upperBound(lp_, v);
      if (!std::isfinite(bound)) {
        double const nearest = toDouble(weight.get(), y.denominator());
        if (fault.empty() || std::fabs(nearest) > size) {
          size = std::fabs(nearest);
          fault = variableName(lp_, v) + " has a weight of " + brief(nearest) +
                  " and no bound on that side";
        }
        continue;
      }
      addTimes(gap, bound, weight.get(), -bounds);
    }
    if (fault.empty() && fmpz_sgn(gap.get()) > 0) {
      accept(y, sign);
      return true;
    }
    if (fault.empty())
      fault = "the multipliers leave a gap of " + brief(toDouble(gap.get(), y.denominator()));
    if (result_.message.empty() || size < smallest_) {
      smallest_ = size;
      result_.message = "The problem is not proved infeasible in exact arithmetic: " + fault + ".";
    }
    return false;
  }

  /// Multipliers with the zeros of `pattern`, the others from the system.
  bool judge(LinearSystem const& system, Pattern const& pattern) {
    constexpr double asGiven = 1.0;
    return judge(ExactDuals(lp_, system, pattern.columns, pattern.rows, watch_), asGiven);
  }

  /// From the multipliers alone: the rows that are used make the columns vanish that have to.
  bool judge(Pattern const& pattern) {
    std::vector<int> rows, columns;
    for (int i = 0; i < lp_.rows(); ++i)
      if (pattern.rows[at(i)] != 0.0) rows.push_back(i);
    for (int j = 0; j < lp_.columns(); ++j) {
      bool const boxed =
          std::isfinite(lp_.columnLower[at(j)]) && std::isfinite(lp_.columnUpper[at(j)]);
      if (pattern.columns[at(j)] == 0.0 && !boxed) columns.push_back(j);
    }
    IndependentPart const part = independentPart(lp_.matrix, rows, columns, watch_);
    std::vector<int> systemRows, systemColumns;
    for (int const k : part.rows) systemRows.push_back(rows[at(k)]);
    for (int const k : part.columns) systemColumns.push_back(columns[at(k)]);
    LinearSystem const system(lp_.matrix, systemRows, systemColumns, watch_);
    return judge(system, pattern);
  }

 private:
  void accept(ExactDuals const& y, double sign) {
    result_.outcome = Outcome::proved;
    result_.message = "The problem is infeasible, proved in exact arithmetic.";
    auto const multiplier = [&](int i) { return y.multiplier(i); };
    handOut(lp_.rows(), multiplier, sign, result_);
    if (!fractions_) return;
    Integer const content = contentOf(lp_.rows(), multiplier);
    result_.certificateFractions = fractionsOf(lp_.rows(), multiplier, content.get(), sign);
    result_.combinationFractions = fractionsOf(
        lp_.columns(), [&](int j) { return y.combination(j); }, content.get(), -sign);
  }

  LinearProgram const& lp_;
  Watch& watch_;
  bool const fractions_;
  CertificateCheck result_;
  double smallest_ =
      infinity;  // the least of the largest forbidden weights, which the message tells
};

bool crossedBounds(LinearProgram const& lp, CertificateCheck& result) {
  result.crossed = crossedVariable(lp);
  if (result.crossed < 0) return false;
  result.outcome = Outcome::proved;
  result.message =
      "The problem is infeasible: the bounds of " + variableName(lp, result.crossed) + " cross.";
  return true;
}

}  // namespace

CertificateCheck proveInfeasible(LinearProgram const& lp, Basis const& basis, int variable,
                                 Limits limits) {
  std::vector<int> unit(at(lp.columns() + lp.rows()), 0);
  unit[at(variable)] = 1;
  return proveInfeasible(lp, basis, unit, std::move(limits));
}

CertificateCheck proveInfeasible(LinearProgram const& lp, Basis const& basis,
                                 std::vector<int> const& weights, Limits limits, bool fractions) {
  return attempt(lp, basis, std::move(limits), [&](Watch& watch, CertificateCheck& result) {
    if (crossedBounds(lp, result)) return;
    Placement const placement = placementOf(lp, basis);
    LinearSystem const system(lp.matrix, placement.rows, placement.columns, watch);
    if (refuseSingular(lp, system, result)) return;
    // y'B = the weights of the basic variables, where the column of B of a row is minus its unit
    // column: A x - r = 0.
    int const n = lp.columns();
    std::vector<double> const wanted(weights.begin(), weights.begin() + n);
    std::vector<double> given(at(lp.rows()), 0.0);
    for (int i = 0; i < lp.rows(); ++i) given[at(i)] = -weights[at(n + i)];
    ExactDuals const y(lp, system, wanted, given, watch);
    FarkasProver prover(lp, watch, fractions);
    prover.result().outcome = Outcome::refuted;
    prover.judge(y, 1.0) || prover.judge(y, -1.0);
    result = std::move(prover.result());
  });
}

CertificateCheck proveInfeasible(LinearProgram const& lp, Basis const& basis,
                                 std::span<double const> multipliers, Limits limits,
                                 bool fractions) {
  bool const usable = multipliers.size() == at(lp.rows()) &&
                      std::ranges::all_of(multipliers, [](double y) { return std::isfinite(y); });
  std::vector<double> const none(usable ? 0 : at(lp.rows()), 0.0);
  std::span<double const> const y = usable ? multipliers : none;
  return attempt(std::move(limits), [&](Watch& watch, CertificateCheck& result) {
    if (crossedBounds(lp, result)) return;
    FarkasProver prover(lp, watch, fractions);
    prover.result().outcome = Outcome::refuted;
    std::vector<Pattern> patterns;
    for (double const tolerance : zeroTolerances) {
      Pattern pattern = patternOf(lp, y, tolerance, watch);
      if (patterns.empty() || !(patterns.back() == pattern)) patterns.push_back(std::move(pattern));
    }
    bool proved = false;
    if (faultOf(lp, basis).empty()) {
      Placement const placement = placementOf(lp, basis);
      LinearSystem const system(lp.matrix, placement.rows, placement.columns, watch);
      for (size_t k = 0; system.regular() && !proved && k < patterns.size(); ++k)
        proved = prover.judge(system, patterns[k]);
    }
    for (size_t k = 0; !proved && k < patterns.size(); ++k) proved = prover.judge(patterns[k]);
    result = std::move(prover.result());
  });
}

}  // namespace osi_cuda::rational
