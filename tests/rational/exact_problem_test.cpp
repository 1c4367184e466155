// SPDX-License-Identifier: EPL-2.0
// Proofs about decimals instead of doubles.
#include "osi_cuda/rational/exact_problem.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"

using namespace osi_cuda;

namespace {

LinearProgram parsed(std::string const& lpFile) {
  return readers::readText(lpFile, "test").lp;
}

Solution solved(LinearProgram const& lp, ExactNumbers numbers, Toggle presolve = Toggle::off) {
  Options options;
  options.exact = Toggle::on;
  options.exactNumbers = numbers;
  options.presolve = presolve;
  Solution solution = Solver(lp).solve(options);
  BOOST_TEST(solution.exact.proved, solution.exact.message);
  return solution;
}

std::string decimalOptimum(std::string const& lpFile) {
  LinearProgram const lp = parsed(lpFile);
  Solution const s = solved(lp, ExactNumbers::decimals);
  BOOST_TEST((s.status == Status::optimal));
  BOOST_TEST(s.objectiveEnclosure.lower <= s.objective);
  BOOST_TEST(s.objective <= s.objectiveEnclosure.upper);
  BOOST_TEST(s.residuals.largest() <= 1e-9);
  ExactCertificate const certificate = certificateOf(lp, s, {}, ExactNumbers::decimals);
  BOOST_TEST(certificate.proved);
  BOOST_TEST(certificate.objective == s.exact.objective);
  return s.exact.objective;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_problem)

BOOST_AUTO_TEST_CASE(numbersAreTheDecimalsOfTheFile) {
  std::string const file =
      "Minimize\n obj: 0.1 x + 0.2 y + 0.7\nSubject To\n c: 0.3 x + y >= 0.9\n"
      "Bounds\n y <= 0.6\nEnd\n";
  // x = 1, y = 0.6 costs 0.1 + 0.12 + 0.7
  BOOST_TEST(decimalOptimum(file) == "23/25");
  BOOST_TEST(solved(parsed(file), ExactNumbers::doubles).exact.objective != "23/25");
  BOOST_TEST(solved(parsed(file), ExactNumbers::automatic).exact.objective != "23/25");
}

// Rows that depend on each other, until doubles round them apart.
BOOST_AUTO_TEST_CASE(dependentRowsStayDependent) {
  std::string const file =
      "Maximize\n obj: y\nSubject To\n a: 0.1 x - 0.3 y = 0\n b: x - 3 y = 0\n"
      "Bounds\n y <= 1\nEnd\n";
  BOOST_TEST(decimalOptimum(file) == "1");
}

// 12345.6789012345 and 0.000123456789012345 in a row need more than the 53 bits of a double.
BOOST_AUTO_TEST_CASE(longNumbersAreSharedAmongCopies) {
  LinearProgram const lp = parsed(
      "Maximize\n obj: y\nSubject To\n c: 12345.6789012345 x + 0.000123456789012345 y <= "
      "1.00000000000001\nEnd\n");
  rational::ExactProblem const exact(lp, ExactNumbers::decimals);
  BOOST_TEST(exact.lp().columns() > lp.columns());
  BOOST_TEST(exact.decimals() == 3U);
  BOOST_TEST(decimalOptimum(
                 "Maximize\n obj: y\nSubject To\n c: 12345.6789012345 x + 0.000123456789012345 y "
                 "<= 1.00000000000001\nEnd\n") == "200000000000002000/24691357802469");
  BOOST_TEST(decimalOptimum("Minimize\n obj: 0.000123456789012345 x + 12345.6789012345 y\n"
                            "Subject To\n c: x + y >= 3\nEnd\n") ==
             "74074073407407/200000000000000000");
}

// A bound with more digits than doubles have, once it is whole, is one double in another unit.
// Pivots of doubles would not tell copies from their columns.
BOOST_AUTO_TEST_CASE(aRemainderHasNoCopies) {
  LinearProgram const lp = parsed(
      "Minimize\n obj: y - x\nSubject To\n"
      " c: 12345.6789012345 x + 0.000123456789012345 y <= 1.00000000000001\n"
      " d: x - y <= 3\nEnd\n");
  rational::ExactProblem const exact(lp, ExactNumbers::decimals);
  using S = VariableStatus;
  Basis const given{{S::atLower, S::basic}, {S::basic, S::atUpper}};
  Basis const own = exact.extended(given);
  rational::BasisCheck const check = exact.check(own, {}, {.remainder = true});
  BOOST_TEST((check.outcome == rational::Outcome::refuted));
  BOOST_TEST_REQUIRE(check.remainder.has_value());
  BOOST_TEST(exact.lp().rows() > lp.rows());
  BOOST_TEST(check.remainder->lp.rows() == lp.rows());
  BOOST_TEST(check.remainder->lp.columns() ==
             lp.columns() + static_cast<int>(check.remainder->costedRows.size()));
  BOOST_TEST((check.remainder->basisOf(check.remainder->start) == own));
}

// Infeasible as decimals, feasible as doubles: no multipliers prove it for those.
BOOST_AUTO_TEST_CASE(multipliersOfTheProofStay) {
  LinearProgram const lp = parsed(
      "Minimize\n obj: y\nSubject To\n a: 0.1 x - 0.3 y = 0\n b: x - 3 y = 1e-13\n"
      "Bounds\n x free\n y free\nEnd\n");
  Solution const s = solved(lp, ExactNumbers::decimals);
  BOOST_TEST((s.status == Status::infeasible));
  BOOST_TEST_REQUIRE(s.farkas.size() == 2U);
  BOOST_TEST(s.farkas[0] != 0.0);
  BOOST_TEST(s.margin == 0.0);
  BOOST_TEST(certificateOf(lp, s, {}, ExactNumbers::decimals).proved);
}

BOOST_AUTO_TEST_CASE(oneBoundMayHaveManyDigits) {
  std::string const file =
      "Maximize\n obj: x\nSubject To\n c: x + 0.5 y >= 0.25\nBounds\n x <= 1046833.9935699505\n"
      "End\n";
  LinearProgram const lp = parsed(file);
  rational::ExactProblem const exact(lp, ExactNumbers::decimals);
  BOOST_TEST(exact.fault() == "");
  BOOST_TEST(decimalOptimum(file) == "2093667987139901/2000000000");
}

// Doubles beside fractions: 0.1 is the double, 1/3 the fraction.
BOOST_AUTO_TEST_CASE(fractionsStandBesideDoubles) {
  LinearProgram lp = parsed("Minimize\n obj: x + y\nSubject To\n c: x >= 2\n d: y >= 0.1\nEnd\n");
  rational::Meanings entries;
  BOOST_TEST(entries.numberFor(rational::rationalOf("1/3")) == 1.0 / 3.0);
  entries.set(0.142857, rational::rationalOf("1/7"));
  lp.objective = {1.0 / 3.0, -0.142857};
  lp.columnUpper[1] = 0.1;
  Solver solver(lp);
  Options options;
  options.exact = Toggle::on;
  Solution const s = solveExactly(solver, options, {}, entries);
  BOOST_TEST(s.exact.proved, s.exact.message);
  // 2/3 - 1/7 3602879701896397/36028797018963968
  BOOST_TEST(s.exact.objective == "493594519159806361/756604737398243328");
  ExactCertificate const made = certificateOf(lp, s, {}, ExactNumbers::automatic, &entries);
  BOOST_TEST((made.numbers == ExactNumbers::automatic));
  BOOST_TEST(made.fractions.at(0.142857) == "1/7");
}

// Of two bounds that no factor makes doubles one is a row of its own.
BOOST_AUTO_TEST_CASE(twoBoundsMayHaveManyDigits) {
  for (bool const maximizes : {false, true}) {
    LinearProgram lp = parsed(std::string(maximizes ? "Maximize" : "Minimize") +
                              "\n obj: x\nSubject To\n c: y >= 0.1\n d: -5 <= x - y <= 1\nEnd\n");
    for (auto* bounds : {&lp.columnLower, &lp.rowLower}) bounds->at(0) = 1e-300;
    lp.columnUpper[0] = 123456789.012345;
    lp.rowLower[1] = -123456789.012345;
    lp.rowUpper[1] = 1e300;
    Solution const s = solved(lp, ExactNumbers::decimals);
    BOOST_TEST(s.exact.objective ==
               (maximizes ? "24691357802469/200000" : "1/1" + std::string(300, '0')));
    ExactCertificate const made = certificateOf(lp, s, {}, ExactNumbers::decimals);
    BOOST_TEST(made.proved);
    BOOST_TEST(made.columnMultipliers[0] == "1");
  }
}

// Where a common denominator is beyond the doubles these are taken, and that is said.
BOOST_AUTO_TEST_CASE(whatDoublesCannotHoldIsSaid) {
  LinearProgram const lp = parsed(
      "Minimize\n obj: x + y\nSubject To\n c: 1e-300 x + y >= 0.1\nBounds\n x >= 1e-300\nEnd\n");
  rational::ExactProblem const exact(lp, ExactNumbers::decimals);
  BOOST_TEST(!exact.fault().empty());
  BOOST_TEST((exact.numbers() == ExactNumbers::doubles));
  BOOST_TEST((exact.lp() == lp));
}

BOOST_AUTO_TEST_CASE(whatHasNoOptimumHasCertificatesOfTheGivenRows) {
  LinearProgram const none = parsed(
      "Minimize\n obj: x\nSubject To\n a: 0.3 x + 0.1 y >= 0.4\n"
      " b: 0.6 x + 0.2 y <= 0.7\nEnd\n");
  Solution const infeasible = solved(none, ExactNumbers::decimals);
  BOOST_TEST((infeasible.status == Status::infeasible));
  ExactCertificate const farkas = certificateOf(none, infeasible, {}, ExactNumbers::decimals);
  BOOST_TEST_REQUIRE(farkas.proved);
  BOOST_TEST(farkas.rowMultipliers.size() == 2U);
  BOOST_TEST(farkas.rowMultipliers[0] != "0");

  LinearProgram const endless =
      parsed("Maximize\n obj: x + y\nSubject To\n a: 0.3 x - 0.7 y <= 0.1\nEnd\n");
  Solution const unbounded = solved(endless, ExactNumbers::decimals);
  BOOST_TEST((unbounded.status == Status::unbounded));
  BOOST_TEST(unbounded.ray.size() == 2U);
  BOOST_TEST(certificateOf(endless, unbounded, {}, ExactNumbers::decimals).proved);
}

// The given problem's proof begins after few pivots of a short second solve; its own are not few.
BOOST_AUTO_TEST_CASE(presolveLeavesTheExactStageItsPivots) {
  std::string file = "Maximize\n obj: x1\nSubject To\n";
  for (int k = 1; k < 400; ++k)
    file += " r" + std::to_string(k) + ": x" + std::to_string(k) + " - 0.9 x" +
            std::to_string(k + 1) + " + 0.1 z" + std::to_string(k) + " <= 0.1\n";
  file += "Bounds\n x400 <= 0.3\nEnd\n";
  Solution const s = solved(parsed(file), ExactNumbers::decimals, Toggle::on);
  BOOST_TEST((s.status == Status::optimal));
}

BOOST_AUTO_TEST_SUITE_END()
