// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/exact_problem.hpp"

#include <flint/fmpq.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "osi_cuda/base/decimal.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/integers.hpp"

namespace osi_cuda::rational {
namespace {

/// The smallest k >= 0 for which 5^k times the number is a whole number times a power of two.
int fivesOf(Decimal const& decimal) {
  int k = std::max(0, -decimal.exponent);
  for (std::int64_t rest = decimal.mantissa; k > 0 && rest % 5 == 0; rest /= 5) --k;
  return k;
}

Integer powerOfFive(int exponent) {
  Integer power(5);
  fmpz_pow_ui(power.get(), power.get(), static_cast<ulong>(exponent));
  return power;
}

/// 5^power times the number as a sum of doubles, the largest first; power >= fivesOf(decimal).
/// Throws std::range_error where a double cannot hold a part.
std::vector<double> partsOf(Decimal const& decimal, int power) {
  // mantissa 5^(exponent + power) is whole, times 2^exponent.
  Integer whole(decimal.mantissa);
  int const fives = decimal.exponent + power;
  Integer const factor = powerOfFive(std::abs(fives));
  if (fives >= 0)
    fmpz_mul(whole.get(), whole.get(), factor.get());
  else
    fmpz_divexact(whole.get(), whole.get(), factor.get());
  std::vector<double> parts;
  Integer const one(1), minusOne(-1);
  while (!fmpz_is_zero(whole.get())) {
    double const part = toDouble(whole.get(), one.get()),
                 scaled = std::ldexp(part, decimal.exponent);
    if (!std::isfinite(scaled) || std::ldexp(scaled, -decimal.exponent) != part)
      throw std::range_error("a number is too large or too small for doubles");
    parts.push_back(scaled);
    addTimes(whole, part, minusOne.get(), 0);
  }
  if (parts.empty()) parts.push_back(0.0);
  return parts;
}

/// The same of a bound that must be one double; infinite ones stay.
double boundOf(double bound, int power) {
  if (!std::isfinite(bound)) return bound;
  std::vector<double> const parts = partsOf(shortestDecimal(bound), power);
  if (parts.size() > 1) throw std::range_error("two bounds need more digits than doubles have");
  return parts[0];
}

/// A rational with its owner.
struct Rational {
  Rational() { fmpq_init(value); }
  ~Rational() { fmpq_clear(value); }
  Rational(Rational const&) = delete;
  Rational& operator=(Rational const&) = delete;
  fmpq_t value;
};

/// "p/q" times 5^power.
void timesFives(Rational& result, std::string const& fraction, int power) {
  fmpq_set_str(result.value, fraction.c_str(), 10);
  Integer const factor = powerOfFive(std::abs(power));
  if (power >= 0)
    fmpq_mul_fmpz(result.value, result.value, factor.get());
  else
    fmpq_div_fmpz(result.value, result.value, factor.get());
}

void scaleText(std::string& fraction, int power) {
  if (power == 0) return;
  Rational product;
  timesFives(product, fraction, power);
  fraction = toFraction(fmpq_numref(product.value), fmpq_denref(product.value));
}

/// high + low (low may be missing) times 5^power.
void scaleNumber(double& high, double* low, int power) {
  if (power == 0) return;
  constexpr int exact = 22;  // 5^22 is a double
  DoubleDouble value(high);
  if (low) value = value + DoubleDouble(*low);
  for (int left = std::abs(power); left > 0; left -= exact) {
    double const factor = std::pow(5.0, std::min(left, exact));
    value = power > 0 ? value * factor : value / DoubleDouble(factor);
  }
  high = value.hi;
  if (low) *low = value.lo;
}

/// The first `size` numbers of a vector that has some, each times 5^power(k).
void scaleNumbers(std::vector<double>& high, std::vector<double>& low, std::size_t size,
                  auto const& power) {
  if (high.size() > size) high.resize(size);
  if (low.size() > size) low.resize(size);
  for (std::size_t k = 0; k < high.size(); ++k)
    scaleNumber(high[k], low.empty() ? nullptr : &low[k], power(k));
}

void scaleTexts(std::vector<std::string>& fractions, std::size_t size, auto const& power) {
  if (fractions.size() > size) fractions.resize(size);
  for (std::size_t k = 0; k < fractions.size(); ++k) scaleText(fractions[k], power(k));
}

}  // namespace

ExactProblem::ExactProblem(LinearProgram const& given, ExactNumbers numbers) : given_(given) {
  if (numbers != ExactNumbers::decimals) return;
  try {
    choosePowers();
    if (decimals_ == 0) return;  // the doubles are the decimals
    copyNumbers();
    scaled_ = true;
  } catch (std::range_error const& e) {
    decimals_ = 0;
    fault_ = e.what();
  }
}

void ExactProblem::choosePowers() {
  auto const note = [this](int& power, double number, int before = 0) {
    if (!std::isfinite(number)) return;
    Decimal const decimal = shortestDecimal(number);
    int const fives = fivesOf(decimal);
    decimals_ += fives > 0 || partsOf(decimal, 0).size() > 1;
    power = std::max(power, number == 0.0 ? 0 : fives + before);
  };
  rowPower_.assign(given_.rowLower.size(), 0);
  columnPower_.assign(given_.columnLower.size(), 0);
  for (std::size_t j = 0; j < columnPower_.size(); ++j) {
    note(columnPower_[j], given_.columnLower[j]);
    if (given_.columnUpper[j] != given_.columnLower[j])
      note(columnPower_[j], given_.columnUpper[j]);
    note(costPower_, given_.objective[j], columnPower_[j]);
    for (auto const [i, a] : given_.matrix.column(static_cast<int>(j)))
      note(rowPower_[at(i)], a, columnPower_[j]);
  }
  note(costPower_, given_.objectiveOffset);
  for (std::size_t i = 0; i < rowPower_.size(); ++i) {
    note(rowPower_[i], given_.rowLower[i]);
    if (given_.rowUpper[i] != given_.rowLower[i]) note(rowPower_[i], given_.rowUpper[i]);
  }
}

// The first parts of the numbers are where the numbers were; then come the copies, column by
// column, and the columns that are fixed at 1.
void ExactProblem::copyNumbers() {
  own_.name = given_.name;
  own_.sense = given_.sense;
  std::vector<std::vector<Column>> const copies = copyColumns();
  std::vector<Column> const ones = copySides();
  std::vector<std::pair<int, int>> equal;  // column and copy
  for (int j = 0; j < given_.columns(); ++j)
    for (Column const& copy : copies[at(j)]) {
      equal.emplace_back(j, own_.columns());
      addColumn(copy, given_.columnName(j), -infinity, infinity);
    }
  copies_ = static_cast<int>(equal.size());
  for (Column const& one : ones) addColumn(one, "1", 1.0, 1.0);
  if (equal.empty()) return;
  // The row of each copy: the column less the copy is 0.
  SparseMatrix byRows = own_.matrix.transposed();
  byRows.rows = own_.columns();
  for (auto const& [column, copy] : equal) {
    byRows.add(column, 1.0);
    byRows.add(copy, -1.0);
    byRows.endColumn();
    own_.rowNames.push_back(own_.columnNames[at(copy)]);
    own_.addRow(0.0, 0.0);
  }
  own_.matrix = byRows.transposed();
}

void ExactProblem::addColumn(Column const& column, std::string name, double lower, double upper) {
  for (auto const& [row, value] : column.entries) own_.matrix.add(row, value);
  own_.columnNames.push_back(std::move(name));
  own_.endColumn(column.cost, lower, upper);
}

/// The given columns; further parts of their numbers, by column, are returned.
std::vector<std::vector<ExactProblem::Column>> ExactProblem::copyColumns() {
  std::vector<std::vector<Column>> further(given_.columnLower.size());
  for (std::size_t j = 0; j < further.size(); ++j) {
    int const before = columnPower_[j];
    Column first;
    auto const part = [&](std::size_t k) -> Column& {
      if (k == 0) return first;
      if (further[j].size() < k) further[j].resize(k);
      return further[j][k - 1];
    };
    for (auto const [i, a] : given_.matrix.column(static_cast<int>(j))) {
      std::vector<double> const parts = partsOf(shortestDecimal(a), rowPower_[at(i)] - before);
      for (std::size_t k = 0; k < parts.size(); ++k) part(k).entries.emplace_back(i, parts[k]);
    }
    std::vector<double> const costs =
        partsOf(shortestDecimal(given_.objective[j]), costPower_ - before);
    for (std::size_t k = 0; k < costs.size(); ++k) part(k).cost = costs[k];
    addColumn(first, given_.columnName(static_cast<int>(j)), boundOf(given_.columnLower[j], before),
              boundOf(given_.columnUpper[j], before));
  }
  return further;
}

/// The sides of rows and the offset; their further parts belong to columns that are 1.
std::vector<ExactProblem::Column> ExactProblem::copySides() {
  std::vector<double> const offset = partsOf(shortestDecimal(given_.objectiveOffset), costPower_);
  own_.objectiveOffset = offset[0];
  std::vector<Column> ones(offset.size() - 1);
  for (std::size_t k = 1; k < offset.size(); ++k) ones[k - 1].cost = offset[k];
  moved_.assign(given_.rowLower.size(), 0.0);
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    double const lower = given_.rowLower[i], upper = given_.rowUpper[i];
    own_.rowNames.push_back(given_.rowName(static_cast<int>(i)));
    double const one = std::isfinite(lower) ? lower : upper;
    if (!std::isfinite(one) || (std::isfinite(lower) && std::isfinite(upper) && upper != lower)) {
      own_.addRow(boundOf(lower, rowPower_[i]), boundOf(upper, rowPower_[i]));
      continue;
    }
    std::vector<double> const parts = partsOf(shortestDecimal(one), rowPower_[i]);
    if (ones.size() + 1 < parts.size()) ones.resize(parts.size() - 1);
    for (std::size_t k = 1; k < parts.size(); ++k) {
      ones[k - 1].entries.emplace_back(static_cast<int>(i), -parts[k]);
      moved_[i] += parts[k];
    }
    own_.addRow(std::isfinite(lower) ? parts[0] : lower, std::isfinite(upper) ? parts[0] : upper);
  }
  return ones;
}

Basis ExactProblem::extended(Basis const& ofGiven) const {
  Basis basis = ofGiven;
  if (!scaled_ || basis.empty()) return basis;
  std::size_t const n = at(given_.columns()), copies = at(copies_);
  basis.columns.resize(n + copies, VariableStatus::basic);
  basis.columns.resize(at(own_.columns()), VariableStatus::atLower);
  basis.rows.resize(at(own_.rows()), VariableStatus::atLower);
  return basis;
}

Basis ExactProblem::restricted(Basis basis) const {
  if (!scaled_) return basis;
  basis.columns.resize(std::min(basis.columns.size(), at(given_.columns())));
  basis.rows.resize(std::min(basis.rows.size(), at(given_.rows())));
  return basis;
}

BasisCheck ExactProblem::check(Basis const& basis, Limits limits, Extras extras) const {
  BasisCheck check = checkBasis(lp(), basis, std::move(limits), extras);
  if (!scaled_) return check;
  std::size_t const n = at(given_.columns()), m = at(given_.rows());
  auto const column = [this](std::size_t j) { return -columnPower_[j]; };
  auto const row = [this](std::size_t i) { return rowPower_[i] - costPower_; };
  auto const cost = [this](std::size_t j) { return columnPower_[j] - costPower_; };
  std::vector<double> none;
  for (std::size_t i = 0; i < m && i < check.rowActivity.size(); ++i)
    check.rowActivity[i] += moved_[i];
  scaleNumbers(check.rowActivity, none, m, [this](std::size_t i) { return -rowPower_[i]; });
  scaleNumbers(check.columnValues, check.columnValuesLow, n, column);
  scaleNumbers(check.rowDuals, check.rowDualsLow, m, row);
  scaleNumbers(check.reducedCosts, none, n, cost);
  scaleTexts(check.columnFractions, n, column);
  scaleTexts(check.rowDualFractions, m, row);
  scaleTexts(check.reducedCostFractions, n, cost);
  if (check.objective.empty() || costPower_ == 0) return check;
  Rational objective;
  timesFives(objective, check.objective, -costPower_);
  fmpz const *const top = fmpq_numref(objective.value), *const bottom =
                                                            fmpq_denref(objective.value);
  check.objective = toFraction(top, bottom);
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
  auto const column = [this](std::size_t j) { return -columnPower_[j]; };
  auto const row = [this](std::size_t i) { return rowPower_[i]; };
  auto const cost = [this](std::size_t j) { return columnPower_[j]; };
  std::vector<double> none;
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
    scaleNumbers(own, none, own.size(), [this](std::size_t i) { return -rowPower_[i]; });
    own.resize(at(own_.rows()), 0.0);
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
    scaleNumbers(own, none, own.size(), [this](std::size_t j) { return columnPower_[j]; });
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
