// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/exact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/rational/dyadic.hpp"

namespace osi_cuda::rational {
namespace {

/// The same without the factors of two.
void removeTwos(fmpz* whole) {
  if (!fmpz_is_zero(whole)) fmpz_tdiv_q_2exp(whole, whole, fmpz_val2(whole));
}

constexpr flint_bitcnt_t mostBits = 1000;  ///< of a whole number that is to be a double

/// A whole number over a power of two as a sum of doubles, the largest first. Throws
/// std::range_error where a double cannot hold a part.
std::vector<double> partsOf(Rational rest) {
  std::vector<double> parts;
  while (rest.sign() != 0) {
    double const part = toDouble(rest.numerator(), rest.denominator());
    if (!std::isfinite(part) || part == 0.0)
      throw std::range_error("a number is too large or too small for doubles");
    parts.push_back(part);
    rest += Rational(-part);
  }
  if (parts.empty()) parts.push_back(0.0);
  return parts;
}

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

/// What makes rationals whole numbers over powers of two.
class ExactProblem::Multiple {
 public:
  void add(Rational const& number) {
    if (number.sign() == 0) return;
    fmpz_lcm(denominators_.get(), denominators_.get(), number.denominator());
    fmpz_gcd(numerators_.get(), numerators_.get(), number.numerator());
  }
  /// The least such number without factors of two; or less what the whole numbers have in common.
  /// A power of two brings it near 1. Throws std::range_error where no double comes near it.
  Rational factor(bool least = false) const {
    Rational result(1.0);
    fmpz_set(fmpq_numref(result.get()), denominators_.get());
    if (least && !fmpz_is_zero(numerators_.get()))
      fmpz_set(fmpq_denref(result.get()), numerators_.get());
    removeTwos(fmpq_numref(result.get()));
    removeTwos(fmpq_denref(result.get()));
    auto const top = fmpz_bits(result.numerator()), bottom = fmpz_bits(result.denominator());
    if (std::max(top, bottom) > mostBits)
      throw std::range_error("a common denominator is beyond the doubles");
    fmpq_canonicalise(result.get());
    if (top > bottom)
      fmpq_div_2exp(result.get(), result.get(), top - bottom);
    else
      fmpq_mul_2exp(result.get(), result.get(), bottom - top);
    return result;
  }

 private:
  Integer denominators_{1}, numerators_;
};

ExactProblem::ExactProblem(LinearProgram const& given, ExactNumbers numbers,
                           Meanings const* fractions)
    : given_(given), fractions_(fractions ? *fractions : Meanings()), numbers_(numbers) {
  if (numbers == ExactNumbers::doubles) return;
  if (numbers == ExactNumbers::automatic && fractions_.empty()) return;
  try {
    chooseFactors();
    if (decimals_ > 0) copyNumbers();  // else the doubles are what they stand for
    scaled_ = decimals_ > 0;
  } catch (std::range_error const& e) {
    decimals_ = 0;
    fault_ = e.what();
  }
  meant_.clear();
}

Rational const& ExactProblem::meant(double number) {
  auto const [at, isNew] = meant_.try_emplace(number);
  if (isNew) at->second = fractions_.meaningOf(number, numbers_);
  return at->second;
}

/// The factor of a variable with these bounds, whose other numbers are in `multiple`. Bounds that
/// are more than one double become rows of their own, but for one of a row, which may have parts.
Rational ExactProblem::factorOf(int variable, Multiple multiple) {
  double const lower = lowerBound(given_, variable), upper = upperBound(given_, variable);
  bool const isRow = variable >= given_.columns(),
             two = std::isfinite(lower) && std::isfinite(upper) && lower != upper;
  for (double const bound : {lower, upper}) {
    if (!std::isfinite(bound)) continue;
    note(bound);
    multiple.add(meant(bound));
    if (lower == upper) break;
  }
  Rational factor = multiple.factor();
  if ((isRow && !two) || cross(lower, upper)) return factor;
  auto const fits = [&](double bound) {
    return !std::isfinite(bound) || partsOf(meant(bound) * factor).size() == 1;
  };
  if (fits(lower) && fits(upper)) return factor;
  if (isRow) {
    twins_.push_back({variable, true});
    return factor;
  }
  factor = multiple.factor(true);
  if (!fits(lower)) twins_.push_back({variable, false});
  if (!fits(upper)) twins_.push_back({variable, true});
  return factor;
}

/// Of such bounds the numbers do not matter.
bool ExactProblem::cross(double lower, double upper) {
  return std::isfinite(lower) && std::isfinite(upper) && meant(lower) > meant(upper);
}

void ExactProblem::note(double number) {
  decimals_ += !(meant(number) == Rational(number));
}

void ExactProblem::chooseFactors() {
  std::size_t const m = given_.rowLower.size(), n = given_.columnLower.size();
  std::vector<Multiple> entries(m);
  Multiple costs;
  note(given_.objectiveOffset);
  costs.add(meant(given_.objectiveOffset));
  for (std::size_t j = 0; j < n; ++j) {
    column_.push_back(factorOf(static_cast<int>(j), {}));
    note(given_.objective[j]);
    costs.add(meant(given_.objective[j]) / column_[j]);
    for (auto const [i, a] : given_.matrix.column(static_cast<int>(j))) {
      note(a);
      entries[at(i)].add(meant(a) / column_[j]);
    }
  }
  cost_ = costs.factor();
  for (std::size_t i = 0; i < m; ++i) row_.push_back(factorOf(static_cast<int>(n + i), entries[i]));
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

void ExactProblem::addColumn(Column column, std::string name, double lower, double upper) {
  std::ranges::sort(column.entries);
  for (auto const& [row, value] : column.entries) own_.matrix.add(row, value);
  own_.columnNames.push_back(std::move(name));
  own_.endColumn(column.cost, lower, upper);
}

/// The given columns; further parts of their numbers, by column, are returned.
std::vector<std::vector<ExactProblem::Column>> ExactProblem::copyColumns() {
  std::vector<std::vector<Column>> further(given_.columnLower.size());
  for (std::size_t j = 0; j < further.size(); ++j) {
    Column first;
    auto const part = [&](std::size_t k) -> Column& {
      if (k == 0) return first;
      if (further[j].size() < k) further[j].resize(k);
      return further[j][k - 1];
    };
    for (auto const [i, a] : given_.matrix.column(static_cast<int>(j))) {
      std::vector<double> const parts = partsOf(meant(a) * row_[at(i)] / column_[j]);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        part(k).entries.emplace_back(i, parts[k]);
        if (int const row = twinOf(given_.columns() + i, true); row >= 0)
          part(k).entries.emplace_back(row, parts[k]);
      }
    }
    int const variable = static_cast<int>(j);
    double bounds[] = {given_.columnLower[j], given_.columnUpper[j]};
    for (bool const upper : {false, true}) {
      int const row = twinOf(variable, upper);
      if (row >= 0) first.entries.emplace_back(row, 1.0);
      bounds[upper] =
          row >= 0 ? (upper ? infinity : -infinity) : boundOf(bounds[upper], column_[j]);
    }
    std::vector<double> const costs = partsOf(meant(given_.objective[j]) * cost_ / column_[j]);
    for (std::size_t k = 0; k < costs.size(); ++k) part(k).cost = costs[k];
    if (cross(given_.columnLower[j], given_.columnUpper[j]))
      std::tie(bounds[0], bounds[1]) = std::pair(1.0, 0.0);
    addColumn(std::move(first), given_.columnName(variable), bounds[0], bounds[1]);
  }
  return further;
}

/// A bound that is one double; infinite ones stay.
double ExactProblem::boundOf(double bound, Rational const& factor) {
  return std::isfinite(bound) ? partsOf(meant(bound) * factor)[0] : bound;
}

/// The sides of rows and the offset; their further parts belong to columns that are 1.
std::vector<ExactProblem::Column> ExactProblem::copySides() {
  std::vector<double> const offset = partsOf(meant(given_.objectiveOffset) * cost_);
  own_.objectiveOffset = offset[0];
  std::vector<Column> ones(offset.size() - 1);
  for (std::size_t k = 1; k < offset.size(); ++k) ones[k - 1].cost = offset[k];
  moved_.assign(given_.rowLower.size() + twins_.size(), 0.0);
  auto const side = [&](double bound, Rational const& factor) {
    if (!std::isfinite(bound)) return bound;
    std::vector<double> const parts = partsOf(meant(bound) * factor);
    if (ones.size() + 1 < parts.size()) ones.resize(parts.size() - 1);
    for (std::size_t k = 1; k < parts.size(); ++k) {
      ones[k - 1].entries.emplace_back(own_.rows(), -parts[k]);
      moved_[at(own_.rows())] += parts[k];
    }
    return parts[0];
  };
  for (int i = 0; i < given_.rows(); ++i) {
    double const lower = given_.rowLower[at(i)], upper = given_.rowUpper[at(i)];
    own_.rowNames.push_back(given_.rowName(i));
    bool const twin = twinOf(given_.columns() + i, true) >= 0;
    if (cross(lower, upper)) {
      own_.addRow(1.0, 0.0);
      continue;
    }
    double const first = side(lower, row_[at(i)]);
    own_.addRow(first, twin ? infinity : lower == upper ? first : side(upper, row_[at(i)]));
  }
  for (auto const& [variable, upper] : twins_) {
    bool const isRow = variable >= given_.columns();
    Rational const& factor = isRow ? row_[at(variable - given_.columns())] : column_[at(variable)];
    double const bound =
        side(upper ? upperBound(given_, variable) : lowerBound(given_, variable), factor);
    own_.rowNames.push_back(variableName(given_, variable));
    own_.addRow(upper ? -infinity : bound, upper ? bound : infinity);
  }
  return ones;
}

/// The row that stands for a bound; -1: there is none.
int ExactProblem::twinOf(int variable, bool upper) const {
  auto const twin = std::ranges::find(twins_, Twin{variable, upper});
  return twin == twins_.end() ? -1 : given_.rows() + static_cast<int>(twin - twins_.begin());
}

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
