// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/ways.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using namespace osi_cuda::stress;

namespace {

/// min 3 x, x >= 1/3 within doubles, by the row 3 x >= 1.
LinearProgram third() {
  LinearProgram lp;
  lp.matrix.rows = lp.matrix.columns = 1;
  lp.matrix.starts = {0, 1};
  lp.matrix.indices = {0};
  lp.matrix.values = {3.0};
  lp.objective = {1.0};
  lp.columnLower = {0.0};
  lp.columnUpper = {infinity};
  lp.rowLower = {1.0};
  lp.rowUpper = {infinity};
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stress_ways)

BOOST_AUTO_TEST_CASE(the_truth_of_known_problems) {
  for (int seed = 1; seed <= 150; ++seed) {
    auto const made = osi_cuda::testing::randomLp(seed);
    BOOST_TEST_CONTEXT(made.description) {
      Truth const truth = truthOf(made.lp, 10.0);
      BOOST_TEST(truth.known);
      BOOST_TEST((truth.status == made.expected));
      if (made.expected == Status::optimal)
        BOOST_TEST((truth.optimum == mpq_class(made.objective)));
    }
  }
  Truth const truth = truthOf(third(), 10.0);
  BOOST_TEST((truth.known && truth.optimum == mpq_class(1, 3)));
}

BOOST_AUTO_TEST_CASE(an_enclosure_contains_the_exact_optimum_or_not) {
  Truth const truth = truthOf(third(), 10.0);
  double const below = 1.0 / 3.0, above = std::nextafter(below, 1.0);  // 1/3 is between them
  auto const inside = [&](double lower, double upper) {
    return contains({lower, upper}, truth, Sense::minimize);
  };
  BOOST_TEST(inside(below, above));
  BOOST_TEST(inside(-infinity, infinity));
  BOOST_TEST(!inside(above, infinity));
  BOOST_TEST(!inside(-infinity, below));
  BOOST_TEST(!inside(std::nan(""), infinity));
  BOOST_TEST(!inside(infinity, infinity));
  // The least over no point at all is infinity, the largest minus infinity.
  Truth const nothing{true, Status::infeasible, 0};
  BOOST_TEST(contains({0.0, infinity}, nothing, Sense::minimize));
  BOOST_TEST(!contains({0.0, 1.0}, nothing, Sense::minimize));
  BOOST_TEST(contains({-infinity, 1.0}, nothing, Sense::maximize));
}

BOOST_AUTO_TEST_CASE(a_claim_with_a_false_enclosure_is_false) {
  LinearProgram const lp = third();
  Truth const truth = truthOf(lp, 10.0);
  Solution solution;
  solution.status = Status::optimal;
  solution.objective = 1.0 / 3.0;
  solution.columnValues = {1.0 / 3.0};
  solution.rowDuals = {1.0 / 3.0};
  solution.objectiveEnclosure = {1.0 / 3.0, 0.34};
  Claim claim;
  claim.solver = "own";
  describe(lp, solution, claim);
  settle(truth, lp, solution, claim);
  BOOST_TEST(claim.standsUp());
  BOOST_TEST(claim.miss < 1e-16);
  BOOST_TEST(claim.width == 0.005, boost::test_tools::tolerance(0.01));
  BOOST_TEST(claim.understated);  // 3 (1/3) is less than 1, and residual 0 is reported
  solution.objectiveEnclosure.lower = 0.335;
  settle(truth, lp, solution, claim);
  BOOST_TEST(claim.settled == -1);
  BOOST_TEST(!claim.standsUp());
  BOOST_TEST(claimFrom(lineOf(claim)).settled == -1);
  BOOST_TEST(claimFrom(lineOf(claim)).miss == claim.miss);
  // What has an optimum is neither infeasible nor unbounded.
  for (Status const status : {Status::infeasible, Status::unbounded}) {
    Solution wrong;
    wrong.status = status;
    Claim denied;
    describe(lp, wrong, denied);
    settle(truth, lp, wrong, denied);
    BOOST_TEST(denied.settled == -1);
  }
}

BOOST_AUTO_TEST_CASE(all_ways_are_right_on_small_problems) {
  for (int seed = 1; seed <= 20; ++seed) {
    auto const made = osi_cuda::testing::randomLp(seed);
    Truth const truth = truthOf(made.lp, 10.0);
    for (std::string const& way : wayNames()) {
      BOOST_TEST_CONTEXT(made.description << " " << way) {
        auto const gone = goneWay(way, made.lp, truth, 10.0, static_cast<std::uint64_t>(seed));
        if (!gone) continue;
        BOOST_TEST(gone->claim.settled != -1, gone->claim.message);
        BOOST_TEST(!gone->suspect.has_value());
      }
    }
  }
  BOOST_TEST(!isWay("road"));
}

BOOST_AUTO_TEST_SUITE_END()
