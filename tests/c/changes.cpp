// SPDX-License-Identifier: EPL-2.0
// Changes, each checked by the optimum that follows from it, and re-solves from the last basis.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

namespace {

double solved(Problem const& problem) {
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK, message(problem));
  BOOST_TEST(osi_cuda_status(problem.get()) == OSI_CUDA_STATUS_OPTIMAL);
  return number(problem, OSI_CUDA_OBJECTIVE);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(changes, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(bounds_costs_and_sides) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  BOOST_TEST(solved(problem) == 188.0);
  std::int32_t const x = 0, y = 1, hours = 0;
  double const three = 3.0, ten = 10.0, fifty = 50.0;
  BOOST_TEST(osi_cuda_set_column_bounds(p, 1, &x, nullptr, &three) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_NONE);
  BOOST_TEST(solved(problem) == 60.0 + 14.0 * 9.0);  // y = (40 - 12) / 2
  BOOST_TEST(osi_cuda_set_costs(p, 1, &y, &ten) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == 200.0);  // y = 20
  BOOST_TEST(osi_cuda_set_right_hand_sides(p, 1, &hours, &fifty) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == 240.0);  // y = 24 by the wood
  double const lower[2] = {-INFINITY, 100.0}, upper[2] = {20.0, 100.0};
  BOOST_TEST(osi_cuda_set_row_bounds(p, 2, nullptr, lower, upper) == OSI_CUDA_OK);
  // 15 x + 5 y = 100, 4 x + 2 y <= 20, x <= 3: y = 20 - 3x needs 4x + 40 - 6x <= 20, x >= 10.
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_INFEASIBLE);
  BOOST_TEST(osi_cuda_set_sense(p, OSI_CUDA_MINIMIZE) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_set_offset(p, 7.0) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_set_right_hand_sides(p, 1, &hours, &fifty) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == 60.0 + 110.0 + 7.0);  // x = 3, y = 11
}

BOOST_AUTO_TEST_CASE(coefficients) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  solved(problem);
  std::int32_t const rows[3] = {0, 1, 1}, columns[3] = {0, 0, 1};
  double const values[3] = {5.0, 0.0, 6.0};  // 5 x + 2 y <= 40, 6 y <= 120
  BOOST_TEST(osi_cuda_set_coefficients(p, 3, rows, columns, values) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_nonzeros(p) == 3);
  BOOST_TEST(solved(problem) == 180.0);  // 20 / 5 a unit of hours against 9 / 2: y = 20, x = 0
  double const back[3] = {4.0, 15.0, 5.0};
  BOOST_TEST(osi_cuda_set_coefficients(p, 3, rows, columns, back) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_nonzeros(p) == 4);
  BOOST_TEST(solved(problem) == 188.0);
  // Of two changes of one coefficient the later counts.
  std::int32_t const twice[2] = {0, 0};
  double const first[2] = {1.0, 4.0};
  BOOST_TEST(osi_cuda_set_coefficients(p, 2, twice, twice, first) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == 188.0);
}

BOOST_AUTO_TEST_CASE(rows_and_columns_come_and_go) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  solved(problem);
  double const few = 12.0, ones[2] = {1.0, 1.0};
  BOOST_TEST(osi_cuda_add_rows_dense(p, 1, ones, 2, 1, nullptr, &few) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_rows(p) == 3);
  // x + y <= 12 and 15 x + 5 y <= 120: x = y = 6
  BOOST_TEST(solved(problem) == 174.0);
  // A stool: 1 hour, 1 kg, 1 piece, gains 8.
  std::int64_t const starts[2] = {0, 3};
  std::int32_t const rows[3] = {0, 1, 2};
  double const needs[3] = {1.0, 1.0, 1.0}, gain = 8.0;
  BOOST_TEST(osi_cuda_add_columns(p, 1, starts, rows, needs, nullptr, nullptr, &gain) ==
             OSI_CUDA_OK);
  double const withStool = solved(problem);
  BOOST_TEST(withStool > 174.0);
  BOOST_TEST(osi_cuda_add_columns_dense(p, 1, needs, 1, 3, nullptr, nullptr, &gain) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == withStool);  // the same again gains nothing
  std::int32_t const gone[2] = {3, 2};       // in any order
  BOOST_TEST(osi_cuda_delete_columns(p, 2, gone) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == 174.0);
  std::int32_t const last = 2, both[2] = {0, 1};
  BOOST_TEST(osi_cuda_delete_rows(p, 1, &last) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == 188.0);
  std::int64_t const rowStarts[2] = {0, 2};
  BOOST_TEST(osi_cuda_add_rows(p, 1, rowStarts, both, ones, nullptr, &few) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == 174.0);
}

BOOST_AUTO_TEST_CASE(names_and_marks_stay_with_the_problem) {
  Problem const problem = furniture();
  char const* const rows[2] = {"hours", "wood"};
  char const* const columns[2] = {"chairs", "tables"};
  std::uint8_t const marks[2] = {0, 1};
  BOOST_TEST(osi_cuda_name(problem.get(), OSI_CUDA_NAME_ROW, 0) == "");
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_set_names(problem.get(), "furniture", nullptr, rows, columns) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_set_integers(problem.get(), marks) == OSI_CUDA_OK);
  osi_cuda_problem* other = nullptr;
  BOOST_TEST(osi_cuda_copy(problem.get(), &other) == OSI_CUDA_OK);
  Problem const copy(other);
  BOOST_TEST(osi_cuda_name(copy.get(), OSI_CUDA_NAME_PROBLEM, 0) == "furniture");
  BOOST_TEST(osi_cuda_name(copy.get(), OSI_CUDA_NAME_OBJECTIVE, 0) == "");
  BOOST_TEST(osi_cuda_name(copy.get(), OSI_CUDA_NAME_ROW, 1) == "wood");
  BOOST_TEST(osi_cuda_column_name(copy.get(), 0) == "chairs");
  std::uint8_t found[2] = {7, 7};
  BOOST_TEST(osi_cuda_get_integers(copy.get(), found) == OSI_CUDA_OK);
  BOOST_TEST(found[0] == 0);
  BOOST_TEST(found[1] == 1);
  BOOST_TEST(osi_cuda_solve(copy.get()) == OSI_CUDA_OK);
  BOOST_TEST(number(copy, OSI_CUDA_ITERATIONS) == 0.0);  // the basis stayed
  BOOST_TEST(number(copy, OSI_CUDA_OBJECTIVE) == 188.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(osi_cuda_set_integers(copy.get(), nullptr) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_integers(copy.get(), found) == OSI_CUDA_OK);
  BOOST_TEST(found[1] == 0);
}

BOOST_AUTO_TEST_CASE(a_changed_bound_takes_few_pivots) {
  Problem const problem = dense(60, 40);
  auto* const p = problem.get();
  solved(problem);
  double const cold = number(problem, OSI_CUDA_ITERATIONS);
  auto const x = values(problem, OSI_CUDA_COLUMN_VALUES, 40);
  std::int32_t const j =
      static_cast<std::int32_t>(std::max_element(x.begin(), x.end()) - x.begin());
  double const half = x[static_cast<std::size_t>(j)] / 2.0;
  osi_cuda_set_column_bounds(p, 1, &j, nullptr, &half);
  double const warmValue = solved(problem);
  BOOST_TEST(number(problem, OSI_CUDA_ITERATIONS) < cold / 2.0);
  BOOST_TEST(osi_cuda_forget_basis(p) == OSI_CUDA_OK);
  BOOST_TEST(solved(problem) == warmValue);
}

BOOST_AUTO_TEST_CASE(a_basis_goes_out_and_in) {
  Problem const problem = dense(30, 20), other = dense(30, 20);
  std::vector<std::uint8_t> columns(20), rows(30);
  // Before the first solve it is that of slacks.
  BOOST_TEST(osi_cuda_get_basis(problem.get(), columns.data(), rows.data()) == OSI_CUDA_OK);
  BOOST_TEST((rows == std::vector<std::uint8_t>(30, OSI_CUDA_BASIC)));
  BOOST_TEST((columns == std::vector<std::uint8_t>(20, OSI_CUDA_AT_LOWER)));
  solved(problem);
  BOOST_TEST(osi_cuda_get_basis(problem.get(), columns.data(), rows.data()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_set_basis(other.get(), columns.data(), rows.data()) == OSI_CUDA_OK);
  BOOST_TEST(solved(other) == number(problem, OSI_CUDA_OBJECTIVE));
  BOOST_TEST(number(other, OSI_CUDA_ITERATIONS) == 0.0);

  osi_cuda_problem* copied = nullptr;
  BOOST_TEST(osi_cuda_copy(problem.get(), &copied) == OSI_CUDA_OK);
  Problem const copy(copied);
  BOOST_TEST(solved(copy) == number(problem, OSI_CUDA_OBJECTIVE));
  BOOST_TEST(number(copy, OSI_CUDA_ITERATIONS) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
