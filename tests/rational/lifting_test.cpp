// SPDX-License-Identifier: EPL-2.0
// Exact solves against known fractions and against FLINT's own solver for dense matrices.
#include <flint/fmpz_mat.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/linear_system.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

using Rows = std::vector<std::vector<double>>;

SparseMatrix sparse(Rows const& rows) {
  SparseMatrix matrix;
  matrix.rows = static_cast<int>(rows.size());
  matrix.columns = rows.empty() ? 0 : static_cast<int>(rows[0].size());
  for (size_t j = 0; j < static_cast<size_t>(matrix.columns); ++j) {
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i][j] == 0.0) continue;
      matrix.indices.push_back(static_cast<int>(i));
      matrix.values.push_back(rows[i][j]);
    }
    matrix.starts.push_back(static_cast<std::int64_t>(matrix.indices.size()));
  }
  return matrix;
}

std::vector<int> all(size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// A system of all rows and columns, with a watch of its own.
struct System {
  explicit System(Rows const& rows, Limits const& limits = {})
      : watch(limits),
        matrix(sparse(rows)),
        system(matrix, all(rows.size()), all(rows.size()), watch) {}
  Watch watch;
  SparseMatrix matrix;
  LinearSystem system;
};

Fractions vectorOf(std::vector<long> const& values, long denominator = 1) {
  Fractions result{Integers(values.size()), Integer(denominator)};
  for (size_t k = 0; k < values.size(); ++k) fmpz_set_si(result.numerators[k], values[k]);
  return result;
}

std::string text(Fractions const& x, size_t k) {
  return toFraction(x.numerators[k], x.denominator.get());
}

/// Is A x = b, or A'x = b? A is of integers.
bool solves(Rows const& rows, Fractions const& x, Fractions const& b, bool transposed) {
  Integer right;
  for (size_t i = 0; i < rows.size(); ++i) {
    Integer left;
    for (size_t j = 0; j < rows.size(); ++j) {
      auto const entry = static_cast<slong>(transposed ? rows[j][i] : rows[i][j]);
      addMultiple(left.get(), x.numerators[j], entry);
    }
    fmpz_mul(left.get(), left.get(), b.denominator.get());
    fmpz_mul(right.get(), b.numerators[i], x.denominator.get());
    if (!fmpz_equal(left.get(), right.get())) return false;
  }
  return true;
}

BOOST_AUTO_TEST_SUITE(lifting)

BOOST_AUTO_TEST_CASE(aSmallSystemByHand) {
  // 3 x + y / 2 = 1, x - 4 y = 2: x = 0.4, y = -0.4
  System s({{3.0, 0.5}, {1.0, -4.0}});
  BOOST_TEST_REQUIRE(s.system.regular());
  Fractions const x = s.system.solve(vectorOf({1, 2}));
  BOOST_TEST(text(x, 0) == "2/5");
  BOOST_TEST(text(x, 1) == "-2/5");
  // 3 u + v = 1, u / 2 - 4 v = 2; all by 3
  Fractions const y = s.system.solve(vectorOf({1, 2}, 3), true);
  BOOST_TEST(text(y, 0) == "4/25");
  BOOST_TEST(text(y, 1) == "-11/75");
}

BOOST_AUTO_TEST_CASE(hilbert12) {
  // lcm(1..23) / (i + j - 1) is an integer below 2^53; the inverse of the Hilbert matrix is known:
  // (-1)^(i+j) (i+j-1) C(n+i-1, n-j) C(n+j-1, n-i) C(i+j-2, i-1)^2.
  int const n = 12;
  double const lcm = 5354228880.0;
  Rows rows(n, std::vector<double>(n));
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j)
      rows[static_cast<size_t>(i - 1)][static_cast<size_t>(j - 1)] = lcm / (i + j - 1);
  System s(rows);
  BOOST_TEST_REQUIRE(s.system.regular());
  for (int column = 1; column <= n; column += 5) {
    std::vector<long> unit(static_cast<size_t>(n), 0);
    unit[static_cast<size_t>(column - 1)] = static_cast<long>(lcm);
    Fractions const x = s.system.solve(vectorOf(unit));
    for (int i = 1; i <= n; ++i) {
      Integer expected(i + column - 1), factor;
      auto const times = [&](int top, int bottom) {
        fmpz_bin_uiui(factor.get(), static_cast<ulong>(top), static_cast<ulong>(bottom));
        fmpz_mul(expected.get(), expected.get(), factor.get());
      };
      times(n + i - 1, n - column);
      times(n + column - 1, n - i);
      times(i + column - 2, i - 1);
      times(i + column - 2, i - 1);
      if ((i + column) % 2 == 1) fmpz_neg(expected.get(), expected.get());
      BOOST_TEST(text(x, static_cast<size_t>(i - 1)) ==
                 toFraction(expected.get(), Integer(slong{1}).get()));
    }
  }
}

BOOST_AUTO_TEST_CASE(randomMatricesAgainstFlint) {
  std::mt19937_64 random(3);
  int regular = 0, singular = 0;
  for (int k = 0; k < 300; ++k) {
    auto const n = 1 + random() % 14;
    auto const wide = static_cast<std::int64_t>(k % 3 == 0 ? 1000000000000 : 3);
    Rows rows(n, std::vector<double>(n, 0.0));
    for (auto& row : rows)
      for (double& value : row)
        if (random() % 2 == 0)
          value = static_cast<double>(
              static_cast<std::int64_t>(random() % static_cast<ulong>(2 * wide + 1)) - wide);
    std::vector<long> b(n);
    for (long& value : b) value = static_cast<long>(random() % 2001) - 1000;

    fmpz_mat_t matrix, right, x;
    fmpz_mat_init(matrix, static_cast<slong>(n), static_cast<slong>(n));
    fmpz_mat_init(right, static_cast<slong>(n), 1);
    fmpz_mat_init(x, static_cast<slong>(n), 1);
    for (size_t i = 0; i < n; ++i) {
      fmpz_set_si(fmpz_mat_entry(right, i, 0), b[i]);
      for (size_t j = 0; j < n; ++j) fmpz_set_d(fmpz_mat_entry(matrix, i, j), rows[i][j]);
    }
    Integer denominator;
    bool const solvable = fmpz_mat_solve(x, denominator.get(), matrix, right) != 0;
    System s(rows);
    BOOST_TEST_REQUIRE(s.system.regular() == solvable, "matrix " << k);
    ++(solvable ? regular : singular);
    if (solvable) {
      if (fmpz_sgn(denominator.get()) < 0) {
        fmpz_neg(denominator.get(), denominator.get());
        fmpz_mat_neg(x, x);
      }
      Fractions const own = s.system.solve(vectorOf(b));
      for (size_t i = 0; i < n; ++i)
        BOOST_TEST(text(own, i) == toFraction(fmpz_mat_entry(x, i, 0), denominator.get()),
                   "matrix " << k);
      BOOST_TEST(solves(rows, s.system.solve(vectorOf(b), true), vectorOf(b), true),
                 "matrix " << k);
    } else {
      BOOST_TEST(s.system.dependentColumns().size() == s.system.dependentRows().size());
      BOOST_TEST(!s.system.dependentColumns().empty());
    }
    fmpz_mat_clear(matrix);
    fmpz_mat_clear(right);
    fmpz_mat_clear(x);
  }
  BOOST_TEST(regular > 150);
  BOOST_TEST(singular > 20);
}

BOOST_AUTO_TEST_CASE(aPrimeThatDividesTheDeterminantIsToldFromSingular) {
  // p = q 2^30 + r is the determinant of ((2^30, -r), (1, q)), and then times the next prime, too.
  ulong const prime = nextPrime(0), next = nextPrime(prime);
  auto const pair = [](ulong p) {
    constexpr ulong power = ulong{1} << 30;
    ulong const q = p / power, r = p % power;
    return std::vector<double>{static_cast<double>(power), -static_cast<double>(r), 1.0,
                               static_cast<double>(q)};
  };
  std::vector<double> const a = pair(prime), b = pair(next);
  Rows const rows{{a[0], a[1], 0, 0}, {a[2], a[3], 5, 0}, {0, 0, b[0], b[1]}, {0, 0, b[2], b[3]}};
  System s(rows);
  BOOST_TEST_REQUIRE(s.system.regular());
  Fractions const right = vectorOf({1, 2, 3, 4});
  BOOST_TEST(solves(rows, s.system.solve(right), right, false));
  BOOST_TEST(solves(rows, s.system.solve(right, true), right, true));
}

BOOST_AUTO_TEST_CASE(nearlySingularIsNotSingular) {
  double const above = 1.0 + std::ldexp(1.0, -52);
  System nearly({{1.0, 1.0}, {1.0, above}});
  BOOST_TEST(nearly.system.regular());
  BOOST_TEST(text(nearly.system.solve(vectorOf({0, 1})), 1) == "4503599627370496");
  System singular({{1.0, 0.1, 0.0}, {3.0, 0.1 + 0.2, 0.0}, {0.0, 0.0, 1.0}});
  BOOST_TEST(singular.system.regular());  // 0.1 + 0.2 is not 3 * 0.1 in doubles
  System tenths({{2.0, 0.2, 0.0}, {1.0, 0.1, 0.0}, {0.0, 0.0, 1.0}});
  BOOST_TEST(!tenths.system.regular());
  BOOST_TEST(tenths.system.dependentColumns().size() == 1u);
  System empty(Rows{});
  BOOST_TEST(empty.system.regular());
  BOOST_TEST(empty.system.solve(vectorOf({})).numerators.size() == 0u);
}

BOOST_AUTO_TEST_CASE(extremeNumbers) {
  double const tiny = std::numeric_limits<double>::denorm_min(), huge = 1e300;
  System s({{tiny, 0.0, huge}, {0.0, huge, 1.0}, {1.0, tiny, tiny}});
  BOOST_TEST_REQUIRE(s.system.regular());
  Fractions const x = s.system.solve(vectorOf({1, 2, 3}));
  // Row 2: huge x1 + x2 = 2, in units of tiny.
  Integer left, right;
  addTimes(left, huge, x.numerators[1], 0);
  fmpz_add(left.get(), left.get(), x.numerators[2]);
  fmpz_mul_si(right.get(), x.denominator.get(), 2);
  BOOST_TEST(fmpz_equal(left.get(), right.get()));
  // Row 3: x0 + tiny (x1 + x2) = 3
  Integer sum;
  fmpz_add(sum.get(), x.numerators[1], x.numerators[2]);
  Integer third;
  fmpz_mul_2exp(third.get(), x.numerators[0], 1074);
  addTimes(third, tiny, sum.get(), 1074);
  fmpz_mul_si(right.get(), x.denominator.get(), 3);
  fmpz_mul_2exp(right.get(), right.get(), 1074);
  BOOST_TEST(fmpz_equal(third.get(), right.get()));
}

// Only what the fractions have in common is long: each is formed from few digits.
BOOST_AUTO_TEST_CASE(partsHaveDenominatorsOfTheirOwn) {
  size_t const n = 301;
  Rows rows(n, std::vector<double>(n, 0.0));
  std::vector<long> ones(n, 1);
  for (size_t k = 0; k < n; ++k) rows[k][k] = static_cast<double>((size_t{1} << 31) + 2 * k + 1);
  rows[1][0] = 5.0;
  Limits limits;
  limits.memory = 400000;  // all digits of the common denominator take 3 MB
  System s(rows, limits);
  for (bool const transposed : {false, true}) {
    Fractions const x = s.system.solve(vectorOf(ones), transposed);
    for (size_t k = 2; k < n; ++k)
      BOOST_TEST(text(x, k) == "1/" + std::to_string(static_cast<long>(rows[k][k])));
    BOOST_TEST(solves(rows, x, vectorOf(ones), transposed));
  }
}

BOOST_AUTO_TEST_CASE(copiesAreAddedToTheirColumns) {
  // x + 2^-60 z = 1, x - z = 0
  System s({{1.0, 0x1p-60}, {1.0, -1.0}});
  BOOST_TEST(s.system.entries() == 2);
  Fractions const x = s.system.solve(vectorOf({1, 0}));
  BOOST_TEST(text(x, 0) == "1152921504606846976/1152921504606846977");
  BOOST_TEST(text(x, 1) == text(x, 0));
  Fractions const y = s.system.solve(vectorOf({1, 0}), true);
  BOOST_TEST(text(y, 0) == text(x, 0));
  BOOST_TEST(text(y, 1) == "1/1152921504606846977");
  // Columns 2 and 3 are copies of the first; the last row would make the second a copy of the
  // fifth, which lacks some of its rows.
  Rows const rows{
      {3, 2, 8, 0, 0}, {1, 5, 0, 16, 0}, {1, 0, -1, 0, 0}, {1, 0, 0, -1, 0}, {0, -1, 0, 0, 1}};
  System several(rows);
  Fractions const b = vectorOf({1, 2, 4, -7, 11}, 3);
  for (bool const transposed : {false, true})
    BOOST_TEST(solves(rows, several.system.solve(b, transposed), b, transposed));
  System singular({{1, 1, 1}, {1, 1, 1}, {1, 0, -1}});
  BOOST_TEST_REQUIRE(!singular.system.regular());
  BOOST_TEST(singular.system.dependentColumns()[0] < 2);
  BOOST_TEST(singular.system.dependentRows()[0] < 2);
}

BOOST_AUTO_TEST_CASE(limitsAreKept) {
  std::mt19937_64 random(9);
  Rows rows(120, std::vector<double>(120));
  for (auto& row : rows)
    for (double& value : row) value = static_cast<double>(random() >> 11);
  Limits stop;
  int asked = 0;
  stop.stop = [&] { return ++asked > 1; };
  auto const solveAll = [&](Limits const& limits) {
    System s(rows, limits);
    s.system.solve(vectorOf(std::vector<long>(rows.size(), 1)));
  };
  BOOST_CHECK_THROW(solveAll(stop), Stopped);
  BOOST_TEST(asked == 2);
  Limits memory;
  memory.memory = 100000;
  BOOST_CHECK_THROW(solveAll(memory), TooLarge);
  BOOST_CHECK_NO_THROW(solveAll({}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::rational
