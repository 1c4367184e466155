// SPDX-License-Identifier: EPL-2.0
// What a verifier in plain long doubles would pass, and must not.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/exact_sum.hpp"
#include "osi_cuda/proof/formulas.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::randomLp;
using proof::Bounded;
using proof::Parts;

namespace {

/// One row with these coefficients; columns between 0 and infinity, costs 0.
LinearProgram oneRow(std::vector<double> coefficients, double lower, double upper) {
  LinearProgram lp;
  std::size_t const n = coefficients.size();
  lp.matrix.rows = 1;
  lp.matrix.columns = static_cast<int>(n);
  lp.matrix.starts.clear();
  for (std::size_t j = 0; j <= n; ++j) lp.matrix.starts.push_back(static_cast<std::int64_t>(j));
  lp.matrix.indices.assign(n, 0);
  lp.matrix.values = std::move(coefficients);
  lp.objective.assign(n, 0.0);
  lp.columnLower.assign(n, 0.0);
  lp.columnUpper.assign(n, infinity);
  lp.rowLower = {lower};
  lp.rowUpper = {upper};
  return lp;
}

Solution point(std::vector<double> x, std::vector<double> y) {
  Solution solution;
  solution.columnValues = std::move(x);
  solution.rowDuals = std::move(y);
  return solution;
}

/// Numbers of all sizes between 2^-60 and 2^60.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}
  double operator()() {
    double const mantissa = random_.between(-1.0, 1.0);
    return std::ldexp(mantissa, random_.whole(-60, 60));
  }
  int below(int n) { return random_.below(n); }

 private:
  testing::Random random_;
};

/// Whether `sum` is within the error of `found`.
bool encloses(Bounded const& found, proof::ExactSum sum) {
  sum.add(found.value, -1.0);
  return sum.value().most() <= found.error * (1.0 + 1e-12);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verifier)

BOOST_AUTO_TEST_CASE(whatIsNoNumberIsWorst) {
  BOOST_TEST(proof::worse(1.0, 2.0) == 2.0);
  BOOST_TEST(proof::worse(2.0, 1.0) == 2.0);
  BOOST_TEST(proof::worse(1.0, std::nan("")) == infinity);
  BOOST_TEST(proof::worse(std::nan(""), 1.0) == infinity);
  BOOST_TEST(proof::worse(infinity, std::nan("")) == infinity);
}

// A value of 1 that may be 1 + 1e-20, at a bound of 1.
BOOST_AUTO_TEST_CASE(violationsIncludeTheRoundingOfSums) {
  BOOST_TEST(proof::violationOf(Bounded(DoubleDouble(1.0), 1e-20), 0.0, 1.0) >= 0.5e-20);
  BOOST_TEST(proof::violationOf(Bounded(DoubleDouble(1.0, -1e-19), 1e-20), 0.0, 1.0) == 0.0);
  BOOST_TEST(proof::violationOf(Bounded(DoubleDouble(1.0, 1e-19)), 0.0, 1.0) >= 0.5e-19);
  BOOST_TEST(proof::violationOf(Bounded(1.0), 0.0, 1.0) == 0.0);
}

BOOST_AUTO_TEST_CASE(productsBeyondLongDoublesAreSummed) {
  // 2^50 - a (2^50 - 2^17) = -1.5e-5, where each product has 103 bits
  LinearProgram lp = oneRow({1.0, -1.0000000001164153218269348144531}, 0.0, 0.0);
  BOOST_TEST(residualsOf(lp, point({0x1p50, 0x1p50 - 131072.0}, {0.0})).primal >= 1.4e-5);
}

BOOST_AUTO_TEST_CASE(termsThatCancelBeyondPairsAreSummedExactly) {
  LinearProgram lp = oneRow({0x1p200, 0x1p100, 1.0, -0x1p200, -0x1p100}, 1.0, 1.0);
  Solution const ones = point({1.0, 1.0, 1.0, 1.0, 1.0}, {0.0});
  BOOST_TEST(residualsOf(lp, ones).primal == 0.0);
  lp.rowLower = lp.rowUpper = {0.0};
  BOOST_TEST(residualsOf(lp, ones).primal >= 1.0);
}

BOOST_AUTO_TEST_CASE(everySumIsWithinItsError) {
  int inexact = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Numbers number(seed);
    int const m = 1 + number.below(6), n = 1 + number.below(90);
    LinearProgram lp;
    lp.matrix.rows = m;
    lp.matrix.columns = n;
    std::vector<proof::ExactSum> rows(static_cast<std::size_t>(m)), columns;
    std::vector<double> x, y;
    for (int i = 0; i < m; ++i) y.push_back(number());
    for (int j = 0; j < n; ++j) {
      x.push_back(number());
      columns.emplace_back();
      for (int i = 0; i < m; ++i) {
        if (number.below(3) == 0) continue;
        double const a = number();
        lp.matrix.indices.push_back(i);
        lp.matrix.values.push_back(a);
        rows[static_cast<std::size_t>(i)].add(a, x.back());
        columns.back().add(a, y[static_cast<std::size_t>(i)]);
      }
      lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.values.size()));
    }
    Parts const whole(x, {}), multipliers(y, {});
    auto const found = productsOf(lp.matrix, &whole, &multipliers);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      BOOST_TEST(encloses(found.activity[i], rows[i]), "row " << i << ", seed " << seed);
      inexact += found.activity[i].error > 0.0;
    }
    for (std::size_t j = 0; j < columns.size(); ++j)
      BOOST_TEST(encloses(found.product[j], columns[j]), "column " << j << ", seed " << seed);
    // A row that has to equal the nearest pair of its activity is missed by what that leaves.
    lp.objective.assign(x.size(), 0.0);
    lp.columnLower = lp.columnUpper = x;
    lp.rowLower.assign(rows.size(), -infinity);
    lp.rowUpper.assign(rows.size(), infinity);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double const bound = found.activity.value[i].hi;
      lp.rowLower[i] = lp.rowUpper[i] = bound;
      rows[i].add(bound, -1.0);
      BOOST_TEST(residualsOf(lp, point(x, {})).primal * (1.0 + std::fabs(bound)) * (1.0 + 1e-15) >=
                     std::fabs(rows[i].value().value.hi),
                 "row " << i << ", seed " << seed);
      lp.rowLower[i] = -infinity;
      lp.rowUpper[i] = infinity;
    }
  }
  BOOST_TEST(inexact > 100);
}

// Several lines at a time, of all lengths; zeros, numbers whose products vanish, and low parts.
BOOST_AUTO_TEST_CASE(everySumOfDenseLinesIsWithinItsError) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Numbers number(seed);
    int const step = seed % 3 == 0 ? 8 : 1;  // lines that fill registers, and others
    int const m = step * (1 + number.below(40 / step)), n = step * (1 + number.below(40 / step));
    bool const tiny = seed % 4 == 0;  // every product loses digits
    auto const drawn = [&](int rare) {
      int const kind = number.below(rare);
      int exponent = 0;
      double const a = tiny ? std::ldexp(std::frexp(number(), &exponent), -495) : number();
      if (tiny) return a;
      return kind == 0 ? 0.0 : kind == 1 ? std::ldexp(a, -500) : kind == 2 ? a * 0x1p-1000 : a;
    };
    auto const vector = [&](int length, int rare) {
      std::vector<double> numbers;
      for (int i = 0; i < length; ++i) numbers.push_back(drawn(rare));
      return numbers;
    };
    auto const value = vector(m * n, 20), x = vector(n, 6), y = vector(m, 6);
    std::vector<double> xLow = x, yLow = y;
    for (auto* const low : {&xLow, &yLow})
      for (double& a : *low) a = number.below(2) ? 0.0 : std::ldexp(a, -54);
    bool const both = number.below(2) == 0;
    Parts const point(x, both ? std::span<double const>(xLow) : std::span<double const>()),
        multipliers(y, both ? std::span<double const>(yLow) : std::span<double const>());
    bool const byRows = number.below(2) == 0;
    SparseMatrix const matrix = denseMatrix(m, n, value.data(), byRows, nullptr);
    auto const found = productsOf(matrix, &point, &multipliers);
    auto const entry = [&](int i, int j) {
      return value[static_cast<std::size_t>(byRows ? i * n + j : j * m + i)];
    };
    for (int i = 0; i < m; ++i) {
      proof::ExactSum sum;
      for (int j = 0; j < n; ++j) sum.add(point[static_cast<std::size_t>(j)], entry(i, j));
      BOOST_TEST(encloses(found.activity[static_cast<std::size_t>(i)], sum), "seed " << seed);
    }
    for (int j = 0; j < n; ++j) {
      proof::ExactSum sum;
      for (int i = 0; i < m; ++i) sum.add(multipliers[static_cast<std::size_t>(i)], entry(i, j));
      BOOST_TEST(encloses(found.product[static_cast<std::size_t>(j)], sum), "seed " << seed);
    }
  }
}

// The rounding of A'y is one number for all columns there: the sanitizers see who reads one for
// each.
BOOST_AUTO_TEST_CASE(columnsOfAnArrayByRowsRestOnTheirBoundsAsOthersDo) {
  constexpr int m = 2, n = 40;
  std::vector<double> const value(m * n, 0.25);
  LinearProgram lp;
  lp.objective.assign(n, 1.0);
  lp.columnLower.assign(n, -1.0);
  lp.columnUpper.assign(n, infinity);
  lp.rowLower.assign(m, -infinity);
  lp.rowUpper.assign(m, 0.0);
  for (bool const byRows : {true, false}) {
    lp.matrix = denseMatrix(m, n, value.data(), byRows, nullptr);
    auto const found = proof::assess(lp, point(std::vector<double>(n, -1.0), {0.0, 0.0}));
    BOOST_TEST(found.residuals.largest() == 0.0);
    BOOST_TEST(found.enclosure.lower == -n);
  }
}

// min y - 1e-10 x, x + y <= 2e12, 0 <= x <= 1e12: the point 0 misses the optimum by 100.
BOOST_AUTO_TEST_CASE(aWrongCostCountsByTheWidthOfItsBox) {
  LinearProgram lp = oneRow({1.0, 1.0}, -infinity, 2e12);
  lp.objective = {1.0, -1e-10};
  lp.columnUpper[1] = 1e12;
  auto const found = proof::assess(lp, point({0.0, 0.0}, {0.0}));
  BOOST_TEST(found.residuals.dual <= 1.1e-10);
  BOOST_TEST(found.residuals.complementarity >= 100.0);
  BOOST_TEST(found.residuals.complementarity <= 100.1);
  BOOST_TEST(found.enclosure.lower <= -100.0);
  BOOST_TEST(found.enclosure.lower >= -100.1);
  BOOST_TEST(found.enclosure.upper == 0.0);
}

BOOST_AUTO_TEST_CASE(aPointThatMissesABoundClosesNoEnclosure) {
  LinearProgram lp = oneRow({1.0}, 1.0, 2.0);
  lp.objective = {1.0};
  auto const found = proof::assess(lp, point({1.0 - 0x1p-53}, {1.0}));
  BOOST_TEST(found.enclosure.lower <= 1.0);
  BOOST_TEST(found.enclosure.lower >= 1.0 - 0x1p-52);
  BOOST_TEST(found.enclosure.upper == infinity);
}

// c - a y = 0.3 - 0.1 * 3 is the rounding of y, or of c: only the enclosure counts it.
BOOST_AUTO_TEST_CASE(theRoundingOfMultipliersCountsInTheEnclosureOnly) {
  LinearProgram lp = oneRow({0.1}, 0.0, 0.0);
  lp.objective = {0.3};
  lp.columnUpper[0] = 1e12;
  auto const found = proof::assess(lp, point({0.0}, {3.0}));
  BOOST_TEST(found.residuals.largest() <= 1e-15);
  BOOST_TEST(found.enclosure.lower < -1e-6);
  BOOST_TEST(found.enclosure.lower > -1e-4);
  BOOST_TEST(found.enclosure.upper == 0.0);
}

// min x, x - 1e-17 z >= 1, 0 <= z: no multipliers bound z, but z + x <= 10 does.
BOOST_AUTO_TEST_CASE(boundsThatRowsImplyCloseTheEnclosure) {
  LinearProgram lp = oneRow({1.0, -1e-17}, 1.0, infinity);
  lp.matrix = {2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1.0, 1.0, 1e-17, 1.0}};
  lp.rowLower = {1.0, -infinity};
  lp.rowUpper = {infinity, 10.0};
  lp.objective = {1.0, 0.0};
  Solution const solution = point({1.0, 0.0}, {1.0, 0.0});  // d of z: -1e-17
  BOOST_TEST(proof::assess(lp, solution).enclosure.lower == -infinity);
  double const closed = proof::boundOf(lp, solution.rowDuals, proof::impliedBounds(lp, 4));
  BOOST_TEST(closed <= 1.0 - 1e-17);
  BOOST_TEST(closed >= 1.0 - 1e-15);
  lp.sense = Sense::maximize;
  lp.objective = {-1.0, 0.0};
  BOOST_TEST(proof::boundOf(lp, std::vector{-1.0, 0.0}, proof::impliedBounds(lp, 4)) == -closed);
}

BOOST_AUTO_TEST_CASE(boundsThatRowsImplyCoverUnderflow) {
  // x - a w <= 0 with 0 <= w <= b: x <= a b, which is 1e-330 and no double.
  LinearProgram lp = oneRow({1.0, -1e-170}, -infinity, 0.0);
  lp.columnUpper[1] = 1e-160;
  BOOST_TEST(proof::impliedBounds(lp, 2).columnUpper[0] > 0.0);
  BOOST_TEST(proof::impliedBounds(lp, 2).columnUpper[0] < 1e-290);
  BOOST_TEST(proof::impliedBounds(lp, 2).rowLower[0] < 0.0);
}

// Threads have rows of a full array, and all columns of a sparse matrix: the sums are the same.
BOOST_AUTO_TEST_CASE(boundsThatRowsImplyAreTheSameOfAFullArray) {
  int const m = 1000, n = 700;
  std::vector<double> numbers(at(m * n));
  testing::Random random(4);
  for (double& number : numbers) number = random.between(0.001, 1.0);
  // Rows 1, 3, ... leave one column of theirs without a bound.
  for (int i = 1; i < m; i += 2) numbers[at(i + m * (i % n))] *= -1.0;
  LinearProgram full;
  full.objective.assign(n, 1.0);
  full.columnLower.assign(n, 0.0);
  full.columnUpper.assign(n, infinity);
  for (int j = 0; j < n; j += 3) full.columnUpper[at(j)] = 1.0 / (j + 1);
  full.rowLower.assign(m, -infinity);
  full.rowUpper.assign(m, 5.0);
  full.matrix = denseMatrix(m, n, numbers.data(), false, nullptr);
  LinearProgram sparse = full;
  sparse.matrix.makeSparse();
  auto const a = proof::impliedBounds(full, 3), b = proof::impliedBounds(sparse, 3);
  BOOST_TEST((a.columnUpper == b.columnUpper));
  BOOST_TEST((a.rowLower == b.rowLower));
  BOOST_TEST((a.rowUpper == b.rowUpper));
  BOOST_TEST(std::ranges::count(a.rowLower, -infinity) == 0);
  BOOST_TEST(std::ranges::count(full.columnUpper, infinity) > 400);
}

BOOST_AUTO_TEST_CASE(anEndThatOverflowsIsInfinite) {
  Bounded const wide(DoubleDouble(-1.7e308), 1.7e308);
  BOOST_TEST(proof::roundedDown(wide) == -infinity);
  BOOST_TEST(proof::roundedUp(-wide) == infinity);
  BOOST_TEST(proof::roundedUp(wide) >= 0.0);
}

BOOST_AUTO_TEST_CASE(exactAnswersHaveAnEnclosureOfNoWidth) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    auto const made = randomLp(seed);
    if (made.expected != Status::optimal) continue;
    auto const enclosure = proof::assess(made.lp, point(made.x, made.y)).enclosure;
    BOOST_TEST(enclosure.lower == made.objective, made.description);
    BOOST_TEST(enclosure.upper == made.objective, made.description);
  }
}

BOOST_AUTO_TEST_CASE(aStepThatIsNoNumberProvesNothing) {
  LinearProgram lp = oneRow({1e200, -1e200}, 0.0, 1.0);
  lp.objective = {-1.0, 0.0};
  BOOST_TEST(verifyRay(lp, std::vector{0.0, 0.0}, std::vector{1.0, 1.0}).proved);
  BOOST_TEST(!verifyRay(lp, std::vector{0.0, 0.0}, std::vector{1e200, 1e200}).proved);
}

// max x, x = 1e21 y, 0 <= y <= 1: bounded, however little y moves beside x.
BOOST_AUTO_TEST_CASE(noColumnMayApproachABound) {
  LinearProgram lp = oneRow({1.0, -1e21}, 0.0, 0.0);
  lp.sense = Sense::maximize;
  lp.objective = {1.0, 0.0};
  lp.columnLower[0] = -infinity;
  lp.columnUpper[1] = 1.0;
  std::vector<double> ray{1e21, 1.0}, none;
  BOOST_TEST(!verifyRay(lp, std::vector{0.0, 0.0}, ray).proved);
  proof::clearRounding(lp, 1e-20, ray, none);
  BOOST_CHECK((ray == std::vector{1e21, 0.0}));
  BOOST_TEST(!verifyRay(lp, std::vector{0.0, 0.0}, ray).proved);
}

// The bound is 0.1 * 3 = 0.3 + 1.6e-17, as rationals.
BOOST_AUTO_TEST_CASE(boundsAreRoundedToTheSafeSide) {
  LinearProgram lp = oneRow({1.0}, 0.1, infinity);
  lp.objective = {3.0};
  auto const proof = verifyBound(lp, std::vector{3.0}, 0.2, 1e-9);
  BOOST_TEST(proof.proved);
  BOOST_TEST(std::fma(3.0, 0.1, -proof.bound) >= 0.0);
  BOOST_TEST(std::fma(3.0, 0.1, -proof.bound) <= 1e-16);
  BOOST_TEST(!verifyBound(lp, std::vector{3.0}, std::nextafter(0.3, 1.0), 1e-9).proved);
}

// Multipliers whose products underflow: no proof that is nothing but zeros.
BOOST_AUTO_TEST_CASE(underflowProvesNothing) {
  LinearProgram lp = oneRow({1e-30}, 1.0, infinity);
  lp.columnUpper[0] = 1e290;
  BOOST_TEST(!verifyFarkas(lp, std::vector{1e-300}).proved);
  lp.columnUpper[0] = 1e20;
  BOOST_TEST(verifyFarkas(lp, std::vector{1.0}).proved);
}

BOOST_AUTO_TEST_SUITE_END()
