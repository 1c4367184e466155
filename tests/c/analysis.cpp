// SPDX-License-Identifier: EPL-2.0
// Ranging, infeasible subsystems, relaxations and objectives by rank through the C interface.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

BOOST_AUTO_TEST_SUITE(analysis, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(ranges_of_costs_and_right_hand_sides) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  std::vector<double> low(2), high(2), first(2), last(2);
  auto const range = [&](int which) {
    return osi_cuda_get_ranging(p, which, 2, low.data(), high.data(), first.data(), last.data());
  };
  BOOST_TEST(range(OSI_CUDA_RANGE_COSTS) == OSI_CUDA_NOTHING);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(range(OSI_CUDA_RANGE_COSTS) == OSI_CUDA_OK);
  // 20 x + 9 y between the slopes 4 : 2 and 15 : 5 of the rows.
  BOOST_TEST(low[0] == 18.0);
  BOOST_TEST(high[0] == 27.0);
  BOOST_TEST(first[0] == 180.0);
  BOOST_TEST(last[0] == 216.0);
  BOOST_TEST(low[1] == 20.0 / 3.0);
  BOOST_TEST(high[1] == 10.0);
  BOOST_TEST(range(OSI_CUDA_RANGE_ROW_UPPER) == OSI_CUDA_OK);
  BOOST_TEST(low[0] == 32.0);   // y = 0
  BOOST_TEST(high[0] == 48.0);  // x = 0
  BOOST_TEST(first[0] == 160.0);
  BOOST_TEST(last[0] == 216.0);
  BOOST_TEST(range(OSI_CUDA_RANGE_COLUMN_LOWER) == OSI_CUDA_OK);
  BOOST_TEST((low[0] == -INFINITY));
  BOOST_TEST(high[0] == 4.0);
  BOOST_TEST(osi_cuda_get_ranging(p, OSI_CUDA_RANGE_COSTS, 2, nullptr, nullptr, nullptr, nullptr) ==
             OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_ranging(p, OSI_CUDA_RANGE_COSTS, 3, nullptr, nullptr, nullptr, nullptr) ==
             OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(problem) == "length is 3, but there are 2 columns");
  BOOST_TEST(osi_cuda_get_ranging(p, 5, 2, nullptr, nullptr, nullptr, nullptr) ==
             OSI_CUDA_BAD_ARGUMENT);
  double const cost = 30.0;
  int32_t const column = 0;
  BOOST_TEST(osi_cuda_set_costs(p, 1, &column, &cost) == OSI_CUDA_OK);
  BOOST_TEST(range(OSI_CUDA_RANGE_COSTS) == OSI_CUDA_NOTHING);  // of a problem that was
}

BOOST_AUTO_TEST_CASE(sides_that_contradict_each_other) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  std::vector<std::uint8_t> columns(2, 9), rows(2, 9);
  int irreducible = -1;
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_find_iis(p, columns.data(), rows.data(), &irreducible) == OSI_CUDA_NOTHING);
  BOOST_TEST(message(problem) == "the solution, optimal, proves no infeasibility");
  double const lower = 11.0;
  int32_t const column = 0;
  BOOST_TEST(osi_cuda_set_column_bounds(p, 1, &column, &lower, nullptr) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_INFEASIBLE);
  BOOST_TEST(osi_cuda_find_iis(p, columns.data(), rows.data(), &irreducible) == OSI_CUDA_OK);
  BOOST_TEST(irreducible == 1);
  BOOST_TEST(int{columns[0]} == int{OSI_CUDA_SIDE_LOWER});
  BOOST_TEST(int{columns[1]} == int{OSI_CUDA_SIDE_LOWER});
  BOOST_TEST(rows[0] + rows[1] == int{OSI_CUDA_SIDE_UPPER});  // either row is enough
  BOOST_TEST(osi_cuda_find_iis(p, nullptr, rows.data(), nullptr) == OSI_CUDA_BAD_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(the_least_that_has_to_give_way) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  std::vector<double> const lower{11, 0};
  osi_cuda_set_column_bounds(p, 2, nullptr, lower.data(), nullptr);
  std::vector<double> rowUpper(2, -1), columnLower(2, -1), x(2, -1);
  std::vector<double> numbers(OSI_CUDA_RELAX_NUMBERS, -1);
  int status = -1;
  auto const relaxed = [&](int goal, int what) {
    return osi_cuda_relax(p, goal, what, columnLower.data(), nullptr, nullptr, rowUpper.data(),
                          x.data(), numbers.data(), &status);
  };
  BOOST_TEST(relaxed(OSI_CUDA_RELAX_SUM, OSI_CUDA_RELAX_ROWS) == OSI_CUDA_OK);
  BOOST_TEST(status == OSI_CUDA_STATUS_OPTIMAL);
  BOOST_TEST(rowUpper == (std::vector<double>{4, 45}), boost::test_tools::per_element());
  BOOST_TEST(columnLower == (std::vector<double>{0, 0}));
  BOOST_TEST(x[0] == 11.0);
  BOOST_TEST(numbers[OSI_CUDA_RELAX_TOTAL] == 49.0);
  BOOST_TEST(numbers[OSI_CUDA_RELAX_LEAST] == 1.0);
  BOOST_TEST(relaxed(OSI_CUDA_RELAX_COUNT, OSI_CUDA_RELAX_BOUNDS) == OSI_CUDA_OK);
  BOOST_TEST(columnLower[0] >= 3.0);
  BOOST_TEST(rowUpper == (std::vector<double>{0, 0}));
  BOOST_TEST(relaxed(2, OSI_CUDA_RELAX_ROWS) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(problem) == "there is no goal 2");
  BOOST_TEST(relaxed(OSI_CUDA_RELAX_SUM, 3) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_relax(p, 0, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                            nullptr) == OSI_CUDA_BAD_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(objectives_by_rank) {
  Problem const problem = makeProblem();
  auto* const p = problem.get();
  std::vector<double> const row{1, 1}, upper{3, 3}, side{4};
  osi_cuda_load_dense(p, 1, 2, row.data(), 2, 1, nullptr, upper.data(), nullptr, side.data(),
                      nullptr);
  std::vector<double> const costs{1, 1, 1, 0, 0, 1}, losses{1, 0, 0};
  std::vector<int> const senses{OSI_CUDA_MAXIMIZE, OSI_CUDA_MINIMIZE, OSI_CUDA_MINIMIZE};
  std::vector<double> optima(3, -1), atEnd(3, -1);
  int32_t ranked = -1;
  auto const solve = [&](int32_t count, double const* given) {
    return osi_cuda_solve_ranked(p, count, costs.data(), senses.data(), nullptr, given, nullptr,
                                 &ranked, optima.data(), atEnd.data());
  };
  BOOST_TEST(solve(3, losses.data()) == OSI_CUDA_OK);
  BOOST_TEST(ranked == 3);
  BOOST_TEST(optima == (std::vector<double>{4, 0, 3}), boost::test_tools::per_element());
  BOOST_TEST(atEnd[0] == 3.0);
  BOOST_TEST(values(problem, OSI_CUDA_COLUMN_VALUES, 2)[1] == 3.0);
  BOOST_TEST(osi_cuda_get_ranging(p, OSI_CUDA_RANGE_COSTS, 2, nullptr, nullptr, nullptr, nullptr) ==
             OSI_CUDA_NOTHING);
  std::vector<double> const negative{-1, 0, 0};
  BOOST_TEST(solve(3, negative.data()) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(solve(0, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(problem) == "count is 0, but has to be at least 1");
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);  // the problem's own objective is as it was
  BOOST_TEST(number(problem, OSI_CUDA_OBJECTIVE) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
