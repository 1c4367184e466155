// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/exact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/dyadic.hpp"

namespace osi_cuda::rational {
namespace {

/// The same without the factors of two.
void removeTwos(fmpz* whole) {
  if (!fmpz_is_zero(whole)) fmpz_tdiv_q_2exp(whole, whole, fmpz_val2(whole));
}

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

}  // namespace osi_cuda::rational
