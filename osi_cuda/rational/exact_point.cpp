// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/exact_point.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/dyadic.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

double restingPlace(VariableStatus status, double lower, double upper) {
  bool const hasLower = std::isfinite(lower), hasUpper = std::isfinite(upper);
  if (hasUpper && (!hasLower || status == VariableStatus::atUpper)) return upper;
  return hasLower ? lower : 0.0;
}

/// The work of an operation on an integer, in words.
std::int64_t cost(fmpz const* value) {
  return static_cast<std::int64_t>(fmpz_size(value)) + 1;
}

/// Of a product of two doubles that is added to a sum, in multiplications of words.
constexpr std::int64_t workOfTerm = 30;

/// 2^shift
Integer powerOfTwo(int shift) {
  Integer power;
  fmpz_setbit(power.get(), static_cast<ulong>(shift));
  return power;
}

}  // namespace

int crossedVariable(LinearProgram const& lp) {
  for (int v = 0; v < lp.columns() + lp.rows(); ++v) {
    double const lower = lowerBound(lp, v), upper = upperBound(lp, v);
    if (lower > upper || lower == infinity || upper == -infinity) return v;
  }
  return -1;
}

std::string faultOf(LinearProgram const& lp, Basis const& basis) {
  if (basis.columns.size() != at(lp.columns()) || basis.rows.size() != at(lp.rows()))
    return "The basis belongs to a problem of another size.";
  auto const basics = std::ranges::count(basis.columns, VariableStatus::basic) +
                      std::ranges::count(basis.rows, VariableStatus::basic);
  if (basics == lp.rows()) return {};
  return "The basis has " + std::to_string(basics) + " basic variables instead of " +
         std::to_string(lp.rows()) + ".";
}

Placement placementOf(LinearProgram const& lp, Basis const& basis) {
  Placement placement;
  int const n = lp.columns(), m = lp.rows();
  placement.rest.assign(at(n) + at(m), 0.0);
  for (int v = 0; v < n + m; ++v) {
    VariableStatus const status = v < n ? basis.columns[at(v)] : basis.rows[at(v - n)];
    bool const basic = status == VariableStatus::basic;
    if (v < n && basic) placement.columns.push_back(v);
    if (v >= n && !basic) placement.rows.push_back(v - n);
    if (!basic) placement.rest[at(v)] = restingPlace(status, lowerBound(lp, v), upperBound(lp, v));
  }
  return placement;
}

namespace {

int lowestExponentOf(SparseMatrix const& matrix, Watch& watch) {
  int exponent = 0;
  ColumnReader read(matrix);
  for (int j = 0; j < matrix.columns; ++j) {
    auto const values = read(j);
    exponent = lowestExponent(values, exponent);
    watch.spend(2 * static_cast<std::int64_t>(values.size()));
  }
  return exponent;
}

/// `number` less what the entries of a line add that belong to given values, over 2^shift.
/// `place`: of what belongs to the system's solution, its place there, else -1.
void setRight(fmpz* right, double number, Column const& line, std::vector<int> const& place,
              std::span<double const> given, int shift) {
  Integer sum;
  for (auto const [k, a] : line)
    if (place[at(k)] < 0) addProduct(sum, a, given[at(k)], shift);
  fmpz_neg(sum.get(), sum.get());
  addTimes(sum, number, Integer(1).get(), shift);
  fmpz_swap(right, sum.get());
}

/// What all entries of a line add, over the solution's denominator times 2^shift.
Integer combined(Column const& line, std::vector<int> const& place, Fractions const& solution,
                 std::span<double const> given, int shift) {
  Integer sum, still;
  for (auto const [k, a] : line) {
    if (place[at(k)] >= 0)
      addTimes(sum, a, solution.numerators[at(place[at(k)])], shift);
    else
      addProduct(still, a, given[at(k)], shift);
  }
  fmpz_addmul(sum.get(), still.get(), solution.denominator.get());
  return sum;
}

}  // namespace

int lowestOfBounds(LinearProgram const& lp, int exponent) {
  for (auto const* bounds : {&lp.columnLower, &lp.columnUpper, &lp.rowLower, &lp.rowUpper})
    exponent = lowestExponent(*bounds, exponent);
  return exponent;
}

ExactPoint::ExactPoint(LinearProgram const& lp, LinearSystem const& system,
                       std::span<double const> given, Watch& watch)
    : lp_(lp),
      given_(given),
      watch_(watch),
      byRows_(lp.matrix.transposed()),
      place_(given.size(), -1) {
  int const n = lp.columns();
  for (size_t k = 0; k < system.columns().size(); ++k) {
    place_[at(system.columns()[k])] = static_cast<int>(k);
    place_[at(n + system.rows()[k])] = static_cast<int>(k);
  }
  shift_ = -lowestExponentOf(lp.matrix, watch) - lowestOfBounds(lp, lowestExponent(given, 0));

  Fractions right{Integers(system.rows().size()), powerOfTwo(shift_)};
  for (size_t k = 0; k < system.rows().size(); ++k) {
    int const row = system.rows()[k];
    setRight(right.numerators[k], given_[at(n + row)], byRows_.column(row), place_, given_, shift_);
    watch_.spend(workOfTerm * static_cast<std::int64_t>(byRows_.column(row).size() + 1));
  }
  solution_ = system.solve(right);
  fmpz_mul_2exp(unit_.get(), solution_.denominator.get(), static_cast<ulong>(shift_));
}

Integer ExactPoint::value(int variable) const {
  watch_.spend(cost(unit_.get()));
  int const n = lp_.columns();
  int const place = place_[at(variable)];
  bool const row = variable >= n;
  Integer sum;
  if (!row && place >= 0) {
    fmpz_mul_2exp(sum.get(), solution_.numerators[at(place)], static_cast<ulong>(shift_));
  } else if (!row || place >= 0) {
    addTimes(sum, given_[at(variable)], solution_.denominator.get(), shift_);
  } else {
    Column const line = byRows_.column(variable - n);
    sum = combined(line, place_, solution_, given_, shift_);
    watch_.spend(static_cast<std::int64_t>(line.size()) * cost(unit_.get()));
  }
  return sum;
}

Integer ExactPoint::less(Integer const& value, double bound) const {
  Integer difference;
  addTimes(difference, bound, solution_.denominator.get(), shift_);
  fmpz_sub(difference.get(), value.get(), difference.get());
  return difference;
}

Fractions ExactPoint::objective() const {
  int const costs =
      -std::min(lowestExponent(lp_.objective, 0), exactly(lp_.objectiveOffset).exponent);
  Integer sum;
  for (int j = 0; j < lp_.columns(); ++j)
    if (lp_.objective[at(j)] != 0.0) addTimes(sum, lp_.objective[at(j)], value(j).get(), costs);
  addTimes(sum, lp_.objectiveOffset, unit_.get(), costs);
  Fractions result{Integers(1), unit_};
  fmpz_swap(result.numerators[0], sum.get());
  fmpz_mul_2exp(result.denominator.get(), result.denominator.get(), static_cast<ulong>(costs));
  return result;
}

ExactDuals::ExactDuals(LinearProgram const& lp, LinearSystem const& system,
                       std::span<double const> wanted, std::span<double const> given, Watch& watch)
    : lp_(lp), given_(given), watch_(watch), place_(given.size(), -1) {
  for (size_t k = 0; k < system.rows().size(); ++k)
    place_[at(system.rows()[k])] = static_cast<int>(k);
  shift_ = -lowestExponentOf(lp.matrix, watch) -
           lowestExponent(lp.objective, lowestExponent(wanted, lowestExponent(given, 0)));

  Fractions right{Integers(system.columns().size()), powerOfTwo(shift_)};
  for (size_t k = 0; k < system.columns().size(); ++k) {
    int const column = system.columns()[k];
    Column const line = lp.matrix.column(column);
    setRight(right.numerators[k], wanted[at(column)], line, place_, given_, shift_);
    watch_.spend(workOfTerm * static_cast<std::int64_t>(line.size() + 1));
  }
  constexpr bool transposed = true;
  solution_ = system.solve(right, transposed);
  fmpz_mul_2exp(unit_.get(), solution_.denominator.get(), static_cast<ulong>(shift_));
}

Integer ExactDuals::multiplier(int row) const {
  watch_.spend(cost(unit_.get()));
  Integer result;
  int const place = place_[at(row)];
  if (place >= 0)
    fmpz_mul_2exp(result.get(), solution_.numerators[at(place)], static_cast<ulong>(shift_));
  else
    addTimes(result, given_[at(row)], solution_.denominator.get(), shift_);
  return result;
}

Integer ExactDuals::combination(int column) const {
  Column const line = lp_.matrix.column(column);
  watch_.spend(static_cast<std::int64_t>(line.size() + 1) * cost(unit_.get()));
  return combined(line, place_, solution_, given_, shift_);
}

Integer ExactDuals::reducedCost(int column) const {
  Integer result;
  addTimes(result, lp_.objective[at(column)], solution_.denominator.get(), shift_);
  fmpz_sub(result.get(), result.get(), combination(column).get());
  return result;
}

}  // namespace osi_cuda::rational
