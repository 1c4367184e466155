// SPDX-License-Identifier: EPL-2.0
// Decimals and fractions of files that no double stands for, and what is written of them.
#include <boost/test/unit_test.hpp>
#include <string>

#include "osi_cuda/analysis/certificate.hpp"
#include "readers/format_writers.hpp"
#include "readers/number.hpp"
#include "readers/output.hpp"
#include "readers/read.hpp"

using namespace osi_cuda;
using namespace osi_cuda::readers;

namespace {

/// The exact optimum of a file, by its own numbers.
std::string optimum(std::string const& text, rational::Meanings& kept) {
  KeepsFractions const keeps(kept);
  Solver solver(readText(text, "test").lp);
  Options options;
  options.exact = Toggle::on;
  options.exactNumbers = ExactNumbers::decimals;
  Solution const solution = solveExactly(solver, options, {}, kept);
  BOOST_TEST(solution.exact.proved, solution.exact.message);
  ExactCertificate const certificate =
      certificateOf(solver.problem(), solution, {}, options.exactNumbers, &kept);
  BOOST_TEST(certificate.proved);
  BOOST_TEST(certificate.objective == solution.exact.objective);
  return solution.exact.objective;
}

std::string optimum(std::string const& text) {
  rational::Meanings kept(true);
  return optimum(text, kept);
}

std::string mps(std::string const& rows, std::string const& columns, std::string const& rest) {
  return "NAME t\nROWS\n N cost\n" + rows + "COLUMNS\n" + columns + rest + "ENDATA\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fractions)

BOOST_AUTO_TEST_CASE(numbersOfAFileAreItsOwn) {
  BOOST_TEST(optimum(mps(" G r\n", " x cost 1\n x r 1/3\n", "RHS\n RHS r 2/7\n")) == "6/7");
  // 1 and 1 + 1e-20 have one nearest double.
  BOOST_TEST(optimum(mps(" G r\n", " x cost 1\n x r 1\n y cost 1.00000000000000000001\n y r 2\n",
                         "RHS\n RHS r 3\nBOUNDS\n UP B x 1\n")) ==
             "300000000000000000003/200000000000000000000");
  BOOST_TEST(optimum("Minimize\n obj: 1/3 x + 0.5\nSubject To\n c: x >= 0.33333333333333333333\n"
                     "End\n") == "61111111111111111111/100000000000000000000");
}

// What a program prints with 17 digits is a double, which stands for the shortest decimal.
BOOST_AUTO_TEST_CASE(printedDoublesStandForShortDecimals) {
  for (char const* tenth : {"0.1", "0.10000000000000001", "1.0000000000000001e-01"})
    BOOST_TEST(optimum(mps(" G r\n", " x cost 1\n x r 1\n",
                           std::string("RHS\n RHS r ") + tenth + "\n")) == "1/10");
  BOOST_TEST(optimum(mps(" G r\n", " x cost 1\n x r 1\n", "RHS\n RHS r 0.10000000000000002\n")) ==
             "5000000000000001/50000000000000000");
}

BOOST_AUTO_TEST_CASE(rangesAreAddedAsTheyAre) {
  std::string const file = mps(" E r\n", " x cost 1\n x r 1\n",
                               "RHS\n RHS r -1e-09\nRANGES\n RG r -2e-09\n"
                               "BOUNDS\n FR B x\n");
  BOOST_TEST(optimum(file) == "-3/1000000000");
  BOOST_TEST(optimum(mps(" L r\n", " x cost 1\n x r 1\n",
                         "RHS\n RHS r 1/3\nRANGES\n RG r 1/7\nBOUNDS\n FR B x\n")) == "4/21");
}

BOOST_AUTO_TEST_CASE(whatIsWrittenHasTheSameOptimum) {
  std::string const file = mps(
      " L r\n G s\n", " x cost 1/3\n x r -7/11\n x s 1\n y cost 0.12345678901234567891\n y s 1\n",
      "RHS\n RHS r 1/3\n RHS s 22/7\nRANGES\n RG r 5/7\n RG s 0.1\nBOUNDS\n FR B x\n UP B y 1/9\n");
  rational::Meanings kept(true);
  std::string const expected = optimum(file, kept);
  BOOST_TEST(kept.entries().size() >= 6U);
  std::string free, lp;
  {
    KeepsFractions const keeps(kept);
    LinearProgram const model = readText(file, "test").lp;
    Output mpsOut, lpOut;
    writeMps(mpsOut, model, MpsStyle::free, {});
    writeLp(lpOut, model, LpDialect::cplex);
    free = mpsOut.text();
    lp = lpOut.text();
  }
  BOOST_TEST(optimum(free) == expected, free);
  BOOST_TEST(lp.find("1/3") != lp.npos);
}

// The difference of the doubles has other decimals.
BOOST_AUTO_TEST_CASE(rangesAreWrittenAsDecimals) {
  rational::Meanings kept(true);
  KeepsFractions const keeps(kept);
  Output out;
  writeMps(out,
           readText(mps(" G r\n", " x cost 1\n x r 1\n",
                        "RHS\n RHS r 2.91138757287741\nRANGES\n RG r 1.44\n"),
                    "test")
               .lp,
           MpsStyle::free, {});
  BOOST_TEST(out.text().find(" r 1.44\n") != std::string::npos, out.text());
}

// Without that a file is read as ever.
BOOST_AUTO_TEST_CASE(otherwiseNumbersAreTheNearestDoubles) {
  LinearProgram const lp =
      readText(mps(" G r\n", " x cost 1.00000000000000000001\n x r 1/3\n", "RHS\n"), "test").lp;
  BOOST_TEST(lp.objective[0] == 1.0);
  for (auto const [i, a] : lp.matrix.column(0)) BOOST_TEST(a == 1.0 / 3.0);
  BOOST_CHECK_THROW(readText(mps(" G r\n", " x cost 1/0\n x r 1\n", "RHS\n"), "test"), ReadError);
}

BOOST_AUTO_TEST_SUITE_END()
