// SPDX-License-Identifier: EPL-2.0
// Ranging and infeasible subsystems through the C interface.
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

BOOST_AUTO_TEST_SUITE_END()
