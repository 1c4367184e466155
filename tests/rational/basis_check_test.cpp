// SPDX-License-Identifier: EPL-2.0
// Bases judged exactly: known optima, and bases that miss by one unit in the last place.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "osi_cuda/rational/basis_check.hpp"
#include "tests/rational/small_problem.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::rational {
namespace {

using testing::problemOf;
using testing::slackBasis;
using S = VariableStatus;

double above(double value) {
  return std::nextafter(value, infinity);
}

double below(double value) {
  return std::nextafter(value, -infinity);
}

/// max x + y, 3 x + y <= 4, x + 5 y <= 7, whose optimum (13/14, 17/14) has both columns basic.
struct Thirteenths {
  LinearProgram lp = problemOf({{3, 1}, {1, 5}}, 2);
  Basis basis{{S::basic, S::basic}, {S::atUpper, S::atUpper}};
  Thirteenths() {
    lp.sense = Sense::maximize;
    lp.objective = {1, 1};
    lp.rowUpper = {4, 7};
  }
};

BOOST_AUTO_TEST_SUITE(basis_check)

BOOST_AUTO_TEST_CASE(anOptimumByHand) {
  Thirteenths p;
  p.lp.objectiveOffset = 0.5;
  BasisCheck const check = checkBasis(p.lp, p.basis, {}, {.fractions = true});
  BOOST_TEST((check.outcome == Outcome::proved), check.message);
  BOOST_TEST(check.objective == "37/14");
  BOOST_TEST(check.digits == "2.64285714285714285714285714286");
  BOOST_TEST(check.objectiveValue == 37.0 / 14.0);
  BOOST_TEST(check.denominatorDigits == 2);
  BOOST_TEST(check.columnFractions == (std::vector<std::string>{"13/14", "17/14"}),
             boost::test_tools::per_element());
  BOOST_TEST(check.rowDualFractions == (std::vector<std::string>{"2/7", "1/7"}),
             boost::test_tools::per_element());
  BOOST_TEST(check.columnValues == (std::vector<double>{13.0 / 14.0, 17.0 / 14.0}),
             boost::test_tools::per_element());
  BOOST_TEST(check.rowActivity == (std::vector<double>{4, 7}), boost::test_tools::per_element());
  BOOST_TEST(check.rowDuals == (std::vector<double>{2.0 / 7.0, 1.0 / 7.0}),
             boost::test_tools::per_element());
  BOOST_TEST(check.reducedCosts == (std::vector<double>{0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(oneUnitInTheLastPlaceOfABoundIsTold) {
  // 13/14 lies between two doubles; the upper bound is the one below or above it.
  double const nearest = 13.0 / 14.0;
  double const lower =
      nearest * 14.0 <= 13.0 && std::fma(nearest, 14.0, -13.0) <= 0.0 ? nearest : below(nearest);
  Thirteenths p;
  p.lp.columnUpper[0] = above(lower);
  BOOST_TEST((checkBasis(p.lp, p.basis).outcome == Outcome::proved));
  p.lp.columnUpper[0] = lower;
  BasisCheck const check = checkBasis(p.lp, p.basis);
  BOOST_TEST((check.outcome == Outcome::refuted));
  BOOST_TEST_REQUIRE(check.primal.size() == 1u);
  BOOST_TEST(check.dual.size() == 0u);
  BOOST_TEST(check.primal[0].variable == 0);
  BOOST_TEST(check.primal[0].amount == -std::fma(lower, 14.0, -13.0) / 14.0);
  BOOST_TEST(check.primal[0].amount < 1.2e-16);
  BOOST_TEST(check.message.find("1 variable lies beyond a bound") != std::string::npos,
             check.message);
  BOOST_TEST(check.message.find("column C1") != std::string::npos, check.message);

  p.lp.columnUpper[0] = infinity;
  p.lp.columnLower[0] = lower;
  BOOST_TEST((checkBasis(p.lp, p.basis).outcome == Outcome::proved));
  p.lp.columnLower[0] = above(lower);
  BOOST_TEST(checkBasis(p.lp, p.basis).primal.size() == 1u);
}

BOOST_AUTO_TEST_CASE(oneUnitInTheLastPlaceOfACostIsTold) {
  // min x + c y + z over x + y + z = 1: y may stay out if its cost is not below 1.
  LinearProgram lp = problemOf({{1, 1, 1}}, 3);
  lp.rowLower = lp.rowUpper = {1};
  Basis const basis{{S::basic, S::atLower, S::atLower}, {S::atLower}};
  lp.objective = {1, 1, 1};
  BOOST_TEST((checkBasis(lp, basis).outcome == Outcome::proved));
  lp.objective[1] = below(1.0);
  BasisCheck const check = checkBasis(lp, basis);
  BOOST_TEST((check.outcome == Outcome::refuted));
  BOOST_TEST_REQUIRE(check.dual.size() == 1u);
  BOOST_TEST(check.dual[0].variable == 1);
  BOOST_TEST(check.dual[0].amount == 1.0 - below(1.0));
  BOOST_TEST(check.message.find("1 reduced cost has the wrong sign") != std::string::npos,
             check.message);
  lp.sense = Sense::maximize;  // then the one that is too dear is in its place
  BOOST_TEST((checkBasis(lp, basis).outcome == Outcome::proved));
  // A row: basic x = 1 pushes on an upper bound where the lower one is infinite.
  lp.sense = Sense::minimize;
  lp.objective = {1, 2, 2};
  lp.rowLower = {-infinity};
  BasisCheck const row = checkBasis(lp, basis);
  BOOST_TEST_REQUIRE(row.dual.size() == 1u);
  BOOST_TEST(row.dual[0].variable == 3);
  BOOST_TEST(row.dual[0].amount == 1.0);
}

BOOST_AUTO_TEST_CASE(randomProblemsAreProvedAndTheirChangesRefuted) {
  int optimal = 0, moved = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    testing::RandomLp const random = testing::randomLp(seed, {.status = Status::optimal});
    BasisCheck const check = checkBasis(random.lp, random.basis);
    BOOST_TEST((check.outcome == Outcome::proved), random.description << ": " << check.message);
    BOOST_TEST(check.objectiveValue == random.objective, random.description);
    BOOST_TEST(check.columnValues == random.x, boost::test_tools::per_element());
    ++optimal;
    // A bound of a basic column moves to the other side of its value.
    for (std::size_t j = 0; j < random.x.size(); ++j) {
      if (random.basis.columns[j] != S::basic) continue;
      LinearProgram lp = random.lp;
      lp.columnLower[j] = above(random.x[j]);
      BasisCheck const other = checkBasis(lp, random.basis);
      BOOST_TEST((other.outcome == Outcome::refuted), random.description);
      BOOST_TEST_REQUIRE(other.primal.size() == 1u, random.description);
      BOOST_TEST(other.primal[0].variable == static_cast<int>(j));
      BOOST_TEST(other.primal[0].amount == above(random.x[j]) - random.x[j]);
      lp.columnLower[j] = random.x[j];
      BOOST_TEST((checkBasis(lp, random.basis).outcome == Outcome::proved), random.description);
      ++moved;
    }
  }
  BOOST_TEST(optimal == 400);
  BOOST_TEST(moved > 200);
}

BOOST_AUTO_TEST_CASE(crossedAndInfiniteBounds) {
  Thirteenths p;
  p.lp.columnLower[0] = 2;
  p.lp.columnUpper[0] = 1;
  BOOST_TEST(checkBasis(p.lp, p.basis).primal.size() == 1u);
  p.basis = slackBasis(p.lp);  // nonbasic at 2, which is above 1
  BOOST_TEST(checkBasis(p.lp, p.basis).primal.size() >= 1u);
  Thirteenths q;
  q.lp.columnLower[1] = infinity;
  BasisCheck const check = checkBasis(q.lp, q.basis);
  BOOST_TEST((check.outcome == Outcome::refuted));
  BOOST_TEST(check.primal[0].amount == infinity);
}

BOOST_AUTO_TEST_CASE(whereNonbasicVariablesRest) {
  LinearProgram lp = problemOf({{1, 1, 1, 1}}, 4);
  lp.columnLower = {1, -infinity, -infinity, 3};
  lp.columnUpper = {2, 5, infinity, infinity};
  // At bounds that are not there: at the other one; without bounds at 0.
  Basis const basis{{S::atUpper, S::atLower, S::atLower, S::atUpper}, {S::basic}};
  BOOST_TEST(checkBasis(lp, basis).columnValues == (std::vector<double>{2, 5, 0, 3}),
             boost::test_tools::per_element());
  Basis const free{{S::free, S::free, S::free, S::free}, {S::basic}};
  BOOST_TEST(checkBasis(lp, free).columnValues == (std::vector<double>{1, 5, 0, 3}),
             boost::test_tools::per_element());
}

// min -1e-9 x + 3 y, x + y <= 4: beside the cost of y that of x is rounding.
BOOST_AUTO_TEST_CASE(largeCostsStayOutOfARemainder) {
  LinearProgram lp = problemOf({{1, 1}}, 2);
  lp.objective = {-1e-9, 3};
  lp.columnLower = {0, 0};
  lp.rowLower = {-infinity};
  lp.rowUpper = {4};
  BasisCheck const check = checkBasis(lp, slackBasis(lp), {}, {.remainder = true});
  BOOST_TEST((check.outcome == Outcome::refuted));
  BOOST_TEST_REQUIRE(check.remainder.has_value());
  LinearProgram const& rest = check.remainder->lp;
  BOOST_TEST(rest.objective[0] <= -0.5);
  BOOST_TEST(rest.columnUpper[0] == infinity);
  BOOST_TEST(rest.objective[1] == 0.0);
  BOOST_TEST(rest.columnUpper[1] == 0.0);
}

BOOST_AUTO_TEST_CASE(noBasisAtAll) {
  Thirteenths p;
  Basis shorter = p.basis;
  shorter.rows.pop_back();
  BOOST_TEST((checkBasis(p.lp, shorter).outcome == Outcome::notABasis));
  BOOST_TEST((checkBasis(p.lp, {}).outcome == Outcome::notABasis));
  Basis three = p.basis;
  three.rows[0] = S::basic;
  BasisCheck const check = checkBasis(p.lp, three);
  BOOST_TEST((check.outcome == Outcome::notABasis));
  BOOST_TEST(check.message == "The basis has 3 basic variables instead of 2.");
}

BOOST_AUTO_TEST_CASE(aSingularBasisIsNamed) {
  LinearProgram lp = problemOf({{1, 0.1}, {10, 1}}, 2);  // 0.1 is not a tenth
  Basis const basis{{S::basic, S::basic}, {S::atLower, S::atLower}};
  lp.rowLower = lp.rowUpper = {0, 0};
  BOOST_TEST((checkBasis(lp, basis).outcome == Outcome::proved));
  lp.matrix.values = {8, 16, 0.1, 0.2};
  BasisCheck const check = checkBasis(lp, basis);
  BOOST_TEST((check.outcome == Outcome::singular));
  BOOST_TEST_REQUIRE(check.dependent.size() == 2u);
  BOOST_TEST(check.dependent[0] < 2);
  BOOST_TEST(check.dependent[1] >= 2);
  BOOST_TEST(check.message.find("singular") != std::string::npos, check.message);
  // What it advises is a basis.
  Basis repaired = basis;
  repaired.columns[static_cast<std::size_t>(check.dependent[0])] = S::atLower;
  repaired.rows[static_cast<std::size_t>(check.dependent[1] - 2)] = S::basic;
  BOOST_TEST((checkBasis(lp, repaired).outcome == Outcome::proved));
}

BOOST_AUTO_TEST_CASE(emptyProblems) {
  LinearProgram const nothing = problemOf({}, 0);
  BOOST_TEST((checkBasis(nothing, slackBasis(nothing)).outcome == Outcome::proved));
  LinearProgram noRows = problemOf({}, 2);
  noRows.objective = {1, 0.25};
  noRows.columnLower = {3, 1};
  BasisCheck const check = checkBasis(noRows, slackBasis(noRows));
  BOOST_TEST((check.outcome == Outcome::proved));
  BOOST_TEST(check.objective == "13/4");
  noRows.objective[0] = -1;
  BOOST_TEST((checkBasis(noRows, slackBasis(noRows)).outcome == Outcome::refuted));
  LinearProgram noColumns = problemOf({{}, {}}, 0);
  BOOST_TEST((checkBasis(noColumns, slackBasis(noColumns)).outcome == Outcome::proved));
  noColumns.rowLower[1] = std::numeric_limits<double>::denorm_min();
  BasisCheck const beyond = checkBasis(noColumns, slackBasis(noColumns));
  BOOST_TEST_REQUIRE(beyond.primal.size() == 1u);
  BOOST_TEST(beyond.primal[0].variable == 1);
  BOOST_TEST(beyond.primal[0].amount == std::numeric_limits<double>::denorm_min());
}

BOOST_AUTO_TEST_CASE(extremeNumbers) {
  double const tiny = std::numeric_limits<double>::denorm_min(), huge = 1e300;
  // huge x + tiny y = 1, y >= huge: x = (1 - tiny huge) / huge
  LinearProgram lp = problemOf({{huge, tiny}}, 2);
  lp.rowLower = lp.rowUpper = {1};
  lp.columnLower = {0, huge};
  lp.objective = {huge, tiny};
  Basis const basis{{S::basic, S::atLower}, {S::atLower}};
  BasisCheck const check = checkBasis(lp, basis);
  // The costs are the row: y = 1, no other reduced cost.
  BOOST_TEST((check.outcome == Outcome::proved), check.message);
  BOOST_TEST(check.objective == "1");
  BOOST_TEST(check.columnValues[0] == 1e-300);
  lp.columnUpper[0] = below(1e-300);
  BOOST_TEST((checkBasis(lp, basis).outcome == Outcome::refuted));
}

BOOST_AUTO_TEST_CASE(limitsAreReported) {
  Thirteenths p;
  // So much work that the question is asked: a dense basis of 150 columns.
  std::size_t const size = 150;
  std::vector<std::vector<double>> rows(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      rows[i][j] = 1.0 / static_cast<double>(1 + (i * i + 7 * i * j + 3 * j) % 1009);
  LinearProgram lp = problemOf(rows, size);
  Basis const basis{std::vector<S>(size, S::basic), std::vector<S>(size, S::atLower)};
  Limits stop;
  stop.stop = [] { return true; };
  BasisCheck const stopped = checkBasis(lp, basis, stop);
  BOOST_TEST((stopped.outcome == Outcome::stopped));
  BOOST_TEST(!stopped.message.empty());
  Limits memory;
  memory.memory = 10000;
  BasisCheck const large = checkBasis(lp, basis, memory);
  BOOST_TEST((large.outcome == Outcome::tooLarge));
  BOOST_TEST(large.message.find("memory") != std::string::npos, large.message);
}

BOOST_AUTO_TEST_CASE(threadsLeaveNothingBehind) {
  // Numbers of 53 bits, so that integers outgrow a word.
  std::size_t const size = 12;
  std::vector<std::vector<double>> rows(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      rows[i][j] = 1.0 / static_cast<double>(1 + (i * i + 7 * i * j + 3 * j) % 1009);
  LinearProgram const lp = problemOf(rows, size);
  Basis const basis{std::vector<S>(size, S::basic), std::vector<S>(size, S::atLower)};
  auto const kilobytes = [] {
    std::ifstream statm("/proc/self/statm");
    long total = 0, resident = 0;
    statm >> total >> resident;
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
  };
  auto const runThreads = [&](int count) {
    for (int k = 0; k < count; ++k) std::thread([&] { checkBasis(lp, basis); }).join();
  };
  runThreads(20);
  long const before = kilobytes();
  runThreads(300);
  // 300 threads with what FLINT keeps would be some 60 MB. The address sanitizer keeps what is
  // freed for a while, and looks for leaks itself.
#ifdef __SANITIZE_ADDRESS__
  BOOST_TEST(before > 0);
#else
  BOOST_TEST(kilobytes() - before < 15000);
#endif
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::rational
