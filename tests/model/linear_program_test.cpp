// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

LinearProgram sound() {
  LinearProgram lp;
  lp.matrix = {2, 2, {0, 2, 3}, {0, 1, 1}, {1, 2, 3}};
  lp.objective = {1, 0};
  lp.columnLower = {0, -infinity};
  lp.columnUpper = {infinity, 5};
  lp.rowLower = {-infinity, 1};
  lp.rowUpper = {4, infinity};
  return lp;
}

std::string faultAfter(std::function<void(LinearProgram&)> const& change) {
  LinearProgram lp = sound();
  change(lp);
  return findFault(lp);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linear_program)

BOOST_AUTO_TEST_CASE(names) {
  LinearProgram lp = sound();
  BOOST_TEST(lp.rowName(1) == "R2");
  BOOST_TEST(lp.columnName(0) == "C1");
  lp.rowNames = {"a", "b"};
  lp.columnNames = {"x", "y"};
  BOOST_TEST(lp.rowName(1) == "b");
  BOOST_TEST(lp.columnName(0) == "x");
}

BOOST_AUTO_TEST_CASE(faults) {
  BOOST_TEST(findFault(sound()) == "");
  BOOST_TEST(findFault(LinearProgram{}) == "");
  // Crossed bounds make a problem infeasible, not faulty.
  BOOST_TEST(faultAfter([](auto& lp) { lp.columnUpper[0] = -1; }) == "");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.rows = -1; }) ==
             "The matrix has a negative dimension.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.starts.pop_back(); }) ==
             "matrix.starts has length 2 instead of 3.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.starts[0] = 1; }) ==
             "matrix.starts does not begin with 0.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.starts[1] = 4; }) ==
             "matrix.starts descends at column 1.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.indices.pop_back(); }) ==
             "matrix.indices has length 2 instead of 3.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.values.push_back(1); }) ==
             "matrix.values has length 4 instead of 3.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.objective.clear(); }) ==
             "objective has length 0 instead of 2.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.rowNames = {"a"}; }) ==
             "rowNames has length 1 instead of 2.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.integer = {1}; }) ==
             "integer has length 1 instead of 2.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.indices[0] = 2; }) ==
             "Column C1 has an entry in row 2, which does not exist.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.indices[0] = 1; }) ==
             "Column C1 has two entries in row R2.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.matrix.values[2] = nan; }) ==
             "Column C2 has an entry in row R2 that is not finite.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.objectiveOffset = infinity; }) ==
             "The objective offset is not finite.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.objective[1] = -infinity; }) ==
             "Column C2 has a cost that is not finite.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.columnLower[1] = nan; }) ==
             "Column C2 has a bound that is not a number.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.columnLower[0] = infinity; }) ==
             "Column C1 has the lower bound +infinity.");
  BOOST_TEST(faultAfter([](auto& lp) { lp.rowUpper[0] = -infinity; }) ==
             "Row R1 has the upper bound -infinity.");
}

BOOST_AUTO_TEST_CASE(statuses_and_residuals) {
  BOOST_TEST(toString(Status::optimal) == "optimal");
  BOOST_TEST(toString(Status::infeasible) == "infeasible");
  BOOST_TEST(toString(Status::unbounded) == "unbounded");
  BOOST_TEST(toString(Status::objectiveLimit) == "objective_limit");
  BOOST_TEST(toString(Status::iterationLimit) == "iteration_limit");
  BOOST_TEST(toString(Status::timeLimit) == "time_limit");
  BOOST_TEST(toString(Status::interrupted) == "interrupted");
  BOOST_TEST(toString(Status::numerical) == "numerical");
  BOOST_TEST((Residuals{1, 3, 2}).largest() == 3);
  BOOST_TEST(std::isnan((Residuals{1, nan, 2}).largest()));
}

BOOST_AUTO_TEST_CASE(rows_and_columns_one_by_one) {
  LinearProgram lp;
  lp.addRow(-infinity, 4.0);
  lp.addRow(1.0, 1.0);
  lp.matrix.add(1, 2.0);
  lp.endColumn(3.0, 0.0, infinity);
  BOOST_TEST(findFault(lp) == "");
  BOOST_TEST(lp.rows() == 2);
  BOOST_TEST(lp.columns() == 1);
  BOOST_CHECK((lp.matrix == SparseMatrix{2, 1, {0, 1}, {1}, {2}}));
  BOOST_TEST(lowerBound(lp, 0) == 0.0);
  BOOST_TEST(upperBound(lp, 1) == 4.0);
  BOOST_TEST(lowerBound(lp, 2) == 1.0);
  BOOST_TEST(variableName(lp, 0) == "column C1");
  BOOST_TEST(variableName(lp, 2) == "row R2");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
