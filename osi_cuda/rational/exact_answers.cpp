// SPDX-License-Identifier: EPL-2.0
// Bases into the problem of whole numbers, and what is proved there back to the given one.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_problem.hpp"

namespace osi_cuda::rational {
namespace {

/// A whole number, as the sum of two doubles.
DoubleDouble rounded(fmpz const* whole) {
  Integer const one(1);
  double const high = toDouble(whole, one.get());
  DoubleDouble value(high);
  return value + DoubleDouble(restOf(whole, one.get(), high));
}

/// The first `size` numbers high + low of a vector that has some, each times factor(k).
void scaleNumbers(std::vector<double>& high, std::vector<double>& low, std::size_t size,
                  auto const& factor) {
  if (high.size() > size) high.resize(size);
  if (low.size() > size) low.resize(size);
  for (std::size_t k = 0; k < high.size(); ++k) {
    Rational const by = factor(k);
    if (by == Rational(1.0)) continue;
    DoubleDouble value(high[k]);
    if (!low.empty()) value = value + DoubleDouble(low[k]);
    bool const areDoubles =
        std::max(fmpz_bits(by.numerator()), fmpz_bits(by.denominator())) <= mostBits;
    value = areDoubles ? value * rounded(by.numerator()) / rounded(by.denominator())
                       : value * toDouble(by.numerator(), by.denominator());
    high[k] = value.hi;
    if (!low.empty()) low[k] = value.lo;
  }
}

/// high[i] + low[i] += what is at place k of others.
void addTo(std::vector<double>& high, std::vector<double>& low, std::size_t i,
           std::vector<double> const& others, std::vector<double> const& othersLow, std::size_t k) {
  if (i >= high.size() || k >= others.size()) return;
  DoubleDouble sum = DoubleDouble(high[i]) + DoubleDouble(others[k]);
  if (!low.empty()) sum = sum + DoubleDouble(low[i]);
  if (!othersLow.empty()) sum = sum + DoubleDouble(othersLow[k]);
  high[i] = sum.hi;
  if (!low.empty()) low[i] = sum.lo;
}

void addTo(std::vector<std::string>& fractions, std::size_t i,
           std::vector<std::string> const& others, std::size_t k) {
  if (i < fractions.size() && k < others.size())
    fractions[i] = (Rational(fractions[i]) + Rational(others[k])).text();
}

VariableStatus& statusOf(Basis& basis, std::size_t n, int variable) {
  return at(variable) < n ? basis.columns[at(variable)] : basis.rows[at(variable) - n];
}

void scaleTexts(std::vector<std::string>& fractions, std::size_t size, auto const& factor) {
  if (fractions.size() > size) fractions.resize(size);
  for (std::size_t k = 0; k < fractions.size(); ++k)
    fractions[k] = (Rational(fractions[k]) * factor(k)).text();
}

}  // namespace

Basis ExactProblem::extended(Basis const& ofGiven) const {
  Basis basis = ofGiven;
  if (!scaled_ || basis.empty()) return basis;
  std::size_t const n = at(given_.columns()), copies = at(copies_);
  for (auto const& [variable, upper] : twins_) {
    VariableStatus& of = statusOf(basis, n, variable);
    VariableStatus const there = upper ? VariableStatus::atUpper : VariableStatus::atLower;
    bool const rests = of == there;
    if (rests) of = VariableStatus::basic;
    basis.rows.push_back(rests ? there : VariableStatus::basic);
  }
  basis.columns.resize(n + copies, VariableStatus::basic);
  basis.columns.resize(at(own_.columns()), VariableStatus::atLower);
  basis.rows.resize(at(own_.rows()), VariableStatus::atLower);
  return basis;
}

Basis ExactProblem::restricted(Basis basis) const {
  if (!scaled_) return basis;
  for (std::size_t k = 0; k < twins_.size() && at(given_.rows()) + k < basis.rows.size(); ++k)
    if (basis.rows[at(given_.rows()) + k] != VariableStatus::basic)
      statusOf(basis, at(given_.columns()), twins_[k].variable) =
          twins_[k].upper ? VariableStatus::atUpper : VariableStatus::atLower;
  basis.columns.resize(std::min(basis.columns.size(), at(given_.columns())));
  basis.rows.resize(std::min(basis.rows.size(), at(given_.rows())));
  return basis;
}

BasisCheck ExactProblem::check(Basis const& basis, Limits limits, Extras extras) const {
  // No pivot of doubles tells copies from their columns.
  if (scaled_) extras.rows = own_.rows() - copies_, extras.columns = given_.columns();
  BasisCheck check = checkBasis(lp(), basis, std::move(limits), extras);
  if (!scaled_) return check;
  std::size_t const n = at(given_.columns()), m = at(given_.rows());
  auto const column = [this](std::size_t j) { return Rational(1.0) / column_[j]; };
  auto const row = [this](std::size_t i) { return row_[i] / cost_; };
  auto const cost = [this](std::size_t j) { return column_[j] / cost_; };
  std::vector<double> none;
  for (std::size_t k = 0; k < twins_.size(); ++k) {
    std::size_t const variable = at(twins_[k].variable);
    if (variable < n) {
      addTo(check.reducedCosts, none, variable, check.rowDuals, check.rowDualsLow, m + k);
      addTo(check.reducedCostFractions, variable, check.rowDualFractions, m + k);
    } else {
      addTo(check.rowDuals, check.rowDualsLow, variable - n, check.rowDuals, check.rowDualsLow,
            m + k);
      addTo(check.rowDualFractions, variable - n, check.rowDualFractions, m + k);
    }
  }
  for (std::size_t i = 0; i < m && i < check.rowActivity.size(); ++i)
    check.rowActivity[i] += moved_[i];
  scaleNumbers(check.rowActivity, none, m,
               [this](std::size_t i) { return Rational(1.0) / row_[i]; });
  scaleNumbers(check.columnValues, check.columnValuesLow, n, column);
  scaleNumbers(check.rowDuals, check.rowDualsLow, m, row);
  scaleNumbers(check.reducedCosts, none, n, cost);
  scaleTexts(check.columnFractions, n, column);
  scaleTexts(check.rowDualFractions, m, row);
  scaleTexts(check.reducedCostFractions, n, cost);
  if (check.objective.empty()) return check;
  Rational const objective = Rational(check.objective) / cost_;
  fmpz const *const top = objective.numerator(), *const bottom = objective.denominator();
  check.objective = objective.text();
  check.digits = toDigits(top, bottom);
  check.objectiveValue = toDouble(top, bottom);
  if (check.outcome == Outcome::proved)
    std::tie(check.objectiveEnclosure.lower, check.objectiveEnclosure.upper) =
        enclosing(top, bottom);
  return check;
}

CertificateCheck ExactProblem::restored(CertificateCheck check, bool ofRows) const {
  if (!scaled_) return check;
  std::size_t const n = at(given_.columns()), m = at(given_.rows());
  auto const column = [this](std::size_t j) { return Rational(1.0) / column_[j]; };
  auto const row = [this](std::size_t i) { return row_[i]; };
  auto const cost = [this](std::size_t j) { return column_[j]; };
  std::vector<double> none;
  for (std::size_t k = 0; ofRows && k < twins_.size(); ++k) {
    std::size_t const variable = at(twins_[k].variable);
    if (variable < n) {
      addTo(check.combinationFractions, variable, check.certificateFractions, m + k);
      continue;
    }
    std::vector<double>&high = check.certificate, &low = check.certificateLow;
    addTo(high, low, variable - n, high, low, m + k);
    addTo(check.certificateFractions, variable - n, check.certificateFractions, m + k);
  }
  if (ofRows) {
    scaleNumbers(check.certificate, check.certificateLow, m, row);
    scaleTexts(check.certificateFractions, m, row);
  } else {
    scaleNumbers(check.certificate, check.certificateLow, n, column);
    scaleTexts(check.certificateFractions, n, column);
  }
  scaleNumbers(check.point, none, n, column);
  scaleTexts(check.combinationFractions, n, cost);
  scaleTexts(check.pointFractions, n, column);
  // Of a row that stands for a copy the bounds do not cross.
  if (check.crossed >= own_.columns()) check.crossed += static_cast<int>(n) - own_.columns();
  return check;
}

CertificateCheck ExactProblem::infeasible(Basis const& basis, std::span<double const> multipliers,
                                          Limits limits, bool fractions) const {
  std::vector<double> own(multipliers.begin(), multipliers.end());
  if (scaled_ && !own.empty()) {
    std::vector<double> none;
    scaleNumbers(own, none, own.size(), [this](std::size_t i) { return Rational(1.0) / row_[i]; });
    own.resize(at(own_.rows()), 0.0);
    for (std::size_t k = 0; k < twins_.size(); ++k)  // upper bounds have multipliers < 0
      if (int const i = twins_[k].variable - given_.columns(); i >= 0 && own[at(i)] < 0.0)
        std::swap(own[at(i)], own[at(given_.rows()) + k]);
  }
  return restored(proveInfeasible(lp(), basis, own, std::move(limits), fractions), true);
}

CertificateCheck ExactProblem::infeasible(ExactPivots const& last, Limits limits,
                                          bool fractions) const {
  return restored(proveInfeasible(lp(), last.basis, last.weights, std::move(limits), fractions),
                  true);
}

CertificateCheck ExactProblem::unbounded(Basis const& basis, std::span<double const> ray,
                                         Limits limits, bool fractions) const {
  std::vector<double> own(ray.begin(), ray.end());
  if (scaled_ && !own.empty()) {
    std::vector<double> none;
    scaleNumbers(own, none, own.size(), [this](std::size_t j) { return column_[j]; });
    own.resize(at(own_.columns()), 0.0);
  }
  return restored(proveUnbounded(lp(), basis, own, std::move(limits), fractions), false);
}

CertificateCheck ExactProblem::unbounded(ExactPivots const& last, Limits limits,
                                         bool fractions) const {
  return restored(
      proveUnbounded(lp(), last.basis, last.variable, last.direction, std::move(limits), fractions),
      false);
}

}  // namespace osi_cuda::rational
