// SPDX-License-Identifier: EPL-2.0
// A problem as branch and cut gets it.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "osi_cuda/integers/preparation.hpp"

namespace osi_cuda {
namespace {

/// One row over integer columns from 0 to 10.
LinearProgram oneRow(double lower, std::vector<double> const& coefficients, double upper) {
  LinearProgram lp;
  lp.addRow(lower, upper);
  for (double const a : coefficients) {
    lp.matrix.add(0, a);
    lp.endColumn(1.0, 0.0, 10.0);
    lp.integer.push_back(1);
  }
  return lp;
}

BOOST_AUTO_TEST_SUITE(integer_preparation)

BOOST_AUTO_TEST_CASE(boundsOfIntegersAreRoundedInward) {
  LinearProgram lp = oneRow(0.0, {1, 1, 1, 1}, 100.0);
  lp.integer[3] = 0;
  lp.columnLower = {-1.5, 2.0, -infinity, 0.5};
  lp.columnUpper = {2.5, 3.0000000000000004, infinity, 1.5};
  PreparedIntegers const made = prepareIntegers(lp);
  BOOST_TEST(made.conflict.empty());
  BOOST_TEST((made.problem.columnLower == std::vector<double>{-1, 2, -infinity, 0.5}));
  BOOST_TEST((made.problem.columnUpper == std::vector<double>{2, 3, infinity, 1.5}));
  lp.columnLower[0] = 0.3;
  lp.columnUpper[0] = 0.7;
  BOOST_TEST(prepareIntegers(lp).conflict.find("column C1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(sidesMoveToWhatWholeNumbersReach) {
  auto const sides = [](LinearProgram const& lp) {
    PreparedIntegers const made = prepareIntegers(lp);
    BOOST_TEST(made.conflict.empty(), made.conflict);
    return std::pair(made.problem.rowLower.at(0), made.problem.rowUpper.at(0));
  };
  using Sides = std::pair<double, double>;
  BOOST_TEST((sides(oneRow(-infinity, {4, 6}, 7)) == Sides(-infinity, 6)));
  BOOST_TEST((sides(oneRow(-7, {10, -15, 20}, 7.5)) == Sides(-5, 5)));
  BOOST_TEST((sides(oneRow(2.00000001, {1, 1}, infinity)) == Sides(3, infinity)));
  BOOST_TEST((sides(oneRow(-infinity, {2}, 3.9999999)) == Sides(-infinity, 2)));
  BOOST_TEST((sides(oneRow(0.2, {0.5, 1.25}, 1.1)) == Sides(0.25, 1.0)));
  // 3 * 0.1 is more than 0.3 in doubles, by their rounding alone; 0.1 and 0.7 share 2^-55.
  BOOST_TEST((sides(oneRow(-infinity, {0.1, 0.2}, 0.3)) == Sides(-infinity, 0.3)));
  Sides const fine = sides(oneRow(0.05, {0.1, 0.7}, 0.35));
  BOOST_TEST(std::fabs(fine.first - 0.05) < 1e-16);
  BOOST_TEST(std::fabs(fine.second - 0.35) < 1e-16);
  BOOST_TEST((sides(oneRow(-1e20, {3e-300}, 1e20)) == Sides(-1e20, 1e20)));
  LinearProgram mixed = oneRow(-infinity, {4, 6}, 7);
  mixed.integer[1] = 0;
  BOOST_TEST((sides(mixed) == Sides(-infinity, 7)));
}

BOOST_AUTO_TEST_CASE(whatWholeNumbersCannotReachIsInfeasible) {
  std::string const conflict = prepareIntegers(oneRow(7, {10, 15, -20}, 7)).conflict;
  BOOST_TEST(conflict.find("row R1 is a multiple of 5") != std::string::npos, conflict);
  BOOST_TEST(!prepareIntegers(oneRow(0.1, {1, 1}, 0.9)).conflict.empty());
}

BOOST_AUTO_TEST_CASE(freeRowsGoAndMaximaTurn) {
  LinearProgram lp;
  lp.sense = Sense::maximize;
  lp.objectiveOffset = 3.0;
  lp.addRow(-infinity, infinity);
  lp.addRow(-infinity, 4.0);
  lp.addRow(-1e30, 1e30);  // no bounds for the interface that Cbc gets
  for (int i : {0, 1, 2}) lp.matrix.add(i, 2.0);
  lp.endColumn(5.0, 0.0, 1.0);
  lp.integer = {1};
  PreparedIntegers const made = prepareIntegers(lp);
  BOOST_TEST((made.rows == std::vector<int>{1}));
  BOOST_TEST(made.problem.rows() == 1);
  BOOST_TEST(made.problem.matrix.nonzeros() == 1);
  BOOST_TEST(made.problem.matrix.indices[0] == 0);
  BOOST_TEST((made.problem.sense == Sense::minimize));
  BOOST_TEST(made.problem.objective[0] == -5.0);
  BOOST_TEST(made.problem.objectiveOffset == -3.0);
  BOOST_TEST(findFault(made.problem) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
