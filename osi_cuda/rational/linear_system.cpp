// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/linear_system.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "osi_cuda/rational/dyadic.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// What taking a double apart, or putting an entry somewhere, is beside a multiplication modulo a
/// prime.
constexpr std::int64_t workOfEntry = 8;

/// An entry of the part before it is an integer.
struct PartEntry {
  int row, column;  // by position
  Dyadic value;
};

/// shifts[k] = minus the least exponent of the entries at k, 0 without entries; takes it from them.
template <class PositionOf>
std::vector<int> shiftAway(std::vector<PartEntry>& entries, size_t size,
                           PositionOf const& positionOf) {
  constexpr int none = std::numeric_limits<int>::max();
  std::vector<int> shifts(size, none);
  for (PartEntry const& entry : entries) {
    int& least = shifts[at(positionOf(entry))];
    least = std::min(least, entry.value.exponent);
  }
  for (int& shift : shifts) shift = shift == none ? 0 : -shift;
  for (PartEntry& entry : entries) entry.value.exponent += shifts[at(positionOf(entry))];
  return shifts;
}

/// left[k] 2^(shifts[k] - least shift), less the powers of two that all have; those go into
/// `exponent`: times 2^exponent it is left[k] 2^shifts[k].
Integers shifted(Integers values, std::vector<int> const& shifts, int& exponent) {
  exponent = 0;
  if (values.size() == 0) return values;
  int const least = *std::ranges::min_element(shifts);
  for (size_t k = 0; k < values.size(); ++k)
    fmpz_mul_2exp(values[k], values[k], static_cast<ulong>(shifts[k] - least));
  auto zeros = std::numeric_limits<ulong>::max();
  for (size_t k = 0; k < values.size(); ++k)
    if (!fmpz_is_zero(values[k])) zeros = std::min(zeros, fmpz_val2(values[k]));
  if (zeros == std::numeric_limits<ulong>::max()) return values;
  for (size_t k = 0; k < values.size(); ++k) fmpz_fdiv_q_2exp(values[k], values[k], zeros);
  exponent = least + static_cast<int>(zeros);
  return values;
}

/// x 2^exponent / by
void scale(Fractions& x, int exponent, fmpz const* by) {
  auto const size = static_cast<ulong>(exponent >= 0 ? exponent : -exponent);
  if (exponent >= 0)
    for (size_t k = 0; k < x.numerators.size(); ++k)
      fmpz_mul_2exp(x.numerators[k], x.numerators[k], size);
  else
    fmpz_mul_2exp(x.denominator.get(), x.denominator.get(), size);
  fmpz_mul(x.denominator.get(), x.denominator.get(), by);
}

/// The positions below `size` that are not among `taken`.
std::vector<int> others(size_t size, std::vector<int> const& taken) {
  std::vector<char> isTaken(size, 0);
  for (int const k : taken) isTaken[at(k)] = 1;
  std::vector<int> rest;
  for (size_t k = 0; k < size; ++k)
    if (!isTaken[k]) rest.push_back(static_cast<int>(k));
  return rest;
}

}  // namespace

IntegerPart integerPart(SparseMatrix const& matrix, std::span<int const> rows,
                        std::span<int const> columns, Watch& watch) {
  std::vector<int> place(at(matrix.rows), -1);
  for (size_t i = 0; i < rows.size(); ++i) place[at(rows[i])] = static_cast<int>(i);
  std::vector<PartEntry> entries;
  for (size_t j = 0; j < columns.size(); ++j) {
    auto const line = matrix.column(columns[j]);
    for (auto const [i, a] : line) {
      int const row = place[at(i)];
      if (row >= 0 && a != 0.0) entries.push_back({row, static_cast<int>(j), exactly(a)});
    }
    watch.spend(workOfEntry * static_cast<std::int64_t>(line.size()));
  }
  IntegerPart part;
  part.rowShifts =
      shiftAway(entries, rows.size(), [](PartEntry const& entry) { return entry.row; });
  part.columnShifts =
      shiftAway(entries, columns.size(), [](PartEntry const& entry) { return entry.column; });

  IntegerMatrix byColumns{static_cast<int>(columns.size()), static_cast<int>(rows.size())};
  byColumns.starts.assign(columns.size() + 1, 0);
  byColumns.values = Integers(entries.size());
  for (size_t e = 0; e < entries.size(); ++e) {
    Dyadic const& value = entries[e].value;
    fmpz_set_si(byColumns.values[e], value.mantissa);
    fmpz_mul_2exp(byColumns.values[e], byColumns.values[e], static_cast<ulong>(value.exponent));
    byColumns.indices.push_back(entries[e].row);
    ++byColumns.starts[at(entries[e].column) + 1];
    watch.spend(workOfEntry);
  }
  std::partial_sum(byColumns.starts.begin(), byColumns.starts.end(), byColumns.starts.begin());
  part.matrix = transposed(byColumns);
  return part;
}

IndependentPart independentPart(SparseMatrix const& matrix, std::span<int const> rows,
                                std::span<int const> columns, Watch& watch) {
  // Independent modulo a prime is independent; a prime that hides some is all but impossible, and
  // then the part is only smaller.
  PrimeField const field(nextPrime(0));
  IntegerPart const part = integerPart(matrix, rows, columns, watch);
  SparseLuMod const factors(modulo(part.matrix, field), field, watch);
  return {factors.pivotRows(), factors.pivotColumns()};
}

LinearSystem::LinearSystem(SparseMatrix const& matrix, std::vector<int> rows,
                           std::vector<int> columns, Watch& watch)
    : rows_(std::move(rows)),
      columns_(std::move(columns)),
      watch_(watch),
      part_(integerPart(matrix, rows_, columns_, watch)) {
  for (ulong prime = nextPrime(0);; prime = nextPrime(prime)) {
    PrimeField const field(prime);
    auto factors = std::make_unique<SparseLuMod>(modulo(part_.matrix, field), field, watch_);
    if (factors->rank() == part_.matrix.rows) {
      field_ = field;
      factors_ = std::move(factors);
      return;
    }
    if (provedSingular(*factors, field)) return;
  }
}

bool LinearSystem::provedSingular(SparseLuMod const& factors, PrimeField const& field) {
  std::vector<int> const restRows = others(rows_.size(), factors.pivotRows());
  std::vector<int> const restColumns = others(columns_.size(), factors.pivotColumns());
  // The pivots' rows and columns R, C are regular: w = P[R, C]^-1 P[R, j] is unique, and column j
  // depends on the columns C if and only if P[i, C] w = P[i, j] in the other rows as well.
  IntegerMatrix const regular = part(part_.matrix, factors.pivotRows(), factors.pivotColumns());
  SparseLuMod const regularFactors(modulo(regular, field), field, watch_);
  std::vector<int> const column{restColumns.front()};
  auto const entriesOf = [&](std::vector<int> const& rows) {
    IntegerMatrix const lines = part(part_.matrix, rows, column);
    Integers values(rows.size());
    for (size_t i = 0; i < rows.size(); ++i)
      if (lines.starts[i + 1] > lines.starts[i])
        fmpz_set(values[i], lines.values[at(lines.starts[i])]);
    return values;
  };
  Fractions const w =
      lifted(regular, regularFactors, field, watch_, entriesOf(factors.pivotRows()));
  IntegerMatrix const below = part(part_.matrix, restRows, factors.pivotColumns());
  Integers const wanted = entriesOf(restRows);
  Integer right;
  for (size_t i = 0; i < restRows.size(); ++i) {
    Integer const left = rowTimes(below, static_cast<int>(i), w.numerators);
    fmpz_mul(right.get(), wanted[i], w.denominator.get());
    if (!fmpz_equal(left.get(), right.get())) return false;
  }
  for (int const i : restRows) dependentRows_.push_back(rows_[at(i)]);
  for (int const j : restColumns) dependentColumns_.push_back(columns_[at(j)]);
  return true;
}

// P = D_r A D_c: with A x = b, P (D_c^-1 x) = D_r b, and likewise with the transposed.
Fractions LinearSystem::solve(Fractions const& b, bool transposed) const {
  std::vector<int> const& before = transposed ? part_.columnShifts : part_.rowShifts;
  std::vector<int> const& after = transposed ? part_.rowShifts : part_.columnShifts;
  int into = 0, outOf = 0;
  Integers const right = shifted(b.numerators, before, into);
  Fractions x = lifted(part_.matrix, *factors_, *field_, watch_, right, transposed);
  x.numerators = shifted(std::move(x.numerators), after, outOf);
  scale(x, into + outOf, b.denominator.get());
  return x;
}

}  // namespace osi_cuda::rational
