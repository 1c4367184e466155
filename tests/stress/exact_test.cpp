// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/exact.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using namespace osi_cuda::stress;

BOOST_AUTO_TEST_SUITE(exact_answers)

BOOST_AUTO_TEST_CASE(problems_with_known_answers) {
  for (int seed = 1; seed <= 150; ++seed) {
    auto const made = osi_cuda::testing::randomLp(seed);
    BOOST_TEST_CONTEXT(made.description) {
      auto const answer = exactAnswer(made.lp);
      BOOST_TEST(answer.known);
      BOOST_TEST((answer.status == made.expected));
      if (made.expected != Status::optimal) continue;
      auto const optimum = exactOptimum(made.lp);
      BOOST_REQUIRE(optimum.has_value());
      BOOST_TEST((*optimum == mpq_class(made.objective)));
    }
  }
}

BOOST_AUTO_TEST_CASE(infeasible_by_a_rounding) {
  // 3 x = 1 + 2^-52, x >= 1/3 rounded upwards and x <= the double below: no x.
  LinearProgram lp;
  lp.matrix.rows = lp.matrix.columns = 1;
  lp.matrix.starts = {0, 1};
  lp.matrix.indices = {0};
  lp.matrix.values = {3.0};
  lp.objective = {1.0};
  lp.columnLower = {0.0};
  lp.columnUpper = {1.0 / 3.0};  // below 1/3
  lp.rowLower = lp.rowUpper = {1.0};
  auto const answer = exactAnswer(lp);
  BOOST_TEST(answer.known);
  BOOST_TEST((answer.status == Status::infeasible));
  BOOST_TEST(answer.infeasibility > 0.0);
  BOOST_TEST(answer.infeasibility < 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()
