// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/rules.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

using namespace osi_cuda::rules;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
}

BOOST_AUTO_TEST_SUITE(rules)

BOOST_AUTO_TEST_CASE(a_larger_key_wins_and_ties_go_to_the_smaller_tie) {
  Candidate none, a, b;
  a.key = 2.0, a.position = 0, a.tie = 7;
  b.key = 2.0, b.position = 1, b.tie = 3;
  BOOST_TEST(better(none, a).position == 0);
  BOOST_TEST(better(a, none).position == 0);
  BOOST_TEST(better(a, b).position == 1);
  BOOST_TEST(better(b, a).position == 1);
  b.key = 1.0;
  BOOST_TEST(better(a, b).position == 0);
  BOOST_TEST(!better(none, none).found());
}

BOOST_AUTO_TEST_CASE(where_a_variable_may_go) {
  struct Row {
    double value, lower, upper;
    bool up, down;
  };
  Row const table[] = {
      {0, 0, inf, true, false},       {0, -inf, 0, false, true},      {0, 0, 1, true, false},
      {1, 0, 1, false, true},         {3, 3, 3, false, false},        {0, -inf, inf, true, true},
      {0.5, 0, 1, true, true},     // superbasic
      {-1e-9, 0, 1, true, false},  // left from just below its bound
      {3 - 1e-9, 3, 3, false, false}, {3 + 1e-9, 3, 3, false, false},
  };
  for (auto const& row : table) {
    BOOST_TEST(canIncrease(row.value, row.lower, row.upper) == row.up);
    BOOST_TEST(canDecrease(row.value, row.lower, row.upper) == row.down);
  }
}

BOOST_AUTO_TEST_CASE(a_reduced_cost_attracts_only_where_the_variable_can_go) {
  BOOST_TEST(attraction(-2, 0, 0, inf) == 2);
  BOOST_TEST(attraction(2, 0, 0, inf) == 0);
  BOOST_TEST(attraction(2, 1, 0, 1) == -2);
  BOOST_TEST(attraction(-2, 1, 0, 1) == 0);
  BOOST_TEST(attraction(-2, 0, -inf, inf) == 2);
  BOOST_TEST(attraction(2, 0, -inf, inf) == -2);
  BOOST_TEST(attraction(-2, 3, 3, 3) == 0);
}

BOOST_AUTO_TEST_CASE(violations_and_phase_1_costs) {
  BOOST_TEST(violation(-1, 0, 5, 1e-7) == -1);
  BOOST_TEST(violation(6, 0, 5, 1e-7) == 1);
  BOOST_TEST(violation(-1e-8, 0, 5, 1e-7) == 0);
  BOOST_TEST(phase1Cost(-1, 0, 5, 1e-7) == -1);
  BOOST_TEST(phase1Cost(6, 0, 5, 1e-7) == 1);
  BOOST_TEST(phase1Cost(5 + 1e-8, 0, 5, 1e-7) == 0);
  BOOST_TEST(phase1Cost(1e300, 0, inf, 1e-7) == 0);
}

BOOST_AUTO_TEST_CASE(phase_2_blocks_at_the_bound_ahead) {
  struct Row {
    double x, lower, upper, rate, ratio, target;
  };
  Row const table[] = {
      {4, 1, 9, 2, 1.5, 1},            // falls to its lower bound
      {4, 1, 9, -2, 2.5, 9},           // rises to its upper bound
      {4, -inf, 9, 2, unlimited, 0},   // nothing below
      {4, 1, inf, -2, unlimited, 0},   // nothing above
      {4, 1, 9, 1e-12, unlimited, 0},  // counts as not moving
      {1 - 1e-9, 1, 9, 2, 0, 1},       // past its bound already: blocks at once
  };
  for (auto const& row : table) {
    auto const b = blockingBound(row.x, row.lower, row.upper, row.rate, 1e-8, 1e-9);
    BOOST_TEST(b.ratio == row.ratio);
    if (row.ratio < unlimited) {
      BOOST_TEST(b.target == row.target);
      BOOST_TEST(b.relaxed > b.ratio);
      BOOST_TEST(b.relaxed <= b.ratio + 1e-8 / std::fabs(row.rate) * (1 + 1e-6));
    }
  }
}

BOOST_AUTO_TEST_CASE(phase_1_breakpoints) {
  double const tolerance = 1e-7;
  auto const outside = phase1Bounds(12, 1, 9, 2, 0, 1e-9, tolerance);  // above, falls through both
  BOOST_TEST(outside.first.ratio == 1.5);
  BOOST_TEST(outside.first.target == 9);
  BOOST_TEST(outside.second.ratio == 5.5);
  BOOST_TEST(outside.second.target == 1);
  auto const inside = phase1Bounds(4, 1, 9, 2, 0, 1e-9, tolerance);
  BOOST_TEST(inside.first.ratio == unlimited);
  BOOST_TEST(inside.second.ratio == 1.5);
  auto const away = phase1Bounds(-3, 1, 9, 2, 0, 1e-9, tolerance);  // below and falling
  BOOST_TEST(away.first.ratio == unlimited);
  BOOST_TEST(away.second.ratio == unlimited);
  auto const below = phase1Bounds(-3, 1, inf, -2, 0, 1e-9, tolerance);  // rises, no upper bound
  BOOST_TEST(below.first.ratio == 2);
  BOOST_TEST(below.first.target == 1);
  BOOST_TEST(below.second.ratio == unlimited);
}

BOOST_AUTO_TEST_CASE(dual_breakpoints) {
  struct Row {
    double d, v;
    int side;
    double value, lower, upper, ratio;
  };
  Row const table[] = {
      {3, 2, 1, 0, 0, inf, 1.5},            // at lower, its row entry pulls the leaving one down
      {3, -2, 1, 0, 0, inf, unlimited},     // the other way: not eligible
      {3, -2, -1, 0, 0, inf, 1.5},          // leaving from below
      {-3, -2, 1, 5, 0, 5, 1.5},            // at upper
      {-3, 2, 1, 5, 0, 5, unlimited},       //
      {0, 2, 1, 0, -inf, inf, 0},           // free: always eligible
      {0, -2, 1, 0, -inf, inf, 0},          //
      {3, 2, 1, 4, 4, 4, unlimited},        // fixed: never
      {3, 1e-12, 1, 0, 0, inf, unlimited},  // counts as zero
      {-1e-9, 2, 1, 0, 0, inf, 0},          // slightly infeasible: ratio 0, not negative
  };
  for (auto const& row : table)
    BOOST_TEST(
        dualBreakpoint(row.d, row.v, row.side, row.value, row.lower, row.upper, 1e-8, 1e-9).ratio ==
        row.ratio);
}

BOOST_AUTO_TEST_CASE(improvements) {
  BOOST_TEST(stepBound(3, 1, 9, 2, 0.5, 1e-9) == 1.25);   // towards its lower bound
  BOOST_TEST(stepBound(3, 1, 9, -2, 0.5, 1e-9) == 3.25);  // towards its upper bound
  BOOST_TEST(stepBound(0, 1, 9, 2, 0.5, 1e-9) == 0.25);   // past it already
  BOOST_TEST(stepBound(3, 1, 9, 1e-10, 0.5, 1e-9) == unlimited);
  BOOST_TEST(stepBound(3, -inf, 9, 2, 0.5, 1e-9) == unlimited);
  BOOST_TEST(improvement(-3, 2) == 6);
  BOOST_TEST(improvement(3, 0) == 0);
  BOOST_TEST(improvement(1e-6, unlimited) == unlimited);  // a ray, however flat
  BOOST_TEST(improvement(1e-6, inf) == unlimited);
  BOOST_TEST(improvement(1e9, 1e299) == unlimited);
}

BOOST_AUTO_TEST_CASE(weights) {
  BOOST_TEST(steepestWeight(10, 2, 1, 3, 1) == 10 - 4 + 12);
  BOOST_TEST(steepestWeight(1, 1, 5, 1, 2) == 2);  // never below its floor
  BOOST_TEST(devexWeight(5, 2, 1) == 5);
  BOOST_TEST(devexWeight(3, 2, 1) == 4);
}

BOOST_AUTO_TEST_CASE(sketch_signs_are_balanced_and_reproducible) {
  int sum = 0, agree = 0;
  for (int i = 0; i < 1000; ++i)
    for (int l = 0; l < 128; ++l) {
      float const s = sketchSign(l, i);
      BOOST_TEST_REQUIRE((s == 1.0f || s == -1.0f));
      sum += s > 0;
      agree += s == sketchSign(l, i + 1);
    }
  BOOST_TEST(std::abs(sum - 64000) < 1000);    // 128000 fair coins: sigma 179
  BOOST_TEST(std::abs(agree - 64000) < 1000);  // neighbours are independent
  BOOST_TEST(randomTie(1, 2, 3) == randomTie(1, 2, 3));
  BOOST_TEST(randomTie(1, 2, 3) != randomTie(1, 2, 4));
  BOOST_TEST(randomTie(1, 2, 3) != randomTie(1, 3, 3));
}

BOOST_AUTO_TEST_SUITE_END()
