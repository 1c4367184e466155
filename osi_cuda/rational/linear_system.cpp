// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/linear_system.hpp"

#include <algorithm>
#include <cmath>
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

/// The positions of `names` below `size`; -1 where there is none.
std::vector<int> positionsOf(std::span<int const> names, int size) {
  std::vector<int> place(at(size), -1);
  for (size_t i = 0; i < names.size(); ++i) place[at(names[i])] = static_cast<int>(i);
  return place;
}

/// names[k] for each k of `places`
std::vector<int> chosen(std::vector<int> const& names, std::vector<int> const& places) {
  std::vector<int> result;
  for (int const k : places) result.push_back(names[at(k)]);
  return result;
}

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

/// The copies among these columns, each of one that is no copy itself.
std::vector<ColumnCopy> copiesIn(SparseMatrix const& matrix, std::span<int const> rows,
                                 std::span<int const> columns) {
  std::vector<int> const place = positionsOf(rows, matrix.rows);
  auto const visit = [&](int j, auto const& entry) {
    for (auto const [i, a] : matrix.column(columns[at(j)]))
      if (int const row = place[at(i)]; row >= 0 && a != 0.0) entry(row, a);
  };
  std::vector<ColumnCopy> pairs;
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) pairs.push_back({i, -1, -1, {}});
  std::vector<int> entriesOf(rows.size()), unitsOf(rows.size());
  for (int j = 0; j < static_cast<int>(columns.size()); ++j)
    visit(j, [&](int row, double a) {
      ++entriesOf[at(row)];
      unitsOf[at(row)] += std::fabs(a) == 1.0;
      (a > 0.0 ? pairs[at(row)].of : pairs[at(row)].copy) = j;
    });
  std::vector<int> columnOf(rows.size(), -1);  // the last one that was compared
  std::vector<char> isCopy(columns.size()), hasCopy(columns.size());
  std::vector<ColumnCopy> copies;
  for (size_t i = 0; i < rows.size(); ++i) {
    auto& [row, of, copy, entries] = pairs[i];
    bool const isPair = entriesOf[i] == 2 && unitsOf[i] == 2 && of >= 0 && copy >= 0;
    if (!isPair || isCopy[at(of)] || isCopy[at(copy)] || hasCopy[at(copy)]) continue;
    visit(of, [&](int k, double) { columnOf[at(k)] = of; });
    bool within = true;
    visit(copy, [&](int k, double a) {
      within = within && columnOf[at(k)] == of;
      if (k != row) entries.emplace_back(k, a);
    });
    if (!within) continue;
    isCopy[at(copy)] = hasCopy[at(of)] = 1;
    copies.push_back(std::move(pairs[i]));
  }
  return copies;
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

/// These rows and columns; `entries` are added to theirs.
IntegerPart integerPart(SparseMatrix const& matrix, std::span<int const> rows,
                        std::span<int const> columns, Watch& watch,
                        std::vector<PartEntry> entries = {}) {
  std::vector<int> const place = positionsOf(rows, matrix.rows);
  bool const more = !entries.empty();
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

  auto const order = [](PartEntry const& e) { return std::pair(e.column, e.row); };
  if (more) std::ranges::sort(entries, {}, order);
  IntegerMatrix byColumns{static_cast<int>(columns.size()), static_cast<int>(rows.size())};
  byColumns.starts.assign(columns.size() + 1, 0);
  byColumns.values = Integers(entries.size());
  Integer number;
  for (size_t e = 0; e < entries.size(); ++e) {
    Dyadic const& value = entries[e].value;
    if (e == 0 || order(entries[e]) != order(entries[e - 1])) {
      byColumns.indices.push_back(entries[e].row);
      ++byColumns.starts[at(entries[e].column) + 1];
    }
    fmpz_set_si(number.get(), value.mantissa);
    fmpz_mul_2exp(number.get(), number.get(), static_cast<ulong>(value.exponent));
    fmpz* const sum = byColumns.values[byColumns.indices.size() - 1];
    fmpz_add(sum, sum, number.get());
    watch.spend(workOfEntry);
  }
  std::partial_sum(byColumns.starts.begin(), byColumns.starts.end(), byColumns.starts.begin());
  part.matrix = transposed(byColumns);
  return part;
}

}  // namespace

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
      copies_(copiesIn(matrix, rows_, columns_)),
      watch_(watch) {
  std::vector<int> rowsOfCopies, copies;
  for (ColumnCopy const& copy : copies_) {
    rowsOfCopies.push_back(copy.row);
    copies.push_back(copy.copy);
  }
  keptRows_ = others(rows_.size(), rowsOfCopies);
  keptColumns_ = others(columns_.size(), copies);
  std::vector<int> const row = positionsOf(keptRows_, static_cast<int>(rows_.size())),
                         column = positionsOf(keptColumns_, static_cast<int>(columns_.size()));
  std::vector<PartEntry> more;
  for (ColumnCopy const& copy : copies_)
    for (auto const& [i, a] : copy.entries) {
      more.push_back({row[at(i)], column[at(copy.of)], exactly(a)});
      shift_ = std::max(shift_, -more.back().value.exponent);
    }
  part_ = integerPart(matrix, chosen(rows_, keptRows_), chosen(columns_, keptColumns_), watch,
                      std::move(more));
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
  std::vector<int> const restRows = others(keptRows_.size(), factors.pivotRows());
  std::vector<int> const restColumns = others(keptColumns_.size(), factors.pivotColumns());
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
  dependentRows_ = chosen(rows_, chosen(keptRows_, restRows));
  dependentColumns_ = chosen(columns_, chosen(keptColumns_, restColumns));
  return true;
}

// P = D_r A D_c: with A x = b, P (D_c^-1 x) = D_r b, and likewise with the transposed.
Fractions LinearSystem::solvePart(Fractions const& b, bool transposed) const {
  std::vector<int> const& before = transposed ? part_.columnShifts : part_.rowShifts;
  std::vector<int> const& after = transposed ? part_.rowShifts : part_.columnShifts;
  int into = 0, outOf = 0;
  Integers const right = shifted(b.numerators, before, into);
  Fractions x = lifted(part_.matrix, *factors_, *field_, watch_, right, transposed);
  x.numerators = shifted(std::move(x.numerators), after, outOf);
  scale(x, into + outOf, b.denominator.get());
  return x;
}

// A copy is x_of - b_row: what its entries add of b_row is known. In the transposed system the
// equations of a column and of its copies are added, and that of a copy alone gives y_row.
Fractions LinearSystem::solve(Fractions const& b, bool transposed) const {
  if (copies_.empty()) return solvePart(b, transposed);
  auto const& from = transposed ? keptColumns_ : keptRows_;
  auto const& to = transposed ? keptRows_ : keptColumns_;
  auto const shift = static_cast<ulong>(shift_);
  Integers sides = b.numerators;
  for (size_t k = 0; k < sides.size(); ++k) fmpz_mul_2exp(sides[k], sides[k], shift);
  for (ColumnCopy const& copy : copies_) {
    if (transposed) {
      fmpz_add(sides[at(copy.of)], sides[at(copy.of)], sides[at(copy.copy)]);
      continue;
    }
    for (auto const& [i, a] : copy.entries) {
      Integer known;
      addTimes(known, a, b.numerators[at(copy.row)], shift_);
      fmpz_add(sides[at(i)], sides[at(i)], known.get());
    }
  }
  Fractions right{Integers(from.size()), b.denominator};
  fmpz_mul_2exp(right.denominator.get(), right.denominator.get(), shift);
  for (size_t k = 0; k < from.size(); ++k) fmpz_swap(right.numerators[k], sides[at(from[k])]);
  Fractions const inner = solvePart(right, transposed);
  Fractions x{Integers(b.numerators.size()), inner.denominator};
  fmpz_mul_2exp(x.denominator.get(), x.denominator.get(), shift);
  Integer unit;  // the denominator of x over that of b
  fmpz_divexact(unit.get(), x.denominator.get(), b.denominator.get());
  for (size_t k = 0; k < to.size(); ++k) fmpz_set(x.numerators[at(to[k])], inner.numerators[k]);
  for (ColumnCopy const& copy : copies_) {
    fmpz* const value = x.numerators[at(transposed ? copy.row : copy.copy)];
    Integer sum;
    if (transposed)
      for (auto const& [i, a] : copy.entries) addTimes(sum, a, x.numerators[at(i)], shift_);
    else
      fmpz_mul_2exp(sum.get(), x.numerators[at(copy.of)], shift);
    fmpz_submul(sum.get(), b.numerators[at(transposed ? copy.copy : copy.row)], unit.get());
    fmpz_swap(value, sum.get());
  }
  for (int const k : to) fmpz_mul_2exp(x.numerators[at(k)], x.numerators[at(k)], shift);
  return x;
}

}  // namespace osi_cuda::rational
