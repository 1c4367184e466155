// SPDX-License-Identifier: EPL-2.0
// Doubles as rationals and back, and rationals as text.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "osi_cuda/rational/dyadic.hpp"

namespace osi_cuda::rational {
namespace {

constexpr double denormal = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

/// value 2^shift as an integer
Integer scaled(double value, int shift) {
  Integer sum;
  Integer const one(1);
  addTimes(sum, value, one.get(), shift);
  return sum;
}

Integer integer(std::string const& text) {
  Integer value;
  BOOST_TEST_REQUIRE(fmpz_set_str(value.get(), text.c_str(), 10) == 0);
  return value;
}

double nearest(std::string const& numerator, std::string const& denominator) {
  return toDouble(integer(numerator).get(), integer(denominator).get());
}

std::string digits(std::string const& numerator, std::string const& denominator) {
  return toDigits(integer(numerator).get(), integer(denominator).get());
}

BOOST_AUTO_TEST_SUITE(dyadic)

BOOST_AUTO_TEST_CASE(doublesAreTakenApart) {
  struct Case {
    double value;
    std::int64_t mantissa;
    int exponent;
  };
  for (Case const& c : {Case{0.0, 0, 0}, Case{-0.0, 0, 0}, Case{1.0, 1, 0}, Case{-12.0, -3, 2},
                        Case{0.1, 3602879701896397, -55}, Case{denormal, 1, -1074},
                        Case{-3 * denormal, -3, -1074}, Case{largest, (1LL << 53) - 1, 971}}) {
    Dyadic const exact = exactly(c.value);
    BOOST_TEST(exact.mantissa == c.mantissa, c.value);
    BOOST_TEST(exact.exponent == c.exponent, c.value);
  }
  std::vector<double> const values{0.0, 3.0, std::numeric_limits<double>::infinity(), 0.75};
  BOOST_TEST(lowestExponent(values, 0) == -2);
  BOOST_TEST(lowestExponent(values, -5) == -5);
}

BOOST_AUTO_TEST_CASE(sumsOfProductsAreExact) {
  // 0.1 * 0.1 - 0.01 is not 0: the doubles are not the decimals.
  Integer sum;
  addProduct(sum, 0.1, 0.1, 110);
  Integer const hundredth = scaled(0.01, 110);
  fmpz_sub(sum.get(), sum.get(), hundredth.get());
  // 3602879701896397^2 - 5764607523034235 * 2^(110 - 59), by hand
  Integer expected = integer("3602879701896397");
  fmpz_mul(expected.get(), expected.get(), expected.get());
  Integer subtrahend = integer("5764607523034235");
  fmpz_mul_2exp(subtrahend.get(), subtrahend.get(), 110 - 59);
  fmpz_sub(expected.get(), expected.get(), subtrahend.get());
  BOOST_TEST(fmpz_equal(sum.get(), expected.get()));
  BOOST_TEST(!fmpz_is_zero(sum.get()));
}

// Sums that cancel to a word or to nothing compare as what they are, in whatever form FLINT leaves
// them.
BOOST_AUTO_TEST_CASE(multiplesThatCancelCompareAsSmallNumbers) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    auto const word = static_cast<slong>(random() >> (1 + random() % 60));
    slong const signedWord = round % 2 == 0 ? word : -word;
    auto const rest = static_cast<slong>(random() % 5);
    Integer factor(static_cast<slong>(random() >> (1 + random() % 60)));
    if (round % 3 == 0) fmpz_mul_2exp(factor.get(), factor.get(), random() % 80);
    Integer sum(rest), other(rest), product;
    fmpz_mul_si(product.get(), factor.get(), signedWord);
    fmpz_sub(sum.get(), sum.get(), product.get());
    addMultiple(sum.get(), factor.get(), signedWord);
    fmpz_add(other.get(), other.get(), product.get());
    subtractMultiples(other.get(), factor.get(), 0, 1, [&](std::size_t) { return signedWord; });
    Integer const expected(rest);
    BOOST_TEST_REQUIRE(fmpz_equal(sum.get(), expected.get()));
    BOOST_TEST_REQUIRE(fmpz_equal(other.get(), expected.get()));
    BOOST_TEST_REQUIRE((fmpz_is_zero(sum.get()) != 0) == (rest == 0));
    BOOST_TEST_REQUIRE(fmpz_size(sum.get()) == fmpz_size(expected.get()));
  }
}

BOOST_AUTO_TEST_CASE(fractionsAreEnclosedByNeighbours) {
  auto const enclosed = [](std::string const& numerator, std::string const& denominator) {
    return enclosing(integer(numerator).get(), integer(denominator).get());
  };
  BOOST_TEST((enclosed("3", "4") == std::pair(0.75, 0.75)));
  BOOST_TEST((enclosed("0", "7") == std::pair(0.0, 0.0)));
  for (int numerator = -20; numerator <= 20; ++numerator) {
    for (int denominator : {3, 7, 10}) {
      if (numerator % denominator == 0) continue;
      if (denominator == 10 && numerator % 5 == 0) continue;  // halves
      auto const [lower, upper] = enclosed(std::to_string(numerator), std::to_string(denominator));
      BOOST_TEST(std::nextafter(lower, 100.0) == upper);
      long double const value = static_cast<long double>(numerator) / denominator;
      BOOST_TEST((lower < value && value < upper));
    }
  }
  std::string const huge = "1" + std::string(400, '0');
  BOOST_TEST((enclosed(huge, "1") == std::pair(largest, std::numeric_limits<double>::infinity())));
  BOOST_TEST((enclosed("1", huge) == std::pair(0.0, denormal)));
  BOOST_TEST((enclosed("-1", huge) == std::pair(-denormal, -0.0)));
}

BOOST_AUTO_TEST_CASE(everyDoubleComesBack) {
  std::mt19937_64 random(7);
  Integer one(1), unit;
  fmpz_mul_2exp(unit.get(), one.get(), 1074);
  int finite = 0;
  for (int k = 0; k < 3000; ++k) {
    std::uint64_t bits = random();
    if (k % 3 == 0) bits &= 0x800fffffffffffffULL;  // denormal
    auto const value = std::bit_cast<double>(bits);
    if (!std::isfinite(value)) continue;
    ++finite;
    BOOST_TEST(toDouble(scaled(value, 1074).get(), unit.get()) == value);
  }
  BOOST_TEST(finite > 2500);
}

BOOST_AUTO_TEST_CASE(roundingIsToNearestAndTiesToEven) {
  BOOST_TEST(nearest("1", "3") == 1.0 / 3.0);
  BOOST_TEST(nearest("-2", "3") == -2.0 / 3.0);
  BOOST_TEST(nearest("9007199254740993", "1") == 9007199254740992.0);  // 2^53 + 1: a tie, down
  BOOST_TEST(nearest("9007199254740995", "1") == 9007199254740996.0);  // 2^53 + 3: a tie, up
  // 2^53 + 1 and 10^-41: no tie any more.
  std::string const zeros(39, '0');
  BOOST_TEST(nearest("9007199254740993" + zeros + "01", "100" + zeros) == 9007199254740994.0);
  BOOST_TEST(nearest("18014398509481983", "1") == 18014398509481984.0);  // carries into a new bit
  Integer const one(1);
  Integer power;
  fmpz_setbit(power.get(), 1075);
  BOOST_TEST(toDouble(one.get(), power.get()) == 0.0);  // half the smallest: a tie, to 0
  Integer const three(3);
  BOOST_TEST(toDouble(three.get(), power.get()) == 2 * denormal);  // 1.5 of the smallest: to 2
  Integer huge;
  fmpz_setbit(huge.get(), 1024);
  BOOST_TEST(toDouble(huge.get(), one.get()) == std::numeric_limits<double>::infinity());
  fmpz_sub_ui(huge.get(), huge.get(), 1);
  BOOST_TEST(toDouble(huge.get(), one.get()) == std::numeric_limits<double>::infinity());
  BOOST_TEST(toDouble(Integer().get(), one.get()) == 0.0);
  BOOST_TEST(toDouble(scaled(largest, 0).get(), one.get()) == largest);
}

BOOST_AUTO_TEST_CASE(fractionsAreInLowestTerms) {
  BOOST_TEST(toFraction(integer("-6").get(), integer("4").get()) == "-3/2");
  BOOST_TEST(toFraction(integer("8").get(), integer("4").get()) == "2");
  BOOST_TEST(toFraction(integer("0").get(), integer("4").get()) == "0");
}

BOOST_AUTO_TEST_CASE(thirtyDigits) {
  BOOST_TEST(digits("0", "7") == "0");
  BOOST_TEST(digits("1", "3") == "0.333333333333333333333333333333");
  BOOST_TEST(digits("-2", "3") == "-0.666666666666666666666666666667");
  BOOST_TEST(digits("-464753", "1000") == "-464.753");
  BOOST_TEST(digits("1000", "1") == "1000");
  BOOST_TEST(digits("1", "100000") == "0.00001");
  BOOST_TEST(digits("1", "3000000") == "3.33333333333333333333333333333e-7");
  BOOST_TEST(digits("1", "1000000000000") == "1e-12");
  BOOST_TEST(digits("125", "100") == "1.25");
  BOOST_TEST(digits("1250000000000000000000000000000000000000000", "1") == "1.25e+42");
  // 30 nines and another digit carry into a new place.
  BOOST_TEST(digits("9999999999999999999999999999996", "10") == "1e+30");
  BOOST_TEST(digits("999999999999999999999999999999", "1") == "999999999999999999999999999999");
  BOOST_TEST(digits("999999999999999999999999999999999", "1000") == "1e+30");
  BOOST_TEST(digits("22", "7") == "3.14285714285714285714285714286");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::rational
